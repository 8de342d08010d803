/**
 * Reads the jobs of pages in one script, or in several where they are many or large: Redis runs nothing else during a
 * script. The first one fixes the ids of all pages; a job that is removed before it is read is left out.
 */

import { fieldsFunction } from './jobs.ts';
import { defineScript, type Script } from './connect/script.ts';
import type { JobPage, JobRecord } from '../model/job-record.ts';
import type { ReadLimits } from '../model/read-limits.ts';
import { heavyRead } from '../../core/index.ts';
import { keyOfStatus } from '../model/status.ts';
import type { JobStatus } from '../model/types.ts';
import { hashFields, jobFromHash } from './job-hash.ts';

/** Jobs of one script, and bytes after which it reads no further job. */
const mostJobs = 100;
export const mostBytes = 128_000;

/** Runs a script on the keys of a queue. */
export type RunScript = (script: Script, args: readonly (string | number)[]) => Promise<unknown>;

/** A read of jobs as scripts, whose `ARGV` begins with the bytes left and the mode. */
export interface JobsRead {
  /** The script that fixes the ids; returns the bytes left and what `listing` returns. */
  readonly first: Script;
  /** Reads jobs by the key of a state and the id of each. */
  readonly rest: Script;
}

/**
 * @param reader Lua that sets the mode from `ARGV[2]`, and defines `fieldsin(key)`, which lowers `left` by the bytes read
 * @param listing Lua that ends with a table, and calls `entryof(id, state)` for each job. An entry is the id with the
 *   fields, or the id alone of a job that is left to the next script
 */
export function jobsRead(reader: string, listing: string): JobsRead {
  const reading = `
${fieldsFunction}
local call, base, count = redis.call, KEYS[1], 0
left = tonumber(ARGV[1])
local atfirst = left
${reader}
local function entryof(id, state)
  if count >= ${mostJobs} or atfirst - left >= ${mostBytes} then return id end
  count = count + 1
  return {id, marked(fieldsin(base .. id), base, id, state)}
end
`;
  return {
    first: defineScript(`${reading}\n${listing}`),
    rest: defineScript(`
${reading}
local entries = {}
for i = 3, #ARGV, 2 do entries[#entries + 1] = entryof(ARGV[i + 1], ARGV[i]) end
return {left, entries}
`),
  };
}

/** A list from Redis. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Reads the jobs whose ids the first script has left, and puts them into the pages. `keys` are the states of the pages. */
export async function readRest(
  run: RunScript,
  { rest }: JobsRead,
  mode: number,
  left: unknown,
  keys: readonly string[],
  pages: readonly unknown[][],
): Promise<void> {
  let bytes = left;
  const unread = pages.flatMap((entries, page) =>
    entries.flatMap((entry, at) => (Array.isArray(entry) ? [] : [{ page, at, id: String(entry) }])),
  );
  while (unread.length > 0) {
    const asked = unread.slice(0, mostJobs).flatMap(({ page, id }) => [keys[page] ?? '', id]);
    const [bytesLeft, entries] = listOf(await run(rest, [Number(bytes) || 0, mode, ...asked]));
    const rows = listOf(entries);
    const cut = rows.findIndex((row) => !Array.isArray(row));
    const read = unread.splice(0, Math.max(1, cut < 0 ? mostJobs : cut));
    for (const [index, { page, at }] of read.entries()) pages[page]?.splice(at, 1, rows[index]);
    bytes = bytesLeft;
  }
}

/** `ARGV`: bytes, `1` without data, the first and last position, and keys of states. */
const pagesRead = jobsRead(
  `
slim = ARGV[2] == '1'
local fieldsin = fieldsof
`,
  `
local pages = {}
for i = 5, #ARGV do
  local state, page = ARGV[i], {}
  local key, ids = base .. state, nil
  if state == 'wait' or state == 'paused' or state == 'active' then
    ids = call('LRANGE', key, ARGV[3], ARGV[4])
  else
    ids = call('ZREVRANGE', key, ARGV[3], ARGV[4])
  end
  for j = 1, #ids do page[j] = entryof(ids[j], state) end
  pages[#pages + 1] = page
end
return {left, pages}
`,
);

/** The jobs of the states from one position to another; nothing for a job that no longer exists. */
export async function readPages(
  run: RunScript,
  statuses: readonly JobStatus[],
  start: number,
  end: number,
  { maxBytes, withData }: ReadLimits,
): Promise<JobPage[]> {
  const mode = withData ? 0 : 1;
  const keys = statuses.map(keyOfStatus);
  const answer = await run(pagesRead.first, [maxBytes, mode, start, end, ...keys]);
  const [left, rows] = listOf(answer);
  const pages = keys.map((_key, index) => listOf(listOf(rows)[index]));
  await readRest(run, pagesRead, mode, left, keys, pages);
  const heavy = heavyRead();
  const read: JobPage[] = [];
  for (const [index, status] of statuses.entries()) {
    const jobs: JobRecord[] = [];
    for (const entry of pages[index] ?? []) {
      jobs.push(...jobOf(entry));
      await heavy?.rest();
    }
    read.push({ status, jobs });
  }
  return read;
}

function jobOf(entry: unknown): JobRecord[] {
  const [id, pairs] = listOf(entry);
  const job = jobFromHash(String(id), hashFields(pairs));
  return job ? [job] : [];
}
