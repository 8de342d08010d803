/** Converts the order values of a row to the strings that a cursor contains. */

import { kindRow } from '../../schema/index.ts';
import type { Dialect } from '../compile/dialect.ts';
import type { PhysicalColumn } from '../compile/physical.ts';
import { presenter } from './reader.ts';

/** The index of an order value in a row, and its conversion to text. */
export interface OrderColumn {
  readonly index: number;
  readonly text: (value: unknown) => string | null;
}

/** A timestamp text of the database in UTC, with microseconds. */
const utcText =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,6}))?(?:Z|\+00(?::00)?)?$/;

/** The presented datetime has no microseconds; a cursor made from it would skip rows. */
function instantText(value: string, shown: (value: unknown) => unknown): string {
  // PostgreSQL in UTC, with milliseconds.
  if (value.length === 26 && value[4] === '-' && value[19] === '.' && value.endsWith('+00')) {
    return `${value.slice(0, 10)}T${value.slice(11, 23)}Z`;
  }
  const match = utcText.exec(value);
  if (match) {
    const fraction = (match[3] ?? '').padEnd(6, '0');
    // The canonical text has microseconds only where they are not zero.
    const tail = fraction.endsWith('000') ? fraction.slice(0, 3) : fraction;
    return `${match[1]}T${match[2]}.${tail}Z`;
  }
  const fraction = /\.[0-9]{3}([0-9]{1,3})/.exec(value)?.[1]?.padEnd(3, '0') ?? '000';
  const canonical = `${String(shown(value)).slice(0, -1)}${fraction}Z`;
  return String(kindRow('datetime').coerce(canonical) ?? shown(value));
}

/**
 * The text of a value in a cursor: the usual one, or in a database whose columns hold values of any class that of a value
 * which is not of the column's kind.
 */
export function cursorTextOf(
  column: PhysicalColumn,
  dialect?: Pick<Dialect, 'otherText'>,
): OrderColumn['text'] {
  const usual = usualText(column);
  const other = column.codec ? undefined : dialect?.otherText?.(column);
  if (!other) return usual;
  return (value) => {
    const text = usual(value);
    return text === null ? null : (other(value, text) ?? text);
  };
}

/** The canonical text of a value at the precision of its column; the stored text if the value has no canonical one. */
function usualText(column: PhysicalColumn): OrderColumn['text'] {
  const present = presenter(column);
  const isInstant = column.kind === 'datetime';
  if (column.kind === 'binary') {
    return (value) => (value === null || value === undefined ? null : String(present(value)));
  }
  // Presented in single precision, a value would be another one. Databases write texts such as `1e15` differently.
  if (column.kind === 'float' && !column.codec) {
    return (value) => (value === null || value === undefined ? null : String(Number(value)));
  }
  const { coerce } = kindRow(column.kind);
  // A truth value that is stored as a number may be any number.
  const isOther = (value: unknown): boolean =>
    (typeof value === 'number' || typeof value === 'bigint') && coerce(String(value)) === undefined;
  const isTruth = column.kind === 'boolean' && !column.codec;
  return (value) => {
    if (value === null || value === undefined) return null;
    if (isTruth && isOther(value)) return String(value);
    const text =
      isInstant && typeof value === 'string' ? instantText(value, present) : String(present(value));
    // A stored value that is not a value of the kind, such as `infinity`, is compared in its stored form.
    return coerce(text) !== undefined || value instanceof Date ? text : String(value);
  };
}
