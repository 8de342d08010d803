/** Order terms as Prisma's `orderBy`, and the `where` of a keyset page, where those say exactly the same. */

import type { DatabaseFamily, KeysetPosition, OrderTerm, PlanValue } from '../../rules/index.ts';
import {
  type ClientField,
  type ClientModel,
  type ClientModels,
  modelNamed,
  orderFieldAt,
} from './client-model.ts';
import { clientValue, keepsPlace } from './exactness.ts';
import { familyFacts } from './family-facts.ts';
import type { Where } from './where.ts';

/** One term in the direction of travel. */
export interface ClientOrder {
  readonly field: ClientField;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
  readonly nullable: boolean;
  /** Relations on the way to the field. */
  readonly relations: readonly string[];
}

/** The terms of a plan; `reversed` for pages read backwards. */
export function clientOrder(
  models: ClientModels,
  terms: readonly OrderTerm[],
  reversed: boolean,
): readonly ClientOrder[] {
  return terms.map(({ target, direction, nulls }) => {
    const { hops } = target;
    const field = orderFieldAt(modelNamed(models, target.model), target.field?.path ?? '');
    // A relation without a foreign key has orphans, and a companion may be missing beside a value.
    const nullable =
      hops.length > 0 || field.descriptor.nullable || target.field?.nullable === true;
    return {
      field,
      direction: reversed === (direction === 'asc') ? 'desc' : 'asc',
      nulls: reversed === (nulls === 'first') ? 'last' : 'first',
      nullable,
      relations: hops.map(({ path }) => path),
    };
  });
}

/** The `orderBy`; `undefined` where Prisma cannot put nulls where they belong. */
export function prismaOrder(
  family: DatabaseFamily,
  order: readonly ClientOrder[],
): readonly Where[] | undefined {
  const terms: Where[] = [];
  for (const { field, direction, nulls, nullable, relations } of order) {
    const { path } = field.descriptor;
    const usual =
      (direction === 'asc') === (familyFacts[family].nulls === 'first') ? 'first' : 'last';
    const placed = nullable && nulls !== usual;
    // Prisma takes `nulls` beside an optional field alone, not behind an optional relation.
    if (placed && !field.descriptor.nullable) return undefined;
    let term: Where = { [path]: placed ? { sort: direction, nulls } : direction };
    for (const relation of relations.toReversed()) term = { [relation]: term };
    terms.push(term);
  }
  return terms;
}

/** The rows of a `many` include come in the order of the target's primary key. */
export function keyOrder(target: ClientModel): readonly Where[] {
  return target.primaryKey.map((path) => ({ [orderFieldAt(target, path).descriptor.path]: 'asc' }));
}

/** Whether a cursor can be made of what the client gives, and a page start there. */
export function canPage(order: readonly ClientOrder[]): boolean {
  return order.every(({ field, relations }) => relations.length === 0 && keepsPlace(field));
}

/**
 * The rows beyond a position in the order of travel; a bound on the first term stands in front, so that an
 * index can start there. `undefined` where a value of the position is not compared exactly.
 */
export function prismaKeyset(
  order: readonly ClientOrder[],
  { values, inclusive }: KeysetPosition,
): Where | undefined {
  const operands: unknown[] = [];
  for (const [index, { field }] of order.entries()) {
    const value: PlanValue | null = values[index] ?? null;
    const operand = value === null ? null : clientValue(field, value);
    if (operand === undefined) return undefined;
    operands.push(operand);
  }
  const equal = (index: number): Where => ({ [pathOf(order, index)]: operands[index] });
  const compare = (index: number, orEqual: boolean): Where => {
    const sign = order[index]?.direction === 'asc' ? 'gt' : 'lt';
    return { [pathOf(order, index)]: { [orEqual ? `${sign}e` : sign]: operands[index] } };
  };
  const beyond = (index: number): Where => {
    const { nullable, nulls } = order[index] as ClientOrder;
    const path = pathOf(order, index);
    if (operands[index] === null) return { [path]: nulls === 'first' ? { not: null } : { in: [] } };
    const further = compare(index, false);
    return nullable && nulls === 'last' ? { OR: [further, { [path]: null }] } : further;
  };
  const from = (index: number): Where => {
    if (index === order.length - 1) {
      return inclusive ? { OR: [beyond(index), equal(index)] } : beyond(index);
    }
    return { OR: [beyond(index), { AND: [equal(index), from(index + 1)] }] };
  };
  const [first] = order;
  const unbounded = !first || order.length === 1 || operands[0] === null;
  if (unbounded || (first.nullable && first.nulls === 'last')) return from(0);
  // Under that bound a row that is not beyond on the first term is equal on it.
  return { ...compare(0, true), OR: [beyond(0), from(1)] };
}

function pathOf(order: readonly ClientOrder[], index: number): string {
  return order[index]?.field.descriptor.path ?? '';
}
