/** JSON Schema keywords for types, constants, numbers and strings. */

import * as z from 'zod';
import type { Check, Keyword } from './types.ts';
import { canonical, here, isObject, patternOf } from './types.ts';

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  object: isObject,
  array: Array.isArray,
};

const type: Keyword = (holds) => {
  const tests = [holds].flat().map((name) => {
    const test = typeof name === 'string' && Object.hasOwn(types, name) ? types[name] : undefined;
    if (!test) throw new Error('Unknown type');
    return test;
  });
  return (value) => (tests.some((test) => test(value)) ? null : here);
};

const oneOfValues: Keyword = (holds) => {
  const values = new Set((Array.isArray(holds) ? holds : []).map(canonical));
  return (value) => (values.has(canonical(value)) ? null : here);
};

/** A constraint on numbers; other values are valid. */
function ofNumbers(holds: (value: number, limit: number) => boolean): Keyword {
  return (limit) => {
    // Draft 4 writes `exclusiveMinimum: true` beside the minimum.
    if (typeof limit === 'boolean') return () => null;
    const bound = Number(limit);
    return (value) => (typeof value !== 'number' || holds(value, bound) ? null : here);
  };
}

/** A constraint on strings; other values are valid. */
function ofTexts(test: (value: string) => boolean): Check {
  return (value) => (typeof value !== 'string' || test(value) ? null : here);
}

/** Length in code points, not in UTF-16 units. */
const lengthOf = (text: string): number => Array.from(text).length;

/** Formats that are validated; others are annotations only. */
const formats: Readonly<Record<string, z.core.$ZodType>> = {
  email: z.email(),
  uri: z.url(),
  uuid: z.guid(),
  'date-time': z.iso.datetime({ offset: true }),
  date: z.iso.date(),
  ipv4: z.ipv4(),
  ipv6: z.ipv6(),
};

export const scalarKeywords: Readonly<Record<string, Keyword>> = {
  type,
  enum: oneOfValues,
  const: (holds, schema, compile) => oneOfValues([holds], schema, compile),
  minimum: (holds, schema, compile) =>
    (schema['exclusiveMinimum'] === true
      ? ofNumbers((value, limit) => value > limit)
      : ofNumbers((value, limit) => value >= limit))(holds, schema, compile),
  maximum: (holds, schema, compile) =>
    (schema['exclusiveMaximum'] === true
      ? ofNumbers((value, limit) => value < limit)
      : ofNumbers((value, limit) => value <= limit))(holds, schema, compile),
  exclusiveMinimum: ofNumbers((value, limit) => value > limit),
  exclusiveMaximum: ofNumbers((value, limit) => value < limit),
  multipleOf: ofNumbers((value, limit) => Number.isInteger(value / limit)),
  minLength: (least) => ofTexts((text) => lengthOf(text) >= Number(least)),
  maxLength: (most) => ofTexts((text) => lengthOf(text) <= Number(most)),
  pattern: (holds) => {
    const pattern = patternOf(holds);
    return ofTexts((text) => pattern.test(text));
  },
  format: (holds) => {
    const name = String(holds);
    const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
    return ofTexts((text) => !format || z.safeParse(format, text).success);
  },
};
