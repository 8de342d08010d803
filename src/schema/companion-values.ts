/**
 * Values of companion columns: folded texts, as search terms and values of `ilike` are folded, and order keys, strings whose
 * code-point order is the same total order of a field in every family.
 */

import { coerceBoolean, decimalToText, kindRow } from './kinds/index.ts';
import { QueryError } from './query-error.ts';
import type { FieldDescriptor, FieldKind } from './types.ts';

/** The letter that folding replaces; no folded text contains it. */
export const finalSigma = 'ς';

/**
 * Folds text for case-insensitive comparison: Unicode NFC, then `String.prototype.toLowerCase`, a final sigma to `σ`,
 * then NFC again.
 * Accents are kept: `É` folds to `é`, never to `e`. The result does not depend on the locale of the process.
 * An application stores it in the `foldedField` of a field on every write.
 *
 * The second NFC makes folding idempotent, `foldText(foldText(x)) === foldText(x)`: some letters have a composed
 * form only in lower case (`J` + caron becomes `j` + caron, which composes to `ǰ`).
 *
 * Consequences of Unicode lower-casing:
 * - `Σ` and `ς` become `σ`: the end of a search term is not the end of a word, and `ΟΔΥΣ` is found in `ΟΔΥΣΣΕΥΣ`;
 * - `İ` becomes `i` followed by a combining dot: it contains `i` but does not equal it; `ı` is unchanged;
 * - `ß` is unchanged (it does not equal `ss`), and `ẞ` becomes `ß`.
 */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll(finalSigma, 'σ').normalize('NFC');
}

/** A value in the form in which an application or a driver holds it. */
export type PortableOrderValue = string | number | boolean | bigint;

type KeyOf = (field: FieldDescriptor, value: PortableOrderValue) => string | undefined;

/** Fixed width, so that stored keys remain valid when members are appended to an enum. */
const enumDigits = 5;
/** Most digits before the point; the key of a decimal stores their number in two digits. */
const maxIntegerDigits = 99;

/** Plain digits, or digits with an exponent as JavaScript and SQLite print a double. */
const numberForm = /^-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3})?$/i;
const decimalForm = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

const byKind: { readonly [kind in FieldKind]?: KeyOf } = {
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
  // Without the `Z`, which would sort after the digits of a longer fraction.
  datetime: (field, value) => canonical(field, value)?.slice(0, -1),
};

/** The canonical value of the kind, as text. */
function canonical(field: FieldDescriptor, value: PortableOrderValue): string | undefined {
  return kindRow(field.kind).coerce(String(value))?.toString();
}

/**
 * The string that an application stores in the `portableOrderField` of `field` on every write. Keys compared byte by
 * byte have the order of their values: `uuid` by lower-case text, `enum` by the position of the declared member,
 * numbers by value (`-0` equals `0`), text by code point, `false` before `true`, dates and instants by time.
 * A `datetime` value must end with `Z` or an offset.
 *
 * @throws {QueryError} FILTER_VALUE_INVALID when the value does not fit the kind, for example when it is not a member
 * of the enum.
 * @throws {QueryError} CAPABILITY_UNAVAILABLE when the kind is `json` or `binary`, which have no order.
 */
export function portableOrderKey(field: FieldDescriptor, value: PortableOrderValue): string {
  const keyOf = byKind[field.kind];
  if (!keyOf) {
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

/** The digits of `value + bias`, zero-padded: negative values come first. */
function biased(value: string | undefined, bias: bigint, digits: number): string | undefined {
  return value === undefined ? undefined : String(BigInt(value) + bias).padStart(digits, '0');
}

/**
 * Sign, number of digits before the point, these digits, the fraction. For negative values each digit is
 * complemented and the key ends with `~`, which sorts after every digit: of two keys with a common prefix, the one
 * with the longer magnitude comes first.
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
