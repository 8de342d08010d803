/** Presents arrays that are stored as JSON: each member in the form of its kind, null where it does not fit the kind. */

import { type ItemKind, decimalToText, kindRow } from '../../schema/index.ts';
import { hasTextForm } from '../compile/values/json-member.ts';

/** A number as JSON writes it: a double would round some. */
class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const keepDigits = (_key: string, value: unknown, context?: { readonly source?: string }) =>
  typeof value === 'number' ? new Digits(context?.source ?? String(value)) : value;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, keepDigits) as unknown;
  } catch {
    return null;
  }
}

/** The number in plain digits; `undefined` for one with an exponent beyond every kind, and for all else. */
function plainDigits(member: unknown): string | undefined {
  const text = member instanceof Digits ? member.text : member;
  if (typeof text !== 'number' && !(member instanceof Digits)) return undefined;
  return /e[+-]?\d{3}/i.test(String(text)) ? undefined : decimalToText(text);
}

/** A member in the canonical form of a kind; `null` where it does not fit. */
function fitting(kind: ItemKind, member: unknown): unknown {
  if (kind === 'boolean') return typeof member === 'boolean' ? member : null;
  const { coerce } = kindRow(kind);
  if (kind === 'integer' || kind === 'bigint' || kind === 'decimal') {
    const digits = plainDigits(member);
    return digits === undefined ? null : (coerce(digits) ?? null);
  }
  if (typeof member !== 'string') return null;
  return (kind === 'date' || kind === 'datetime') && !hasTextForm(kind, member) ? null : member;
}

/** The presenter of arrays whose members are of a kind. Clients may have parsed the JSON. */
export const presentJsonArray =
  (items: ItemKind) =>
  (value: unknown): unknown => {
    const array = typeof value === 'string' ? parsed(value) : value;
    return Array.isArray(array) ? array.map((member) => fitting(items, member)) : null;
  };
