/**
 * Converts conditions in Prisma's terms to a predicate, so that additions of `customize` apply to SQL. Not every `where`
 * can be expressed: no negation of groups, no patterns, no `every` and `none`.
 */

import { type RelationDescriptor, kindRow } from '../../schema/index.ts';
import {
  type ConditionPredicate,
  type OperatorRow,
  type PlanValue,
  operatorRows,
} from '../../rules/index.ts';
import {
  type ClientField,
  type ClientModel,
  type ClientModels,
  isFiner,
  modelNamed,
} from './describe/client-model.ts';
import { clientBehaviour } from './client-behaviour.ts';
import type { Where } from './keys.ts';

/** Conditions on fields and relations of the registry, combined by `and` and `or`. */
export type LoweredPredicate =
  | ConditionPredicate
  | { readonly type: 'and' | 'or'; readonly predicates: readonly LoweredPredicate[] };

type NamedByPrisma = Extract<OperatorRow, { readonly filterKey: string }>;

/** Operators by their Prisma names. */
const operators: ReadonlyMap<string, NamedByPrisma> = new Map(
  operatorRows.flatMap((row) => ('filterKey' in row ? [[row.filterKey, row] as const] : [])),
);

/** The predicate of a `where`; `undefined` where a plan cannot express it. */
export function lowerWhere(
  models: ClientModels,
  model: string,
  where: Where,
): LoweredPredicate | undefined {
  return lowered(models, modelNamed(models, model), where, '');
}

function isWhere(value: unknown): value is Where {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The conjunction of the members; `undefined` where one of them cannot be expressed. */
function all(members: readonly (LoweredPredicate | undefined)[]): LoweredPredicate | undefined {
  const predicates = members.filter((member) => member !== undefined);
  if (predicates.length < members.length) return undefined;
  const [only] = predicates;
  return only && predicates.length === 1 ? only : { type: 'and', predicates };
}

/** The disjunction of the members; `undefined` where one of them cannot be expressed. */
function any(members: readonly (LoweredPredicate | undefined)[]): LoweredPredicate | undefined {
  const found = members.filter((member) => member !== undefined);
  // Prisma passes over an alternative without conditions, such as one of a value that is undefined. Without any
  // alternative it finds no rows or all of them, by the place of the `OR`.
  const predicates = found.filter((member) => !isEmpty(member));
  const isExpressed = found.length === members.length && predicates.length > 0;
  return isExpressed ? { type: 'or', predicates } : undefined;
}

const isEmpty = (predicate: LoweredPredicate): boolean =>
  predicate.type === 'and' && predicate.predicates.every(isEmpty);

function lowered(
  models: ClientModels,
  model: ClientModel,
  where: Where,
  prefix: string,
): LoweredPredicate | undefined {
  const members: (LoweredPredicate | undefined)[] = [];
  for (const [name, value] of Object.entries(where)) {
    // Prisma ignores a condition that is undefined.
    if (value === undefined) continue;
    members.push(member(models, model, name, value, prefix));
  }
  return all(members);
}

function member(
  models: ClientModels,
  model: ClientModel,
  name: string,
  value: unknown,
  prefix: string,
): LoweredPredicate | undefined {
  if (name === 'AND' || name === 'OR') {
    const list = Array.isArray(value) ? (value as unknown[]) : [value];
    const inner = list.map((each) =>
      isWhere(each) ? lowered(models, model, each, prefix) : undefined,
    );
    return name === 'AND' ? all(inner) : any(inner);
  }
  const field = model.fields.get(name);
  if (field) return fieldCondition(field, prefix + name, value);
  const relation = model.relations.get(name);
  return relation && relationCondition(models, relation, prefix + name, value);
}

function relationCondition(
  models: ClientModels,
  descriptor: RelationDescriptor,
  path: string,
  value: unknown,
): LoweredPredicate | undefined {
  const absent: ConditionPredicate = {
    type: 'condition',
    path,
    operator: 'isNull',
    value: value === null,
  };
  if (value === null) return descriptor.cardinality === 'one' ? absent : undefined;
  const [[key, named] = [], ...more] = Object.entries(Object(value) as Where);
  const target = modelNamed(models, descriptor.target);
  if (descriptor.cardinality === 'many') {
    if (key !== 'some' || more.length > 0 || !isWhere(named)) return undefined;
    const inner = lowered(models, target, named, `${path}.`);
    // Conditions of a plan are independent: two of them may be met by two different rows.
    return inner?.type === 'condition' ? inner : undefined;
  }
  const whole = key === 'is' && more.length === 0 ? named : value;
  if (whole === null) return { ...absent, value: true };
  if (!isWhere(whole) || 'isNot' in whole) return undefined;
  // Without `is`, an object that says nothing is no condition on the relation.
  if (whole === value && Object.values(whole).every((each) => each === undefined)) return all([]);
  // A field behind an absent relation is null in a plan, but does not match in Prisma.
  return all([absent, lowered(models, target, whole, `${path}.`)]);
}

function fieldCondition(
  field: ClientField,
  path: string,
  value: unknown,
): LoweredPredicate | undefined {
  const plain = !isWhere(value) || value instanceof Date || 'toFixed' in value;
  const filters = plain ? { equals: value } : value;
  return all(
    Object.entries(filters)
      .filter(([, operand]) => operand !== undefined)
      .map(([name, operand]) => condition(field, path, operators.get(name), operand)),
  );
}

function condition(
  field: ClientField,
  path: string,
  row: NamedByPrisma | undefined,
  operand: unknown,
): LoweredPredicate | undefined {
  if (row === undefined) return undefined;
  const { name: operator } = row;
  if (operand === null) {
    if (row.comparison !== 'equality') return undefined;
    return { type: 'condition', path, operator: 'isNull', value: !row.negated };
  }
  // Prisma compares an enum or a UUID in the database's own order, a plan by its companion.
  if (row.need === 'order' && kindRow(field.descriptor.kind).order !== 'total') return undefined;
  switch (row.comparison) {
    case 'order':
    case 'equality': {
      const value = canonical(field, operand);
      if (value === undefined) return undefined;
      if (isFiner(field)) return storedPredicate(path, row, [value]);
      return { type: 'condition', path, operator, value };
    }
    case 'membership': {
      if (!Array.isArray(operand)) return undefined;
      const values = operand.map((each) => canonical(field, each));
      const value = values.filter((each) => each !== undefined);
      if (value.length < values.length) return undefined;
      if (isFiner(field)) return storedPredicate(path, row, value);
      return { type: 'condition', path, operator, value };
    }
  }
}

/** A value of the client in its kind's canonical form; `undefined` where the client refuses it or compares another one. */
function canonical(
  { descriptor, type, family, shownMembers }: ClientField,
  value: unknown,
): PlanValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (isWhere(value) && !(value instanceof Date) && !('toFixed' in value)) return undefined;
  const { kind } = descriptor;
  const text = value instanceof Date ? value.toISOString() : String(value);
  if (type === 'String') {
    // The client compares a column of text as text, a plan by the kind.
    const isSame = kind !== 'decimal' && kindRow(kind).coerce(text) === text;
    return isSame ? text : undefined;
  }
  if (kind === 'date') return dayOf(text, clientBehaviour[family].ownForms);
  if (kind === 'decimal')
    return kindRow('decimal').coerce(String(kindRow('decimal').present(value)));
  if (kind === 'enum') return shownMembers?.get(text) ?? text;
  return kindRow(kind).coerce(text);
}

/** The day of an instant. Where a column holds the whole instant, the client compares the time of the day too. */
function dayOf(text: string, isWhole: boolean): PlanValue | undefined {
  const instant = kindRow('datetime').coerce(text);
  const [day = '', time] = String(instant).split('T');
  return isWhole && time !== '00:00:00.000Z' ? undefined : kindRow('date').coerce(day);
}

type Stored = Exclude<
  Extract<NamedByPrisma, { readonly need: 'equality' | 'order' }>,
  { readonly comparison: 'range' }
>;

/**
 * A filter on a column with instants that are finer than the client's milliseconds: the client compares the stored
 * instant, a plan the millisecond that is shown.
 */
function storedPredicate(
  path: string,
  row: Stored,
  values: readonly PlanValue[],
): LoweredPredicate {
  const compare = (operator: 'gte' | 'lt', value: PlanValue): LoweredPredicate => ({
    type: 'condition',
    path,
    operator,
    value,
  });
  // No family stores an instant between this one and the value.
  const next = (value: PlanValue): string => `${String(value).slice(0, -1)}001Z`;
  const first = values[0] ?? '';
  if (row.comparison === 'order') {
    if (row.rounds === 'up') return compare(row.filterKey === 'gte' ? 'gte' : 'lt', first);
    return compare(row.sql === '>' ? 'gte' : 'lt', next(first));
  }
  const each = values.map((value): LoweredPredicate => {
    const predicates = row.negated
      ? [compare('lt', value), compare('gte', next(value))]
      : [compare('gte', value), compare('lt', next(value))];
    return { type: row.negated ? 'or' : 'and', predicates };
  });
  return { type: row.negated ? 'and' : 'or', predicates: each };
}
