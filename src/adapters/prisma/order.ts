/** Converts order terms to Prisma's `orderBy`, and keyset positions to its `where`, where the result is exact. */

import type { DatabaseFamily, KeysetPosition, OrderTerm, PlanValue } from '../../rules/index.ts';
import {
  type ClientField,
  type ClientModel,
  type ClientModels,
  fieldAt,
  modelNamed,
  orderFieldAt,
} from './client-model.ts';
import { clientValue, keepsPlace } from './exactness.ts';
import { nullsOf } from '../../schema/index.ts';
import type { Where } from './where.ts';

/** An order term in the direction of reading. */
export interface ClientOrder {
  readonly field: ClientField;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
  readonly nullable: boolean;
  /** Relations on the path of the field. */
  readonly relations: readonly string[];
}

/** The terms of a plan; `reversed` is set for pages that are read backwards. */
export function clientOrder(
  models: ClientModels,
  terms: readonly OrderTerm[],
  reversed: boolean,
): readonly ClientOrder[] {
  return terms.map(({ target, direction, nulls }) => {
    const { hops } = target;
    const model = modelNamed(models, target.model);
    const { path = '', portableOrderField: companion } = target.field ?? {};
    // The last terms are by the key itself, whatever companion it has.
    const field = fieldAt(model, companion ?? path);
    // Relations without a foreign key have orphans, and a companion may not be filled yet.
    const isCompanion = companion !== undefined;
    const nullable = hops.length > 0 || isCompanion || field.descriptor.nullable;
    return {
      field,
      direction: reversed === (direction === 'asc') ? 'desc' : 'asc',
      nulls: reversed === (nulls === 'first') ? 'last' : 'first',
      nullable,
      relations: hops.map(({ path }) => path),
    };
  });
}

/** The `orderBy`; `undefined` if Prisma cannot place nulls as required, or orders members otherwise than SQL. */
export function prismaOrder(
  family: DatabaseFamily,
  order: readonly ClientOrder[],
): readonly Where[] | undefined {
  const terms: Where[] = [];
  for (const { field, direction, nulls, nullable, relations } of order) {
    const { path, kind, portableOrderField: companion } = field.descriptor;
    // A key itself beside its companion is ordered as text in SQL, and by the client perhaps by position.
    if (kind === 'enum' && companion !== undefined) return undefined;
    const usual = (direction === 'asc') === (nullsOf([family]) === 'first') ? 'first' : 'last';
    const placed = nullable && nulls !== usual;
    // Prisma accepts `nulls` for optional fields only, not for fields of optional relations.
    if (placed && !field.descriptor.nullable) return undefined;
    let term: Where = { [path]: placed ? { sort: direction, nulls } : direction };
    for (const relation of relations.toReversed()) term = { [relation]: term };
    terms.push(term);
  }
  return terms;
}

/** The order of the rows of a `many` include: by the primary key of its target. */
export function keyOrder(target: ClientModel): readonly Where[] {
  return target.primaryKey.map((path) => {
    const { descriptor, family } = orderFieldAt(target, path);
    const placed = descriptor.nullable && nullsOf([family]) !== 'first';
    return { [descriptor.path]: placed ? { sort: 'asc', nulls: 'first' } : 'asc' };
  });
}

/**
 * Whether the values that the client returns are exact enough for cursors and the pages after them. It does not return
 * rows with a null in a field that it requires, as in a companion that is not filled.
 */
export function canPage(order: readonly ClientOrder[]): boolean {
  return order.every(
    ({ field, relations, nullable }) =>
      relations.length === 0 && keepsPlace(field) && nullable === field.descriptor.nullable,
  );
}

/**
 * The `where` of the rows after a position in the order of reading; `undefined` if the client does not compare a value
 * of the position exactly. A bound on the first term comes first, so that the database can use it for an index scan.
 */
export function prismaKeyset(
  order: readonly ClientOrder[],
  { values, inclusive, begins }: KeysetPosition,
): Where | undefined {
  if (begins) return undefined;
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
  // Within this bound, rows that are not after the position by the first term are equal in it.
  return { ...compare(0, true), OR: [beyond(0), from(1)] };
}

function pathOf(order: readonly ClientOrder[], index: number): string {
  return order[index]?.field.descriptor.path ?? '';
}
