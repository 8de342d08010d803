/** Converts options of jobs and schedules to the form that every supported version of the library understands. */

import { isDeepStrictEqual } from 'node:util';
import { type PgqScheduleOptions, SendPgqJobOptions } from '../../contract/index.ts';
import { BoardError } from '../../core/index.ts';

/** Times become UTC, because old versions read other strings as intervals. */
export function sendOptions<Options extends { readonly startAfter?: unknown }>(
  options: Options,
): Options {
  const { startAfter } = options;
  if (typeof startAfter !== 'string') return options;
  return { ...options, startAfter: new Date(startAfter).toISOString() };
}

/** The library stores them among the options; the schedule has them as fields. */
const fields: ReadonlySet<string> = new Set(['key', 'tz']);

/** The options of a schedule after an edit: the stored ones, changed by the given ones; `null` removes one. */
export function scheduleOptions(
  stored: Readonly<Record<string, unknown>>,
  {
    options = {},
    missed,
  }: {
    readonly options?: PgqScheduleOptions | undefined;
    readonly missed?: 'skip' | 'once' | undefined;
  },
): object {
  const known = new Set(['missed', ...fields, ...Object.keys(SendPgqJobOptions.shape)]);
  for (const [name, value] of Object.entries(options)) {
    // A schedule may be saved as it was read, also where another version of the library has made it.
    if (known.has(name) || isDeepStrictEqual(value, stored[name])) continue;
    throw new BoardError('INVALID_REQUEST_BODY', {
      code: 'INVALID_REQUEST',
      options: { field: `options.${name}`.slice(0, 100) },
    });
  }
  const merged = { ...stored, ...options, ...(missed !== undefined && { missed }) };
  const kept = Object.entries(merged).filter(
    ([name, value]) => value !== null && !fields.has(name),
  );
  return sendOptions(Object.fromEntries(kept));
}
