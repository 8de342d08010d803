/**
 * Numeric kinds: `integer` (32 bits), `bigint` (64 bits), `decimal` (65 digits, at most 30 after the point), `float`
 * (binary floating point, whose equality depends on how a value was computed and stored). And the kind `boolean`.
 */

import type { KindRow } from './kind.ts';

const integerText = /^-?(?:0|[1-9][0-9]*)$/;
const decimalText = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

const floatText = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/;

const minInteger = -2_147_483_648;
const minBigint = '9223372036854775808';
const maxDecimalDigits = 65;
const maxFractionDigits = 30;

function integerUpTo(most: number): (text: string) => number | undefined {
  return (text) => {
    if (text.length > 11 || !integerText.test(text)) return undefined;
    const value = Number(text);
    if (value > most || value < minInteger) return undefined;
    return value === 0 ? 0 : value;
  };
}

function bigintUpTo(most: string): (text: string) => string | undefined {
  return (text) => {
    if (text.length > 20 || !integerText.test(text)) return undefined;
    const negative = text.charCodeAt(0) === 45;
    const digits = negative ? text.slice(1) : text;
    if (digits === '0') return '0';
    const limit = negative ? minBigint : most;
    // Digit strings of equal length compare like numbers.
    const isBeyond = digits.length === limit.length ? digits > limit : digits.length > limit.length;
    return isBeyond ? undefined : text;
  };
}

function coerceDecimal(text: string): string | undefined {
  if (text.length > maxDecimalDigits + 2 || !decimalText.test(text)) return undefined;
  const dot = text.indexOf('.');
  const sign = text.charCodeAt(0) === 45 ? 1 : 0;
  const fraction = dot < 0 ? 0 : text.length - dot - 1;
  const digits = text.length - sign - (dot < 0 ? 0 : 1);
  if (fraction > maxFractionDigits || digits > maxDecimalDigits) return undefined;
  return trimDecimal(text);
}

function coerceFloat(text: string): number | undefined {
  if (text.length > 400 || !floatText.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value;
}

/** A number that JSON cannot contain, such as a stored `NaN` or `Infinity`, is shown as null. */
function presentFloat(value: unknown): number | null {
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Removes trailing zeros of the fraction, a trailing point, and the sign of zero. */
function trimDecimal(text: string): string {
  let end = text.length;
  if (text.includes('.')) {
    while (text.charCodeAt(end - 1) === 48) end -= 1;
    if (text.charCodeAt(end - 1) === 46) end -= 1;
  }
  const trimmed = end === text.length ? text : text.slice(0, end);
  return trimmed === '-0' ? '0' : trimmed;
}

/** Expands exponents such as `1.5e+20` and `1e-7`, as SQLite and JavaScript print them, to plain digits. */
function expandExponent(text: string): string {
  const at = text.search(/e/i);
  if (at < 0) return text;
  const exponent = Number(text.slice(at + 1));
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = text.slice(negative ? 1 : 0, at).split('.');
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const padded =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : point >= digits.length
        ? digits + '0'.repeat(point - digits.length)
        : `${digits.slice(0, point)}.${digits.slice(point)}`;
  const plain = padded.replace(/^0+(?=[0-9])/, '');
  return negative ? `-${plain}` : plain;
}

/** A driver's decimal (string or number) as plain digits without trailing zeros. */
export function decimalToText(value: unknown): string {
  return trimDecimal(expandExponent(String(value)));
}

export const integerKind = {
  kind: 'integer',
  order: 'total',
  textual: false,
  accepts: 'a whole number of 32 bits without plus sign or leading zeros',
  coerce: integerUpTo(2_147_483_647),
  present: (value) => (typeof value === 'number' ? value : Number(value)),
} as const satisfies KindRow;

export const bigintKind = {
  kind: 'bigint',
  order: 'total',
  textual: false,
  accepts: 'a whole number of 64 bits without plus sign or leading zeros',
  coerce: bigintUpTo('9223372036854775807'),
  present: (value) => (typeof value === 'string' ? value : String(value)),
} as const satisfies KindRow;

/** The kinds of unsigned columns, which hold more; filters by negative numbers remain as they are. */
export const unsignedKinds: { readonly [kind: string]: KindRow } = {
  integer: {
    ...integerKind,
    accepts: 'a whole number up to 4294967295 without plus sign or leading zeros',
    coerce: integerUpTo(4_294_967_295),
  },
  bigint: {
    ...bigintKind,
    accepts: 'a whole number up to 18446744073709551615 without plus sign or leading zeros',
    coerce: bigintUpTo('18446744073709551615'),
  },
};

export const decimalKind = {
  kind: 'decimal',
  order: 'total',
  textual: false,
  accepts: 'a decimal number of at most 65 digits, at most 30 after the point, without exponent',
  coerce: coerceDecimal,
  present: decimalToText,
} as const satisfies KindRow;

export const floatKind = {
  kind: 'float',
  order: 'total',
  textual: false,
  accepts: 'a finite number such as 1.5 or 2e-3',
  coerce: coerceFloat,
  present: presentFloat,
} as const satisfies KindRow;

/** Accepts `true`, `false`, `1` and `0`; `undefined` for any other text. */
export function coerceBoolean(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return undefined;
}

export const booleanKind = {
  kind: 'boolean',
  order: 'total',
  textual: false,
  accepts: 'true, false, 1 or 0',
  coerce: coerceBoolean,
  // Databases without truth values store them as numbers, and take every number but zero for true.
  present: (value) => Math.abs(Number(value)) > 0,
} as const satisfies KindRow;
