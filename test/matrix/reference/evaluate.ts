/** Evaluates predicates, order and projection of a plan in memory. */

import type { OrderTerm, Predicate, ProjectionNode, RelatedPredicate } from '../../../src/index.ts';
import type { FieldDescriptor } from '../../../src/schema/index.ts';
import type { World } from '../fixtures/dataset.ts';
import type { Stored, StoredRow } from '../fixtures/model.ts';
import { aggregate, aggregatesAt } from './aggregates.ts';
import { compareKeys, holds, orderKey } from './compare.ts';
import type { OrderKey } from './compare.ts';
import { memberField, memberValue } from './json-member.ts';
import { fieldOf, modelOf, reach, related, relationOf } from './graph.ts';

/** An order term without resolved target; the reference follows paths by name. */
type MatrixOrder = Omit<OrderTerm, 'target'>;

/** Whether a row satisfies a predicate. */
export function satisfies(
  world: World,
  model: string,
  row: StoredRow,
  predicate: Predicate | null,
): boolean {
  if (predicate === null) return true;
  if (predicate.type === 'and') {
    return predicate.predicates.every((part) => satisfies(world, model, row, part));
  }
  if (predicate.type === 'or') {
    return predicate.predicates.some((part) => satisfies(world, model, row, part));
  }
  if (predicate.type !== 'condition') return relatedSatisfy(world, model, row, predicate);
  const values = aggregatesAt(world, model, row, predicate.path, predicate, satisfies);
  if (values) {
    const { field } = values;
    return values.values.some((value) => holds(field, { [field.path]: value }, predicate));
  }
  const segments = predicate.path.split('.');
  for (const at of segments.slice(0, -1).keys()) {
    const holder = reach(world, model, row, segments.slice(0, at));
    const json = fieldOf(world, holder.model, segments[at] as string);
    if (!json?.paths) continue;
    const member = memberField(json, segments.slice(at + 1).join('.'));
    return holder.rows.some((each) =>
      holds(member, each && { [member.path]: memberValue(member, json, each) }, predicate),
    );
  }
  const last = segments.pop() as string;
  const end = reach(world, model, row, segments);
  const field = fieldOf(world, end.model, last);
  if (field) return end.rows.some((each) => holds(field, each, predicate));
  const relation = relationOf(world, end.model, last);
  if (!relation) throw new TypeError(`${end.model} has no ${last}.`);
  return end.rows.some((each) => {
    const none = !each || related(world, relation, each).length === 0;
    return none === predicate.value;
  });
}

/** Whether so many rows of a relation meet all members; an absent relation before it leaves none. */
function relatedSatisfy(
  world: World,
  model: string,
  row: StoredRow,
  { type, path, predicates }: RelatedPredicate,
): boolean {
  const end = reach(world, model, row, path.split('.'));
  const rows = end.rows.filter((each) => each !== null);
  const met = rows.filter((each) =>
    predicates.every((part) => satisfies(world, end.model, each, part)),
  ).length;
  switch (type) {
    case 'some':
      return met > 0;
    case 'none':
      return met === 0;
    case 'every':
      return met === rows.length;
    case 'someNot':
      return met < rows.length;
  }
}

/** The value of a row for one order term, and its field. The value is null where the order companion is not filled. */
interface OrderValue {
  readonly field: FieldDescriptor;
  readonly value: Stored;
}

function orderValue(
  world: World,
  model: string,
  row: StoredRow,
  term: Pick<OrderTerm, 'path'>,
): OrderValue {
  const { path } = term;
  const found = aggregatesAt(world, model, row, path, term, satisfies);
  if (found) return { field: found.field, value: found.values[0] ?? null };
  const segments = path.split('.');
  for (const at of segments.slice(0, -1).keys()) {
    const holder = reach(world, model, row, segments.slice(0, at));
    const json = fieldOf(world, holder.model, segments[at] as string);
    if (!json?.paths) continue;
    const member = memberField(json, segments.slice(at + 1).join('.'));
    const [each] = holder.rows;
    return { field: member, value: each ? memberValue(member, json, each) : null };
  }
  const last = segments.pop() as string;
  const end = reach(world, model, row, segments);
  const field = fieldOf(world, end.model, last);
  if (!field) throw new TypeError(`${end.model} has no field ${last}.`);
  const first = end.rows[0];
  const { portableOrderField: companion } = field;
  const filled = companion === undefined || (first?.[companion] ?? null) !== null;
  return { field, value: filled ? (first?.[last] ?? null) : null };
}

type Plain = string | number | boolean;

/** A row with its order keys, one per term. */
interface KeyedRow {
  readonly row: StoredRow;
  readonly keys: readonly (OrderKey | null)[];
}

/** Computes the order keys of a row. */
function keyed(
  world: World,
  model: string,
  order: readonly MatrixOrder[],
  row: StoredRow,
): KeyedRow {
  const keys = order.map((term) => {
    const { field, value } = orderValue(world, model, row, term);
    return value === null ? null : orderKey(field, value as Plain);
  });
  return { row, keys };
}

/** Compares the keys of two rows by all terms. */
function compareOrderKeys(
  order: readonly MatrixOrder[],
  a: KeyedRow['keys'],
  b: KeyedRow['keys'],
): number {
  for (const [at, { direction, nulls }] of order.entries()) {
    const [left = null, right = null] = [a[at], b[at]];
    if (left === null || right === null) {
      if (left === right) continue;
      return (left === null) === (nulls === 'first') ? -1 : 1;
    }
    const result = compareKeys(left, right);
    if (result !== 0) return direction === 'asc' ? result : -result;
  }
  return 0;
}

/**
 * The values of a row's order terms as a cursor contains them: of the order companion if there is one, because
 * the database compares that column.
 */
export function positionOf(
  world: World,
  model: string,
  order: readonly MatrixOrder[],
  row: StoredRow,
): (string | null)[] {
  return order.map((term) => {
    const { field, value } = orderValue(world, model, row, term);
    if (value === null || !field.portableOrderField) return value === null ? null : String(value);
    const path = term.path.replace(/[^.]+$/, field.portableOrderField);
    return String(orderValue(world, model, row, { path }).value);
  });
}

/** Compares a row with the values of a cursor. */
export function compareToPosition(
  world: World,
  model: string,
  order: readonly MatrixOrder[],
  row: StoredRow,
  position: readonly (Plain | null)[],
): number {
  const own = positionOf(world, model, order, row);
  const keysOf = (values: readonly (Plain | null)[]) =>
    order.map((term, at) => {
      const { field } = orderValue(world, model, row, term);
      const value = values[at] ?? null;
      if (value === null) return null;
      return field.portableOrderField ? Buffer.from(String(value)) : orderKey(field, value);
    });
  return compareOrderKeys(order, keysOf(own), keysOf(position));
}

/** A value as presented: an instant has milliseconds. */
function shownValue(field: FieldDescriptor | undefined, value: Stored): Stored {
  return field?.kind === 'datetime' && value !== null ? `${String(value).slice(0, 23)}Z` : value;
}

/** The projection of a row: its fields, then its relations. */
export function project(
  world: World,
  node: ProjectionNode,
  row: StoredRow,
): { [path: string]: unknown } {
  const shown: { [path: string]: unknown } = {};
  for (const path of node.fields) {
    shown[path] = shownValue(fieldOf(world, node.model, path), row[path] ?? null);
  }
  for (const field of node.aggregates ?? []) {
    const [name = '', what = ''] = field.path.split('.$');
    const value = aggregate(world, node.model, row, name, what, field, satisfies);
    shown[field.path] = shownValue(field, value);
  }
  const truncated: string[] = [];
  for (const { path, cardinality, node: child, maxChildren, where, order } of node.relations) {
    const relation = relationOf(world, node.model, path);
    if (!relation) throw new TypeError(`${node.model} has no relation ${path}.`);
    const found = inOrder(
      world,
      child.model,
      order ?? keyOrder(world, child.model),
      related(world, relation, row).filter((each) =>
        satisfies(world, child.model, each, where ?? null),
      ),
    ).map((each) => project(world, child, each));
    if (maxChildren !== undefined && found.length > maxChildren) {
      found.length = maxChildren;
      truncated.push(path);
    }
    shown[path] = cardinality === 'many' ? found : (found[0] ?? null);
  }
  return truncated.length === 0 ? shown : { ...shown, $truncated: truncated };
}

/** Sorts rows. */
export function inOrder(
  world: World,
  model: string,
  order: readonly MatrixOrder[],
  rows: readonly StoredRow[],
): StoredRow[] {
  return rows
    .map((row) => keyed(world, model, order, row))
    .toSorted((a, b) => compareOrderKeys(order, a.keys, b.keys))
    .map(({ row }) => row);
}

function keyOrder(world: World, model: string): MatrixOrder[] {
  return modelOf(model, world)
    .fields.filter((field) => field.primaryKey)
    .map((field) => ({ path: field.path, direction: 'asc', nulls: 'first' }));
}
