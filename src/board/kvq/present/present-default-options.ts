/** Shows the options that jobs of a queue have by default, as far as they are what the contract says. */

import * as z from 'zod';
import { resources } from '../../contract/index.ts';
import type { QueueDefaultJobOptions } from '../model/types.ts';

const known: Readonly<Record<string, z.core.$ZodType | undefined>> =
  resources.QueueDefaultJobOptions.shape;

/** A value as its JSON would be read again; `undefined` where it has none. */
function asJson(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Options of other types than the contract's are the library's to refuse, and not shown. */
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
