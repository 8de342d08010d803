/** Texts whose code-point order is the portable total order of a field: what an order column holds. */

import { coerceBoolean, decimalToText, kindRow } from './kinds/index.ts';
import { QueryError } from './query-error.ts';
import type { FieldDescriptor, FieldKind } from './types.ts';

/** A value as an application or a driver has it. */
export type PortableOrderValue = string | number | boolean | bigint;

type KeyOf = (field: FieldDescriptor, value: PortableOrderValue) => string | undefined;

/** Fixed, so that members added at the end of an enum leave the stored keys valid. */
const enumDigits = 5;
/** Most digits before the point: what the two-digit length in a decimal's key can say. */
const maxIntegerDigits = 99;

/** Plain digits, or an exponent as JavaScript and SQLite print it for a double. */
const numberForm = /^-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3})?$/i;
const decimalForm = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

const byKind: { readonly [kind in FieldKind]: KeyOf | null } = {
  string: (_field, value) => (typeof value === 'string' ? value : undefined),
  uuid: canonical,
  enum: (field, value) => {
    const position = typeof value === 'string' ? (field.enumValues ?? []).indexOf(value) : -1;
    return position < 0 ? undefined : String(position).padStart(enumDigits, '0');
  },
  integer: (field, value) => biased(canonical(field, value), 2n ** 31n, 10),
  bigint: (field, value) => biased(canonical(field, value), 2n ** 63n, 20),
  decimal: (_field, value) => decimalKey(String(value)),
  boolean: (_field, value) => {
    const truth = coerceBoolean(String(value));
    return truth === undefined ? undefined : truth ? '1' : '0';
  },
  date: canonical,
  // Without its `Z`, which would sort after the digits of a longer fraction.
  datetime: (field, value) => canonical(field, value)?.slice(0, -1),
  json: null,
  binary: null,
};

/** The kind's canonical value, as text. */
function canonical(field: FieldDescriptor, value: PortableOrderValue): string | undefined {
  return kindRow(field.kind).coerce(String(value))?.toString();
}

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
  if (key === undefined) {
    throw new QueryError(
      'FILTER_VALUE_INVALID',
      `The value for "${field.path}" is not a valid ${field.kind}.`,
      { path: field.path, kind: field.kind },
    );
  }
  return key;
}

/** Digits of `value + bias`, padded, so that negative values come first. */
function biased(value: string | undefined, bias: bigint, digits: number): string | undefined {
  return value === undefined ? undefined : String(BigInt(value) + bias).padStart(digits, '0');
}

/**
 * Sign, number of digits before the point, those digits, the fraction. Below zero each digit is
 * complemented, and a mark above every digit ends the text, so that the longer of two magnitudes that
 * agree as far as the shorter goes comes first.
 */
function decimalKey(text: string): string | undefined {
  const parts = numberForm.test(text) ? decimalForm.exec(decimalToText(text)) : null;
  if (parts === null) return undefined;
  const [, sign, digits = '', decimals = ''] = parts;
  const whole = digits.replace(/^0+/, '');
  const fraction = decimals.replace(/0+$/, '');
  if (whole.length > maxIntegerDigits) return undefined;
  const magnitude = String(whole.length).padStart(2, '0') + whole + fraction;
  if (sign === '' || whole + fraction === '') return `1${magnitude}`;
  return `0${magnitude.replace(/[0-9]/g, (digit) => String(9 - Number(digit)))}~`;
}
