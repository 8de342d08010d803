/** Opaque kinds: `json` and `binary` are shown, never compared. */

import type { KindRow } from './kind.ts';

/**
 * Keys in code-unit order at every depth: some families keep the written order of an object's keys and
 * some sort them their own way, and the answer is to be the same bytes.
 */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sortKeys(member)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function toBase64(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value);
  let bytes = '';
  for (const byte of value) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

export const jsonKind: KindRow = {
  kind: 'json',
  order: 'none',
  textual: false,
  accepts: 'nothing',
  coerce: () => undefined,
  present: sortKeys,
};

export const binaryKind: KindRow = {
  kind: 'binary',
  order: 'none',
  textual: false,
  accepts: 'nothing',
  coerce: () => undefined,
  present: toBase64,
};
