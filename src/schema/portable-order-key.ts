/** Texts whose code-point order is the portable total order of a field: what an order column holds. */

import { QueryError } from './query-error.ts';
import type { FieldDescriptor, FieldKind } from './types.ts';

/** A value as an application or a driver has it. */
export type PortableOrderValue = string | number | boolean | bigint;

type KeyOf = (field: FieldDescriptor, value: PortableOrderValue) => string | null;

/** Fixed, so that members added at the end of an enum leave the stored keys valid. */
const enumDigits = 5;
/** Most digits before the point: what the two-digit length in a decimal's key can say. */
const maxIntegerDigits = 99;

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const wholeForm = /^-?\d{1,20}$/;
const decimalForm = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;
const dateForm = /^(\d{4})-(\d\d)-(\d\d)$/;
const datetimeForm =
  /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

const byKind: { readonly [kind in FieldKind]: KeyOf | null } = {
  string: (_field, value) => (typeof value === 'string' ? value : null),
  uuid: (_field, value) => {
    const text = String(value).toLowerCase();
    return uuidForm.test(text) ? text : null;
  },
  enum: (field, value) => {
    const position = typeof value === 'string' ? (field.enumValues ?? []).indexOf(value) : -1;
    return position < 0 ? null : String(position).padStart(enumDigits, '0');
  },
  integer: (_field, value) => biased(value, 2n ** 31n, 10),
  bigint: (_field, value) => biased(value, 2n ** 63n, 20),
  decimal: (_field, value) => decimalKey(value),
  boolean: (_field, value) => {
    const text = String(value);
    return text === 'true' || text === '1' ? '1' : text === 'false' || text === '0' ? '0' : null;
  },
  date: (_field, value) => (typeof value === 'string' && isDay(value) ? value : null),
  datetime: (_field, value) => (typeof value === 'string' ? instantKey(value) : null),
  json: null,
  binary: null,
};

/**
 * The text an application writes into the `portableOrderField` of `field` (`spec/3`, "Folded and order
 * columns"). Compared byte by byte, keys order as their values do: `uuid` by its lower-case text,
 * `enum` by the declared position of the member, numbers by value (`-0` is `0`), text by code point,
 * `false` before `true`, dates and instants by time. A datetime carries `Z` or an offset.
 *
 * @throws QueryError `FILTER_VALUE_INVALID` when the value does not fit the kind (a text that is no
 * member of the enum, say), `CAPABILITY_UNAVAILABLE` for `json` and `binary`, which have no order.
 * Both name the path, never the value.
 */
export function portableOrderKey(field: FieldDescriptor, value: PortableOrderValue): string {
  const keyOf = byKind[field.kind];
  if (keyOf === null) {
    throw new QueryError(
      'CAPABILITY_UNAVAILABLE',
      `The field "${field.path}" of kind ${field.kind} has no order.`,
      { path: field.path, kind: field.kind },
    );
  }
  const key = keyOf(field, value);
  if (key === null) {
    throw new QueryError(
      'FILTER_VALUE_INVALID',
      `The value for "${field.path}" is not a valid ${field.kind}.`,
      { path: field.path, kind: field.kind },
    );
  }
  return key;
}

/** Digits of `value + bias`, padded; `null` outside `-bias` to `bias - 1`. */
function biased(value: PortableOrderValue, bias: bigint, digits: number): string | null {
  if (typeof value === 'boolean' || !wholeForm.test(String(value))) return null;
  const shifted = BigInt(value) + bias;
  return shifted < 0n || shifted >= 2n * bias ? null : String(shifted).padStart(digits, '0');
}

/**
 * Sign, number of digits before the point, those digits, the fraction. Below zero each digit is
 * complemented, and a mark above every digit ends the text, so that the longer of two magnitudes that
 * agree as far as the shorter goes comes first.
 */
function decimalKey(value: PortableOrderValue): string | null {
  const parts = typeof value === 'boolean' ? null : decimalForm.exec(String(value));
  if (parts === null) return null;
  const [, sign, digits, decimals = '', exponent] = parts;
  // Only a JavaScript number carries an exponent; as text it is not part of the grammar.
  if (exponent !== undefined && typeof value !== 'number') return null;
  const point = (digits ?? '').length + Number(exponent ?? 0);
  const all = '0'.repeat(Math.max(0, -point)) + (digits ?? '') + decimals;
  const start = Math.max(0, point);
  const whole = all.slice(0, start).padEnd(start, '0').replace(/^0+/, '');
  const fraction = all.slice(start).replace(/0+$/, '');
  if (whole.length > maxIntegerDigits) return null;
  const magnitude = String(whole.length).padStart(2, '0') + whole + fraction;
  const negative = sign === '-' && whole + fraction !== '';
  return negative
    ? `0${magnitude.replace(/\d/g, (digit) => String(9 - Number(digit)))}~`
    : `1${magnitude}`;
}

/** Whether the text is a day of the calendar in the years 0001 to 9999. */
function isDay(text: string): boolean {
  const parts = dateForm.exec(text);
  if (parts === null || parts[1] === '0000') return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** The instant in UTC without its `Z`, fraction as precise as given but without trailing zeros. */
function instantKey(text: string): string | null {
  const parts = datetimeForm.exec(text);
  if (parts === null) return null;
  const [, day = '', hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = parts;
  const inRange = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  const offsetInRange = Number(offsetHour ?? 0) < 24 && Number(offsetMinute ?? 0) < 60;
  if (!isDay(day) || !inRange || !offsetInRange) return null;
  const offset = Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0);
  const local = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  const utc = new Date(local - (sign === '-' ? -offset : offset) * 60_000).toISOString();
  // Beyond the year 9999 the form grows a sign and two digits, which would no longer order as text.
  if (!/^\d{4}-/.test(utc) || utc.startsWith('0000')) return null;
  const trimmed = fraction.replace(/0+$/, '');
  return utc.slice(0, 19) + (trimmed === '' ? '' : `.${trimmed}`);
}
