/**
 * Conditions on values in JSON, whose kind nobody has declared: as conditions on the value as text, which lists and objects
 * do not have, and on the value as a number. `42` is found where 42 or "42" is stored.
 */

import { operatorRow } from '../../rules/index.ts';
import type { ConditionPredicate, OperatorName, PlanValue } from '../../rules/index.ts';
import { kindRow } from '../../schema/index.ts';
import type { JobFilter } from './job-filter.ts';

/** A value of JSON as one that is compared. */
export interface JsonPart {
  /** The column, and the members behind it, with dots between them. */
  readonly path: string;
  readonly as: 'text' | 'number';
}

/** Numbers as JSON writes them, without an exponent. */
const numeric = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Whether a value is one that a number can be compared with. */
const isNumber = (value: PlanValue): boolean =>
  numeric.test(String(value)) && kindRow('decimal').coerce(String(value)) !== undefined;

/** The name of the part of a path, which no field has. */
const nameOf = (path: string, as: JsonPart['as']): string => `${path}#${as}`;

const part = (
  path: string,
  as: JsonPart['as'],
  operator: OperatorName,
  value: ConditionPredicate['value'],
): ConditionPredicate => ({ type: 'condition', path: nameOf(path, as), operator, value });

const isNotNumber = (path: string): ConditionPredicate => part(path, 'number', 'isNull', true);

function equals(path: string, value: PlanValue, isEqual: boolean): JobFilter {
  const operator = isEqual ? 'eq' : 'ne';
  const text = part(path, 'text', operator, value);
  if (!isNumber(value)) return text;
  // 1.50 equals 1.5, and a value that is not a number differs from each.
  const number = part(path, 'number', operator, value);
  if (isEqual) return { type: 'or', predicates: [text, number] };
  return {
    type: 'and',
    predicates: [text, { type: 'or', predicates: [isNotNumber(path), number] }],
  };
}

/** Compares by order: with numbers as numbers, and with texts as texts. */
function compared(path: string, operator: OperatorName, value: PlanValue): JobFilter {
  if (isNumber(value)) return part(path, 'number', operator, value);
  return { type: 'and', predicates: [isNotNumber(path), part(path, 'text', operator, value)] };
}

function conditionInParts(condition: ConditionPredicate): JobFilter {
  const { path, operator, value } = condition;
  if (!path.includes('.')) return condition;
  const values = [value].flat() as readonly PlanValue[];
  const [first = '', last = ''] = values;
  const row = operatorRow(operator);
  switch (row.comparison) {
    case 'equality':
      return equals(path, first, !row.negated);
    case 'membership':
      return {
        type: row.negated ? 'and' : 'or',
        predicates: values.map((each) => equals(path, each, !row.negated)),
      };
    case 'range':
      return {
        type: 'and',
        predicates: [compared(path, 'gte', first), compared(path, 'lte', last)],
      };
    case 'order':
      return compared(path, operator, first);
    case 'pattern':
    case 'null':
    case 'members':
    case 'empty':
      return { ...condition, path: nameOf(path, 'text') };
  }
}

/** The filter with every condition that `change` returns in place of its own. */
export function changed(
  filter: JobFilter,
  change: (condition: ConditionPredicate) => JobFilter,
): JobFilter {
  if (filter.type === 'condition') return change(filter);
  return {
    type: filter.type,
    predicates: filter.predicates.map((each) => changed(each, change)),
  };
}

/** The filter with conditions on the parts of values in JSON. */
export const inParts = (filter: JobFilter): JobFilter => changed(filter, conditionInParts);

/** The part that a path of a condition names; undefined for a field. */
export function partOf(named: string): JsonPart | undefined {
  const [path = '', as] = named.split('#');
  return as === undefined ? undefined : { path, as: as as JsonPart['as'] };
}
