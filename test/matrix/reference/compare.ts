/** The total order of each kind and the comparisons of each operator, on values in JSON form. */

import type { ConditionPredicate, PlanValue } from '../../../src/index.ts';
import { operatorRow } from '../../../src/rules/index.ts';
import { type FieldDescriptor, comparedKind } from '../../../src/schema/index.ts';
import type { Stored, StoredRow } from '../fixtures/model.ts';

const fractionDigits = 30;

/** A decimal as a whole number of 10^-30. */
export function scaled(text: string): bigint {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + fraction.padEnd(fractionDigits, '0'));
  return negative ? -size : size;
}

/** The text of such a number. */
export function decimalOf(size: bigint): string {
  const digits = String(size < 0n ? -size : size).padStart(fractionDigits + 1, '0');
  const whole = digits.slice(0, -fractionDigits);
  const fraction = digits.slice(-fractionDigits).replace(/0+$/, '');
  return `${size < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

/** An instant as text of fixed width, with microseconds. */
function instant(text: string): string {
  const [seconds = '', fraction = ''] = text.slice(0, -1).split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}`;
}

type Plain = string | number | boolean;

/** A value in comparable form; text is UTF-8, whose byte order is the order of code points. */
export type OrderKey = number | bigint | Buffer;

/** The order key of a value of the field's kind. */
export function orderKey(field: FieldDescriptor, value: Plain): OrderKey {
  switch (field.kind) {
    case 'integer':
    case 'float':
      return Number(value);
    case 'boolean':
      return Number(value === true || value === 'true');
    case 'bigint':
      return BigInt(value);
    case 'decimal':
      return scaled(String(value));
    case 'datetime':
      return Buffer.from(instant(String(value)));
    case 'enum':
      return (field.enumValues ?? []).indexOf(String(value));
    default:
      return Buffer.from(String(value));
  }
}

/** Negative, zero or positive if `a` is before, equal to or after `b`. */
export function compareKeys(a: OrderKey, b: OrderKey): number {
  if (a instanceof Buffer && b instanceof Buffer) return Buffer.compare(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Case folding without a companion, as far as all families fold alike: of ASCII letters. */
const lowered = (text: string): string =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

const listOf = (value: ConditionPredicate['value']): readonly PlanValue[] =>
  Array.isArray(value) ? value : [value as PlanValue];

/** Whether an array, which is not null, satisfies a condition. */
function arrayHolds(
  field: FieldDescriptor,
  members: readonly Stored[],
  { operator, value }: ConditionPredicate,
): boolean {
  const kind = comparedKind(field.kind);
  const has = (operand: PlanValue): boolean =>
    members.some(
      (member) =>
        member !== null &&
        holds(
          { ...field, kind },
          { [field.path]: member },
          {
            type: 'condition',
            path: field.path,
            operator: 'eq',
            value: operand,
          },
        ),
    );
  const operands = listOf(value);
  switch (operator) {
    case 'has':
    case 'hasAny':
      return operands.some(has);
    case 'notHas':
    case 'notHasAny':
      return !operands.some(has);
    case 'hasAll':
      return operands.every(has);
    case 'notHasAll':
      return !operands.every(has);
    default:
      return (members.length === 0) === value;
  }
}

/** Whether a field of a row satisfies a condition. The row is `null` behind an absent `one` relation. */
export function holds(
  field: FieldDescriptor,
  row: StoredRow | null,
  condition: ConditionPredicate,
): boolean {
  const stored: Stored = row?.[field.path] ?? null;
  if (condition.operator === 'isNull') return (stored === null) === condition.value;
  // `notIn` with an empty list is true for every value, including null.
  if (condition.operator === 'notIn' && listOf(condition.value).length === 0) return true;
  if (stored === null) return false;
  const companion = field.portableOrderField;
  const isOrder = operatorRow(condition.operator).need === 'order';
  // Comparisons by order do not match a row whose companion is not filled.
  if (isOrder && companion && (row?.[companion] ?? null) === null) return false;
  const operands = listOf(condition.value);
  if (operatorRow(condition.operator).need === 'array') {
    return arrayHolds(field, stored as readonly Stored[], condition);
  }
  const first = operands[0] as Plain;
  const value = String(stored);
  const own = orderKey(field, stored as Plain);
  // An instant without microseconds is compared with what is shown.
  const shown = orderKey(
    field,
    field.kind === 'datetime' ? `${value.slice(0, 23)}Z` : (stored as Plain),
  );
  const against = (operand: Plain): number => {
    const isShort = field.kind === 'datetime' && String(operand).length === 24;
    return compareKeys(isShort ? shown : own, orderKey(field, operand));
  };
  const folded = (): string =>
    field.foldedField === undefined ? lowered(value) : String(row?.[field.foldedField]);
  const term = field.foldedField === undefined ? lowered(String(first)) : String(first);
  switch (condition.operator) {
    case 'eq':
      return against(first) === 0;
    case 'ne':
      return against(first) !== 0;
    case 'gt':
      return against(first) > 0;
    case 'gte':
      return against(first) >= 0;
    case 'lt':
      return against(first) < 0;
    case 'lte':
      return against(first) <= 0;
    case 'between':
      return against(first) >= 0 && against(operands[1] as Plain) <= 0;
    case 'in':
      return operands.some((operand) => against(operand) === 0);
    case 'notIn':
      return operands.every((operand) => against(operand) !== 0);
    case 'like':
      return value.includes(String(first));
    case 'notLike':
      return !value.includes(String(first));
    case 'ilike':
      return folded().includes(term);
    case 'notIlike':
      return !folded().includes(term);
    case 'startsWith':
      return value.startsWith(String(first));
    case 'notStartsWith':
      return !value.startsWith(String(first));
    case 'istartsWith':
      return folded().startsWith(term);
    case 'notIstartsWith':
      return !folded().startsWith(term);
    case 'endsWith':
      return value.endsWith(String(first));
    case 'notEndsWith':
      return !value.endsWith(String(first));
    case 'has':
    case 'notHas':
    case 'hasAny':
    case 'notHasAny':
    case 'hasAll':
    case 'notHasAll':
    case 'isEmpty':
      throw new TypeError(`${condition.operator} does not apply to ${field.path}.`);
  }
}
