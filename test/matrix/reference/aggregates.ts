/** Values over the rows of a relation in memory: their number, and the sum and the ends of a field. */

import type { OrderTerm, Predicate } from '../../../src/index.ts';
import { aggregateOf } from '../../../src/rules/index.ts';
import type { FieldDescriptor } from '../../../src/schema/index.ts';
import type { World } from '../fixtures/dataset.ts';
import type { Stored, StoredRow } from '../fixtures/model.ts';
import { compareKeys, decimalOf, orderKey, scaled } from './compare.ts';
import { fieldOf, reach, related, relationOf } from './graph.ts';

/** Whether a row satisfies a predicate. */
type Satisfies = (
  world: World,
  model: string,
  row: StoredRow,
  predicate: Predicate | null,
) => boolean;

/** The value of each row at the end of the relations before it; a row that is absent has none. */
interface Found {
  readonly field: FieldDescriptor;
  readonly values: readonly Stored[];
}

/**
 * The values of a path such as `company.users.$count.known`; `undefined` for another path. The condition or term of the plan
 * carries the field with the named condition, which has no other place.
 */
export function aggregatesAt(
  world: World,
  model: string,
  row: StoredRow,
  path: string,
  carrier: object,
  satisfies: Satisfies,
): Found | undefined {
  const end = path.indexOf('.$');
  const { target } = carrier as Partial<Pick<OrderTerm, 'target'>>;
  if (end < 0 || !target?.field) return undefined;
  const { field } = target;
  const before = path.slice(0, end).split('.');
  const name = before.pop() ?? '';
  const holder = reach(world, model, row, before);
  const values = holder.rows.map((each) =>
    each === null
      ? null
      : aggregate(world, holder.model, each, name, path.slice(end + 2), field, satisfies),
  );
  return { field, values };
}

/** The value over a relation of one row. */
export function aggregate(
  world: World,
  model: string,
  row: StoredRow,
  name: string,
  what: string,
  field: FieldDescriptor,
  satisfies: Satisfies,
): Stored {
  const relation = relationOf(world, model, name);
  if (!relation) throw new TypeError(`${model} has no relation ${name}.`);
  const where = aggregateOf(field)?.where ?? null;
  const rows = related(world, relation, row).filter((each) =>
    satisfies(world, relation.target, each, where),
  );
  const [type, path = ''] = what.split('.');
  if (type === 'count') return rows.length;
  const of = fieldOf(world, relation.target, path);
  if (!of) throw new TypeError(`${relation.target} has no field ${path}.`);
  const values = rows.flatMap((each) => {
    const value = each[path] ?? null;
    return value === null ? [] : [value as string | number];
  });
  if (values.length === 0) return null;
  if (type === 'sum') {
    return decimalOf(values.reduce((sum, value) => sum + scaled(String(value)), 0n));
  }
  const way = type === 'min' ? 1 : -1;
  return values.reduce((best, value) =>
    compareKeys(orderKey(of, value), orderKey(of, best)) * way < 0 ? value : best,
  );
}
