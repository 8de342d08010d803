/** Kind `boolean`, and the coercion that `isNull` and `paginate` share with it. */

import type { KindRow } from './kind.ts';

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
