/** Reads a page of jobs of a Redis queue in brief: the beginning of long parts, in as few short scripts as possible. */

import { briefBytes, progressBytes, reasonBytes } from '../model/job-summary.ts';
import type { SummaryPage, SummaryQuery, SummaryRecord } from '../model/job-summary.ts';
import { InvalidPosition } from '../model/search-criteria.ts';
import { keyOfStatus } from '../model/status.ts';
import { hashFields, jobFromHash } from './job-hash.ts';
import { jobsRead, listOf, readRest, type RunScript } from './job-pages.ts';

/** The mode is 1 with data, plus 2 with every part. */
const reader = `
local withdata, whole = ARGV[2] % 2 == 1, ARGV[2] - 2 >= 0
local names = {'name', 'timestamp', 'processedOn', 'finishedOn', 'attemptsMade', 'atm', 'delay', 'priority', 'pb'}
local function brief(fields, key, name, bytes)
  local size = call('HSTRLEN', key, name)
  if size == 0 or size > left then return end
  left = left - size
  fields[#fields + 1] = name
  fields[#fields + 1] = string.sub(call('HGET', key, name), 1, bytes)
end
local function fieldsin(key)
  if whole then return fieldsof(key) end
  local values, fields = call('HMGET', key, unpack(names)), {}
  for i = 1, #names do
    if values[i] then
      fields[#fields + 1] = names[i]
      fields[#fields + 1] = values[i]
    end
  end
  if #fields == 0 then return fields end
  if call('HSTRLEN', key, 'progress') < ${progressBytes} then brief(fields, key, 'progress', ${progressBytes}) end
  brief(fields, key, 'failedReason', ${reasonBytes})
  if withdata then brief(fields, key, 'data', ${briefBytes}) end
  return fields
end
`;

/**
 * `ARGV`: bytes, the mode, jobs to pass over, jobs to read, the id and score of the job after which to begin, then keys of
 * states. Returns the bytes left, and for each state the number of jobs, the last position with its id and score, and the
 * jobs.
 */
const summariesRead = jobsRead(
  reader,
  `
local from, most, anchor, level = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5], ARGV[6]
local pages = {}
for i = 7, #ARGV do
  local state, jobs, start = ARGV[i], {}, from
  local key, ids, total = base .. state, nil, 0
  if state == 'wait' or state == 'paused' or state == 'active' then
    total = call('LLEN', key)
    if anchor ~= '' and call('LINDEX', key, from - 1) ~= anchor then
      local ok, at = pcall(call, 'LPOS', key, anchor)
      if ok and at then start = at + 1 end
    end
    ids = call('LRANGE', key, start, start + most - 1)
  else
    total = call('ZCARD', key)
    if anchor ~= '' then
      if call('ZSCORE', key, anchor) == level then
        start = call('ZREVRANK', key, anchor) + 1
      else
        start = call('ZCOUNT', key, '(' .. level, '+inf')
      end
    end
    ids = call('ZREVRANGE', key, start, start + most - 1)
  end
  for j = 1, #ids do jobs[j] = entryof(ids[j], state) end
  local last, score = ids[#ids] or '', ''
  local isset = state ~= 'wait' and state ~= 'paused' and state ~= 'active'
  if last ~= '' and isset then score = call('ZSCORE', key, last) end
  pages[#pages + 1] = {total, start + #ids, last, score, jobs}
end
return {left, pages}
`,
);

/** The part of the arguments for a page after a position: the number of jobs before it, and the job before it. */
function placeAfter(after: string, limit: number): (string | number)[] {
  let parts: unknown;
  try {
    parts = JSON.parse(after);
  } catch {
    parts = undefined;
  }
  const [from, id, score]: unknown[] = Array.isArray(parts) ? parts : [];
  if (!Number.isSafeInteger(from) || typeof id !== 'string' || typeof score !== 'string') {
    throw new InvalidPosition('The position is not one of a page.');
  }
  return [Number(from), limit, id, score];
}

/** Reads a page of each status; nothing for a job that no longer exists. */
export async function readSummaries(run: RunScript, query: SummaryQuery): Promise<SummaryPage[]> {
  const { statuses, start, limit, after, maxBytes, withData, whole } = query;
  const mode = (withData ? 1 : 0) + (whole ? 2 : 0);
  const keys = statuses.map(keyOfStatus);
  const place = after === null ? [start, limit, '', ''] : placeAfter(after, limit);
  const answer = await run(summariesRead.first, [maxBytes, mode, ...place, ...keys]);
  const [left, rows] = listOf(answer);
  const pages = statuses.map((_status, index) => listOf(listOf(rows)[index]));
  const entries = pages.map((page) => listOf(page[4]));
  await readRest(run, summariesRead, mode, left, keys, entries);
  return statuses.map((status, index) => {
    const [total, end, last, score] = pages[index] ?? [];
    const position = [Number(end), String(last), String(score ?? '')];
    const more = Number(end) < Number(total) && last !== '';
    return {
      status,
      total: Number(total) || 0,
      jobs: (entries[index] ?? []).flatMap((entry) => summaryOf(entry, whole)),
      next: more ? JSON.stringify(position) : null,
    };
  });
}

function summaryOf(entry: unknown, whole: boolean): SummaryRecord[] {
  const [id, pairs] = listOf(entry);
  const fields = hashFields(pairs);
  const data = fields.get('data') ?? null;
  // A beginning is not JSON.
  if (!whole) fields.delete('data');
  const job = jobFromHash(String(id), fields);
  return job ? [{ job, data: whole ? null : data }] : [];
}
