/** Basic schemas that others use: arbitrary JSON, counts, query string parameters. */

import * as z from 'zod';

import { isStorableText } from '../../schema/index.ts';

import { type ErrorKey, translationKey } from './error-keys.ts';

/** Any JSON value; the key is required. */
export const anyValue = z.unknown().refine((value) => value !== undefined, 'Required');

/** An object with arbitrary JSON values. */
export const anyObject = z.record(z.string(), z.unknown());

/** Makes a failed validation respond with a specific key instead of the general one. */
export function failsAs(key: ErrorKey): { error: string } {
  return { error: translationKey(key) };
}

/** A whole number in a query string, from `least` to `most`. */
export function wholeParam(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .meta({ type: 'integer', pattern: undefined, minimum: least, maximum: most });
}

/** A whole number in a query string, from `least` to `most`, with a default. */
export function integerParam(least: number, most: number, absent: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .default(absent)
    .meta({ type: 'integer', pattern: undefined, minimum: least, maximum: most, default: absent });
}

/** A number in a query string that is clamped to its range instead of refused. */
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

/** A parameter that is `1` or `true`, or absent. */
const flag = z
  .enum(['1', '0', 'true', 'false'])
  .default('0')
  .transform((value) => value === '1' || value === 'true')
  .meta({ type: 'boolean', enum: undefined, default: false });

/** `brief=1`: a list has the beginnings of the data of its jobs and of the reasons of their failures. */
export const briefParam = { brief: flag };

/** Columns of a list, and members that each of them passes. */
const [maxColumns, maxColumnSteps] = [8, 32];

/** Paths of fields, separated by commas, of which a list has the value of each job. */
export const columnsParam = {
  columns: z
    .string()
    .max(1_000)
    .refine(isStorableText)
    .transform((text) => text.split(',').map((path) => path.split('.')))
    .pipe(z.array(z.array(z.string().min(1)).max(maxColumnSteps)).max(maxColumns))
    .optional()
    .meta({ type: 'string', items: undefined, maxItems: undefined }),
};

/** A filter of jobs as text. */
export const whereParam = { where: z.string().max(2_000).refine(isStorableText).optional() };

/** The values of the columns that were asked for, in their order. */
export const columnsMember = { columns: z.array(z.string().nullable()).optional() };

/** `raw=1`: values are JSON texts as well in an answer, and instead in a body, so that numbers keep every digit. */
export const rawParam = { raw: flag };

/** The last moment of a date, in milliseconds since 1970. */
export const lastMoment = 8.64e15;

/** Milliseconds since 1970 as digits in a query string; without a key, the error names the parameter. */
export function epochParam(key?: ErrorKey) {
  const fails = key && failsAs(key);
  return z
    .string(fails)
    .refine((text) => text.trim() !== '' && Number.isFinite(Number(text)), fails)
    .transform(Number)
    .meta({ description: 'Milliseconds since 1970-01-01T00:00:00Z.' });
}

/** A string that PostgreSQL can store. */
export const storableText = z.string().refine(isStorableText, 'Not storable');

/** Maximum bytes of a name or key that PostgreSQL stores in an index together with another; an entry has 2704. */
const maxKeyBytes = 1_024;

/**
 * A version that the client has seen. One that PostgreSQL cannot store is not the version of anything, and becomes the empty
 * text, which is not one either.
 */
export const seenVersion = z
  .string()
  .max(100)
  .transform((text) => (isStorableText(text) ? text : ''));

/** A name or key that PostgreSQL can store in an index. */
export const storableKey = storableText.refine(
  (text) => Buffer.byteLength(text) <= maxKeyBytes,
  'Too long',
);

/** Arbitrary JSON whose names and strings PostgreSQL can store. */
export const storableValue = z.unknown().refine(isStorable, 'Not storable');

function isStorable(value: unknown): boolean {
  // Recursion is safe here, because the body parser has limited the depth.
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
