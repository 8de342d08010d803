/**
 * Kinds that can be projected but not compared: `json`, `binary`, and `opaque` for every type of column that has no other
 * kind.
 */

import { isObject } from '../../lib/index.ts';
import type { KindRow } from './kind.ts';

/** A shallow copy, with sorted keys if it is an object. */
function copyOf(value: object): object {
  if (Array.isArray(value)) return [...value];
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Sorts the keys of objects by code unit at every depth, because some families keep their written order and some
 * sort them differently. Iterative, because a stored value can be nested deeper than the call stack allows.
 */
function sortKeys(value: unknown): unknown {
  if (!isObject(value)) return value;
  const sorted = copyOf(value);
  const waiting = [sorted];
  for (let level = waiting.pop(); level; level = waiting.pop()) {
    for (const [key, member] of Object.entries(level)) {
      if (!isObject(member)) continue;
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

/** The JSON form of a value of any type, as a driver or an ORM returns it. */
function asJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Uint8Array) return toBase64(value);
  if (Array.isArray(value)) return value.map(asJson);
  const { toJSON } = Object(value) as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value) as unknown) : value;
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

export const opaqueKind = {
  kind: 'opaque',
  order: 'none',
  textual: false,
  accepts: 'nothing',
  coerce: () => undefined,
  present: (value) => sortKeys(asJson(value)),
} as const satisfies KindRow;
