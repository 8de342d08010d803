/** Converts the default job options of a queue to the contract; options of unexpected types are omitted. */

import * as z from 'zod';
import { resources } from '../../contract/index.ts';
import type { QueueDefaultJobOptions } from '../model/types.ts';

const known: Readonly<Record<string, z.core.$ZodType | undefined>> =
  resources.QueueDefaultJobOptions.shape;

/** The value after a JSON round trip; `undefined` when it has no JSON. */
function asJson(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The library handles options of other types than in the contract; they are not shown. */
export function presentDefaultOptions(
  options: Readonly<Record<string, unknown>>,
): QueueDefaultJobOptions {
  const shown = Object.entries(options).flatMap(([name, given]) => {
    const value = asJson(given);
    if (value === undefined) return [];
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    return !schema || z.safeParse(schema, value).success ? [[name, value] as const] : [];
  });
  return Object.fromEntries(shown);
}
