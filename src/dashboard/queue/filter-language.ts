/** The parameters of the search that the filter line of a queue asks for. */

import { languageOf } from '../../board/filters/index.ts';
import { parseFilterText, printFilterText } from '../../client/index.ts';
import type { FilterTextError, TextFilter } from '../../client/index.ts';
import { serverNow } from '../live/server-time.ts';
import { settings } from '../settings.ts';
import type { View } from '../view.ts';

export interface JobSearch {
  readonly query: Readonly<Record<string, string>>;
}

export type ReadFilter =
  | { readonly search: JobSearch | undefined; readonly error?: undefined }
  | { readonly search?: undefined; readonly error: FilterTextError };

/** Whether a text has conditions, and not words alone. */
export const isCondition = /[=<>~!]|\b(?:contains|is|in|like)\b|\bbetween\b.+\band\b/i;

/** Words that tell a time from the moment at which a filter is applied. */
const relative = /\b(?:now|today|\d\d?:\d\d|(?:\d+(?:ms|[smhdw]))+)\b/i;

/** The filter as a part of a view. A link, a reload and Back have the moment at which it was applied. */
export const appliedFilter = (text: string): Pick<View, 'q' | 'asOf' | 'cursor'> => ({
  q: text || undefined,
  asOf: relative.test(text) ? String(serverNow()) : undefined,
  cursor: undefined,
});

let last: { readonly of: string; readonly read: ReadFilter } | undefined;

/** Reads the filter of a view. A time that is told from now stays the same while the line does, for the list and for commands. */
export function readFilter(engine: 'kvq' | 'pgq', { q = '', asOf = '' }: View): ReadFilter {
  const { zone } = settings();
  const of = [engine, zone, asOf, q].join(' ');
  if (last?.of !== of) {
    const moment = /^\d{1,15}$/.test(asOf) ? Number(asOf) : serverNow();
    last = { of, read: readText(engine, q, zone, new Date(moment)) };
  }
  return last.read;
}

/** The id that is all that a filter asks for: such a job is read without a search. */
function onlyId({ id, ...others }: TextFilter): string | undefined {
  const { eq, ...more } = Object(id) as Record<string, unknown>;
  const isAlone = Object.keys({ ...others, ...more }).length === 0;
  return isAlone && typeof eq === 'string' ? eq : undefined;
}

/** Reads a filter line. Words without a condition are looked for in names, or in errors where jobs have no names. */
function readText(
  engine: 'kvq' | 'pgq',
  text: string,
  zone: 'local' | 'utc',
  now: Date,
): ReadFilter {
  const plain = text.trim();
  if (plain === '') return { search: undefined };
  if (!isCondition.test(plain)) {
    return { search: { query: engine === 'kvq' ? { name: plain } : { error: plain } } };
  }
  const utcOffset = zone === 'utc' ? 0 : -now.getTimezoneOffset();
  const language = languageOf(engine, plain);
  const { filter, error } = parseFilterText(language, plain, now, utcOffset);
  if (error) return { error };
  const id = onlyId(filter);
  return {
    search: { query: id === undefined ? { where: printFilterText(language, filter) } : { id } },
  };
}

/** Paths in data that are worth offering: those of the jobs in sight. */
export function pathsIn(samples: readonly (string | undefined)[]): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown, prefix: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 3) return;
    for (const [key, inner] of Object.entries(value)) {
      if (!/^\w+(?:-\w+)*$/.test(key) || found.size > 30) continue;
      if (typeof inner !== 'object' || inner === null) found.add(`${prefix}.${key}`);
      walk(inner, `${prefix}.${key}`, depth + 1);
    }
  };
  for (const sample of samples.slice(0, 20)) {
    try {
      if (sample !== undefined) walk(JSON.parse(sample), 'data', 0);
    } catch {
      // A text that was cut is not JSON.
    }
  }
  return [...found];
}
