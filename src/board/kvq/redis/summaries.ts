/** Reads a page of jobs of a Redis queue in brief: one script, which sends the beginning of long parts. */

import { briefBytes, reasonBytes } from '../model/job-summary.ts';
import type { SummaryPage, SummaryQuery, SummaryRecord } from '../model/job-summary.ts';
import { InvalidPosition } from '../model/search-criteria.ts';
import { keyOfStatus } from '../model/status.ts';
import { hashFields, jobFromHash } from './job-hash.ts';
import { fieldsFunction } from './jobs.ts';
import { defineScript } from './connect/script.ts';

/**
 * `ARGV`: jobs to pass over, jobs to read, the id and score of the job after which to begin, maximum bytes, `1` with
 * data, `1` with every part, then keys of states. Returns for each the number of jobs, the last position with its id
 * and score, and the jobs.
 */
export const summariesScript = defineScript(`
${fieldsFunction}
local call, base = redis.call, KEYS[1]
local from, most, anchor, level = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
left = tonumber(ARGV[5])
local withdata, whole = ARGV[6] == '1', ARGV[7] == '1'
local names = {'name', 'timestamp', 'processedOn', 'finishedOn', 'attemptsMade', 'atm', 'delay', 'priority'}

local function brief(fields, key, name, bytes)
  local size = call('HSTRLEN', key, name)
  if size == 0 or size > left then return end
  left = left - size
  fields[#fields + 1] = name
  fields[#fields + 1] = string.sub(call('HGET', key, name), 1, bytes)
end

local function summaryof(key)
  if whole then return fieldsof(key) end
  local values, fields = call('HMGET', key, unpack(names)), {}
  for i = 1, #names do
    if values[i] then
      fields[#fields + 1] = names[i]
      fields[#fields + 1] = values[i]
    end
  end
  if #fields == 0 then return fields end
  if call('HSTRLEN', key, 'progress') < 64 then brief(fields, key, 'progress', 64) end
  brief(fields, key, 'failedReason', ${reasonBytes})
  if withdata then brief(fields, key, 'data', ${briefBytes}) end
  return fields
end

local pages = {}
for i = 8, #ARGV do
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
  for j = 1, #ids do
    local fields = marked(summaryof(base .. ids[j]), base .. ids[j], state)
    if #fields > 0 then jobs[#jobs + 1] = {ids[j], fields} end
  end
  local last, score = ids[#ids] or '', ''
  local isset = state ~= 'wait' and state ~= 'paused' and state ~= 'active'
  if last ~= '' and isset then score = call('ZSCORE', key, last) end
  pages[#pages + 1] = {total, start + #ids, last, score, jobs}
end
return pages
`);

/** A position: the number of jobs before it, and the job before it with its score. */
type Position = readonly [from: number, id: string, score: string];

function positionOf(after: string): Position {
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
  return [Number(from), id, score];
}

/** Arguments of {@link summariesScript}. */
export function summariesArguments(query: SummaryQuery): (string | number)[] {
  const { statuses, start, limit, after, maxBytes, withData, whole } = query;
  const [from, id, score] = after === null ? [start, '', ''] : positionOf(after);
  const flags = [withData ? 1 : 0, whole ? 1 : 0];
  return [from, limit, id, score, maxBytes, ...flags, ...statuses.map(keyOfStatus)];
}

/** Parses the pages that {@link summariesScript} returned. */
export function parseSummaries({ statuses, whole }: SummaryQuery, value: unknown): SummaryPage[] {
  const pages: unknown[] = Array.isArray(value) ? value : [];
  return statuses.map((status, index) => {
    const page: unknown = pages[index];
    const [total, end, last, score, entries]: unknown[] = Array.isArray(page) ? page : [];
    const rows: unknown[] = Array.isArray(entries) ? entries : [];
    const jobs = rows.flatMap((row): SummaryRecord[] => {
      const [id, pairs]: unknown[] = Array.isArray(row) ? row : [];
      const fields = hashFields(pairs);
      const data = fields.get('data') ?? null;
      // A beginning is not JSON.
      if (!whole) fields.delete('data');
      const job = jobFromHash(String(id), fields);
      return job ? [{ job, data: whole ? null : data }] : [];
    });
    const position = [Number(end), String(last), String(score ?? '')];
    const more = Number(end) < Number(total) && last !== '';
    return {
      status,
      total: Number(total) || 0,
      jobs,
      next: more ? JSON.stringify(position) : null,
    };
  });
}
