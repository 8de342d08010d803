/** Reads pages of jobs in as few short scripts as their number and size allow. */

import type { JobPage, JobRecord } from '../model/job-record.ts';
import type { ReadLimits } from '../model/read-limits.ts';
import { heavyRead } from '../../core/index.ts';
import { keyOfStatus } from '../model/status.ts';
import type { JobStatus } from '../model/types.ts';
import { hashFields, jobFromHash } from './job-hash.ts';
import { jobsRead, listOf, readRest } from './short-scripts.ts';
import type { RunScript } from './short-scripts.ts';

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
