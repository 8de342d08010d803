/**
 * Values that a column of SQLite holds although they are not of its kind: its types are flexible. A position contains such
 * a value with its storage class, since the text that is shown for it would find another place in the order.
 */

import { QueryError, kindRow } from '../../../schema/index.ts';
import type { Bind, OtherText } from '../../compile/dialect.ts';
import { type OtherClass, otherClass, otherText } from '../../compile/order/other-class.ts';
import type { PhysicalColumn } from '../../compile/physical.ts';

/** Whether `text`, which is shown for a value of a driver, finds the value again. */
type IsOfKind = (value: unknown, text: string) => boolean;

/** Text that SQLite takes for a number in a column that prefers numbers. */
const numeric = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const whole = /^-?\d+$/;
/** A number in a position, as `String` writes it. */
const written = /^-?(?:Infinity|\d{1,22}(?:\.\d{1,30})?(?:e[+-]\d{1,3})?)$/;
const hexadecimal = /^(?:[0-9a-f]{2})*$/;

const isBigint = (text: string): boolean => kindRow('bigint').coerce(text) !== undefined;

/** Some drivers return whole numbers as bigints. */
const isNumber: IsOfKind = (value) =>
  typeof value === 'number' ||
  (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) ||
  (typeof value === 'string' && numeric.test(value));

/** A double as a number or text. A whole number as text is quoted because a double may not hold it. */
const isDouble: IsOfKind = (value) =>
  isNumber(value, '') && !(typeof value === 'string' && whole.test(value));

/** Some drivers return truth values as such, and typed rows contain them as text. */
const isWhole: IsOfKind = (value) =>
  Number.isSafeInteger(typeof value === 'bigint' ? Number(value) : value) ||
  typeof value === 'boolean' ||
  value === '0' ||
  value === '1';

/** Statements return 64-bit integers as text. */
const isWholeText: IsOfKind = (value) =>
  Number.isSafeInteger(value) || (typeof value === 'string' && isBigint(value));

const isInstant =
  (bind: Bind): IsOfKind =>
  (value, text) => {
    const canonical = kindRow('datetime').coerce(text);
    return canonical !== undefined && bind(canonical) === value;
  };

function isOfKind(column: PhysicalColumn, bind: () => Bind): IsOfKind {
  const { kind, storage } = column;
  const { coerce, present } = kindRow(kind);
  if (kind === 'bigint') return isWholeText;
  if (kind === 'integer' || kind === 'boolean') return isWhole;
  if (kind === 'float') return isDouble;
  if (kind === 'datetime') return isInstant(bind());
  if (kind === 'json' || kind === 'binary' || kind === 'opaque') return () => true;
  if (kind === 'uuid' && storage === 'uuid-bytes') {
    return (value) => value instanceof Uint8Array && value.length === 16;
  }
  if (kind === 'decimal' && storage !== 'numeric-text') {
    // Clients return decimals as text, and statements those that a double may not hold.
    return (value, text) =>
      isNumber(value, text) &&
      coerce(text) !== undefined &&
      (typeof value === 'number' || present(Number(text)) === text);
  }
  return (value) => typeof value === 'string' && coerce(value) === value;
}

function numberText(text: string): string {
  return whole.test(text) && isBigint(text)
    ? otherText('i', text)
    : otherText('r', String(Number(text)));
}

/** The text of a value with its class; `isText` tells whether texts of numbers are texts. */
function textOf(value: unknown, isText: boolean): string {
  if (typeof value === 'number') return otherText('r', String(value));
  if (typeof value === 'bigint') return otherText('i', String(value));
  if (value instanceof Uint8Array) return otherText('b', Buffer.from(value).toString('hex'));
  if (value instanceof ArrayBuffer) return otherText('b', Buffer.from(value).toString('hex'));
  const text = String(value);
  return !isText && numeric.test(text) ? numberText(text) : otherText('t', text);
}

const numbers: ReadonlySet<string> = new Set(['integer', 'bigint', 'boolean', 'float', 'decimal']);

/** Whether a driver may have rounded a whole number: a double holds its neighbours only. */
const isRounded = (value: unknown): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) <= 2 ** 63;

/** Whether a client has made an object of a value of the kind, such as a date or a decimal. */
const isConverted = (value: unknown): boolean =>
  typeof value === 'object' && !(value instanceof Uint8Array || value instanceof ArrayBuffer);

/** See `Dialect.otherText`. */
export function otherTextOf(column: PhysicalColumn, bind: () => Bind): OtherText {
  const { kind, path, storage, member } = column;
  const { coerce, present } = kindRow(kind);
  const isUsual = isOfKind(column, bind);
  const isText = !numbers.has(kind) || storage === 'numeric-text';
  const isDoubles = kind === 'float' || (kind === 'decimal' && member !== undefined);
  return (value, text) => {
    if (!isDoubles && isRounded(value)) throw tooWide(path);
    if (isUsual(value, text) || isConverted(value)) return undefined;
    if (kind === 'decimal' && isDouble(value, text)) {
      // Versions of SQLite quote one double with 15 to 21 digits.
      const shown = String(present(Number(value)));
      if (!isText && coerce(shown) !== undefined) return shown;
    }
    return textOf(value, isText);
  };
}

/** A walk from a rounded number would skip rows or never end. */
const tooWide = (path: string): QueryError =>
  new QueryError(
    'CAPABILITY_UNAVAILABLE',
    `"${path}": a page cannot begin at a whole number beyond 2^53, which drivers round; declare the column as bigint.`,
    { path },
  );

/** The value of a text with its class, as drivers bind it; `undefined` for all other texts. */
export function boundOther(value: string): unknown {
  const { of, text = '' } = otherClass(value) ?? {};
  if (of === 'b') return Buffer.from(text, 'hex');
  if (of !== 'r') return of && text;
  // The text of infinity is converted by the affinity of the column.
  return text.includes('Infinity') ? text.replace('Infinity', '9e999') : Number(text);
}

const forms: Readonly<Record<OtherClass, (text: string) => boolean>> = {
  t: (text) => text.isWellFormed(),
  i: isBigint,
  r: (text) => written.test(text),
  b: (text) => hexadecimal.test(text),
};

/** Whether a text of a cursor, which clients can forge, is a value with its class. */
export function isOther(value: string): boolean {
  const found = otherClass(value);
  return found !== undefined && forms[found.of](found.text);
}
