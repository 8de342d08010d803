/** Textual kinds: `string`, `uuid`, `enum`. */

import type { KindRow } from './kind.ts';

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether every family can store and compare the text: it has no NUL and no unpaired surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function storable(text: string): string | undefined {
  return isStorableText(text) ? text : undefined;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}

export const stringKind = {
  kind: 'string',
  order: 'total',
  textual: true,
  accepts: 'text without NUL characters and unpaired surrogates',
  coerce: storable,
  present: asText,
} as const satisfies KindRow;

export const uuidKind = {
  kind: 'uuid',
  order: 'companion',
  textual: true,
  accepts: 'a UUID as 8-4-4-4-12 hexadecimal digits',
  coerce: (text) => (uuidText.test(text) ? text.toLowerCase() : undefined),
  present: (value) => asText(value).toLowerCase(),
} as const satisfies KindRow;

export const enumKind = {
  kind: 'enum',
  order: 'companion',
  textual: true,
  accepts: 'one of the declared members',
  coerce: storable,
  present: asText,
} as const satisfies KindRow;
