/** Small schemas the others are built of: free JSON, counts of whole numbers, parameters out of a query string. */

import * as z from 'zod';

import { isStorableText } from '../../schema/index.ts';

import type { ErrorKey } from './error-keys.ts';
import { translationKey } from './error-keys.ts';

/** Any JSON value; the key must be there. */
export const anyValue = z.unknown().refine((value) => value !== undefined, 'Required');

/** An object of free JSON. */
export const anyObject = z.record(z.string(), z.unknown());

/** Makes a failed check answer with a key of its own instead of the general one. */
export function failsAs(key: ErrorKey): { error: string } {
  return { error: translationKey(key) };
}

/** A whole number in a query string, from `least` to `most`, with what stands for its absence. */
export function integerParam(least: number, most: number, absent: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .default(absent)
    .meta({ type: 'integer', pattern: undefined, minimum: least, maximum: most, default: absent });
}

/** A number in a query string that is brought into its range, and never refused. */
export function lenientIntegerParam(least: number, most: number, absent: number) {
  return z
    .unknown()
    .transform((value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : absent;
      return Number.isInteger(number) ? Math.min(most, Math.max(least, number)) : absent;
    })
    .optional()
    .default(absent)
    .meta({ type: 'integer', minimum: least, maximum: most, default: absent });
}

/** Milliseconds since 1970 as the digits of a query string. */
export function epochParam(key: ErrorKey) {
  return z
    .string(failsAs(key))
    .refine((text) => text.trim() !== '' && Number.isFinite(Number(text)), failsAs(key))
    .transform(Number)
    .meta({ description: 'Milliseconds since 1970-01-01T00:00:00Z.' });
}

/** Text that PostgreSQL can store. */
export const storableText = z.string().refine(isStorableText, 'Not storable');

/** Free JSON whose every name and text PostgreSQL can store. */
export const storableValue = z.unknown().refine(isStorable, 'Not storable');

function isStorable(value: unknown): boolean {
  // Depth cannot exhaust the stack: the parser of the body is the one that met it first.
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const item = pending.pop();
    if (typeof item === 'string' && !isStorableText(item)) return false;
    if (typeof item === 'object' && item !== null) {
      for (const [name, inner] of Object.entries(item)) {
        if (!isStorableText(name)) return false;
        pending.push(inner);
      }
    }
  }
  return true;
}
