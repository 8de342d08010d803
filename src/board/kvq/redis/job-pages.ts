/**
 * Reads pages of jobs in one script, or in several where the jobs are many or large: Redis runs nothing else during a
 * script. The first one fixes the ids of all pages; a job that is removed before it is read is left out.
 */

import type { JobPage, JobRecord } from '../model/job-record.ts';
import type { ReadLimits } from '../model/read-limits.ts';
import { keyOfStatus } from '../model/status.ts';
import type { JobStatus } from '../model/types.ts';
import { hashFields, jobFromHash } from './job-hash.ts';
import { fieldsFunction, limitArguments } from './jobs.ts';
import { defineScript } from './connect/script.ts';
import type { Script } from './connect/script.ts';

/** Jobs of one script, and bytes after which it reads no further job. */
const [mostJobs, mostBytes] = [300, 1_000_000];

/** `ARGV` begins with the bytes left, and `1` without data. A job that is left to the next script is its id alone. */
const reading = `
${fieldsFunction}
local call, base, count = redis.call, KEYS[1], 0
left, slim = tonumber(ARGV[1]), ARGV[2] == '1'
local atfirst = left
local function entryof(id, state)
  if count >= ${mostJobs} or atfirst - left >= ${mostBytes} then return id end
  count = count + 1
  local key = base .. id
  return {id, marked(fieldsof(key), key, state)}
end
`;

/** `ARGV`: the limits, the first and last position, and keys of states. */
const pagesScript = defineScript(`
${reading}
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
`);

/** `ARGV`: the limits, and the key of a state and the id of each job. */
const restScript = defineScript(`
${reading}
local entries = {}
for i = 3, #ARGV, 2 do entries[#entries + 1] = entryof(ARGV[i + 1], ARGV[i]) end
return {left, entries}
`);

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The jobs of the states from one position to another; nothing for a job that no longer exists. */
export async function readPages(
  run: (script: Script, args: readonly (string | number)[]) => Promise<unknown>,
  statuses: readonly JobStatus[],
  start: number,
  end: number,
  limits: ReadLimits,
): Promise<JobPage[]> {
  const [, slim = 0] = limitArguments(limits);
  const keys = statuses.map(keyOfStatus);
  let [left, rows] = listOf(await run(pagesScript, [limits.maxBytes, slim, start, end, ...keys]));
  const pages = keys.map((_key, index) => listOf(listOf(rows)[index]));
  for (;;) {
    const unread = pages.flatMap((entries, page) =>
      entries.flatMap((entry, at) =>
        Array.isArray(entry) ? [] : [{ page, at, id: String(entry) }],
      ),
    );
    if (unread.length === 0) break;
    const jobs = unread.flatMap(({ page, id }) => [keys[page] ?? '', id]);
    [left, rows] = listOf(await run(restScript, [Number(left) || 0, slim, ...jobs]));
    for (const [index, { page, at }] of unread.entries()) {
      pages[page]?.splice(at, 1, listOf(rows)[index] ?? []);
    }
  }
  return statuses.map((status, index) => ({ status, jobs: (pages[index] ?? []).flatMap(jobOf) }));
}

function jobOf(entry: unknown): JobRecord[] {
  const [id, pairs] = listOf(entry);
  const job = jobFromHash(String(id), hashFields(pairs));
  return job ? [job] : [];
}
