/** Opaque kinds: `json` and `binary` are shown, never compared. */

import type { KindRow } from './kind.ts';

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A copy of one level. */
function copyOf(value: object): object {
  if (Array.isArray(value)) return [...value];
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Keys in code-unit order at every depth: some families keep the written order of an object's keys and
 * some sort them their own way, and the answer is to be the same bytes. Without recursion, since databases keep
 * values that are nested deeper than a stack is.
 */
function sortKeys(value: unknown): unknown {
  if (!isNested(value)) return value;
  const sorted = copyOf(value);
  const waiting = [sorted];
  for (let level = waiting.pop(); level; level = waiting.pop()) {
    for (const [key, member] of Object.entries(level)) {
      if (!isNested(member)) continue;
      const copy = copyOf(member);
      Reflect.set(level, key, copy);
      waiting.push(copy);
    }
  }
  return sorted;
}

function toBase64(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value);
  let bytes = '';
  for (const byte of value) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

export const jsonKind = {
  kind: 'json',
  order: 'none',
  textual: false,
  accepts: 'nothing',
  coerce: () => undefined,
  present: sortKeys,
} as const satisfies KindRow;

export const binaryKind = {
  kind: 'binary',
  order: 'none',
  textual: false,
  accepts: 'nothing',
  coerce: () => undefined,
  present: toBase64,
} as const satisfies KindRow;
