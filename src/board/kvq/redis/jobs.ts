/** Reads jobs of a Redis queue by their ids, each with its state, in one script. */

import type { JobState } from '../model/types.ts';
import { JobState as JobStates } from '../../contract/index.ts';
import type { ReadLimits } from '../model/read-limits.ts';
import type { LocatedJob, VersionedJob } from '../model/store.ts';
import { hashFields, jobFromHash, textsOfHash } from './job-hash.ts';
import { defineScript } from './connect/script.ts';

/**
 * Reads the fields of a job within the bytes `left`, without data and results if `slim`. Names of fields that were left
 * out are in the additional field `sluice:truncated`.
 */
export const fieldsFunction = `
local left, slim = math.huge, false
local large = {'opts', 'progress', 'failedReason', 'stacktrace', 'data', 'returnvalue'}
local function fieldsof(key)
  if left == math.huge and not slim then return redis.call('HGETALL', key) end
  local skipped, names, some = {}, {}, false
  for i = 1, #large do
    local size = redis.call('HSTRLEN', key, large[i])
    if size > 0 and (size > left or slim and i > 4) then
      skipped[large[i]], some = true, true
      names[#names + 1] = large[i]
    else
      left = left - size
    end
  end
  if not some then return redis.call('HGETALL', key) end
  local fields, kept = {'sluice:truncated', table.concat(names, ',')}, {}
  for _, name in ipairs(redis.call('HKEYS', key)) do
    if not skipped[name] then kept[#kept + 1] = name end
  end
  local values = redis.call('HMGET', key, unpack(kept))
  for i = 1, #kept do
    fields[#fields + 1] = kept[i]
    fields[#fields + 1] = values[i]
  end
  return fields
end
-- Marks an active job whose worker is gone, and a delayed one with its position.
local function marked(fields, base, id, state)
  if #fields == 0 then return fields end
  if state == 'active' and redis.call('EXISTS', base .. id .. ':lock') == 0 then
    fields[#fields + 1] = 'sluice:orphaned'
    fields[#fields + 1] = '1'
  elseif state == 'delayed' then
    fields[#fields + 1] = 'sluice:due'
    fields[#fields + 1] = redis.call('ZSCORE', base .. state, id) or ''
  end
  return fields
end
`;

/** Finds the state of a job. Redis before 6.0.6 has no `LPOS`, so there the whole list is read. */
export const stateFunction = `
local function inlist(key, id)
  local ok, position = pcall(redis.call, 'LPOS', key, id)
  if ok then return position end
  local items = redis.call('LRANGE', key, 0, -1)
  for i = 1, #items do if items[i] == id then return i end end
  return false
end
local function stateof(base, id, paused)
  local call = redis.call
  if call('ZSCORE', base .. 'completed', id) then return 'completed' end
  if call('ZSCORE', base .. 'failed', id) then return 'failed' end
  if call('ZSCORE', base .. 'delayed', id) then return 'delayed' end
  if paused == 'waiting' and call('ZSCORE', base .. 'prioritized', id) then return 'prioritized' end
  if inlist(base .. 'active', id) then return 'active' end
  if inlist(base .. 'wait', id) then return 'waiting' end
  if inlist(base .. 'paused', id) then return paused end
  if paused == 'waiting' and call('ZSCORE', base .. 'waiting-children', id) then
    return 'waiting-children'
  end
  return paused == 'waiting' and 'unknown' or 'stuck'
end
`;

/** A text that changes with every change of a job or its state. */
export const revisionFunction = `
local function revisionof(key, state)
  local fields, parts = redis.call('HGETALL', key), {}
  for i = 1, #fields, 2 do parts[#parts + 1] = fields[i] .. '=' .. fields[i + 1] end
  table.sort(parts)
  return redis.sha1hex(state .. '\\n' .. table.concat(parts, '\\n'))
end
`;

/**
 * Reads a job and its state. Other keys of the queue (settings, schedulers, results of children) are not jobs and count
 * as missing, like keys of other types. A job has a creation timestamp; a damaged one is at least listed in a state.
 */
const jobFunction = `
${stateFunction}
${fieldsFunction}
local function jobof(base, id, paused)
  local ok, fields = pcall(fieldsof, base .. id)
  if not ok or #fields == 0 then return false end
  local state = stateof(base, id, paused)
  local listed = state ~= 'unknown' and state ~= 'stuck'
  if not listed and redis.call('HEXISTS', base .. id, 'timestamp') == 0 then return false end
  return {marked(fields, base, id, state), state}
end
`;

/** `ARGV`: the id, and the state to report for a job in the paused list (`waiting` for BullMQ). */
export const jobScript = defineScript(`
${jobFunction}
${revisionFunction}
local job = jobof(KEYS[1], ARGV[1], ARGV[2])
if job then job[3] = revisionof(KEYS[1] .. ARGV[1], job[2]) end
return job
`);

/**
 * Jobs with their states, up to a byte limit. `ARGV`: the state to report for jobs in the paused list, the byte limit,
 * and the ids. Returns the bytes read, and a job or nothing for each id up to the limit.
 */
export const jobsScript = defineScript(`
${jobFunction}
local jobs, bytes = {}, 0
for i = 3, #ARGV do
  if i > 3 and bytes >= tonumber(ARGV[2]) then break end
  local job = jobof(KEYS[1], ARGV[i], ARGV[1])
  if job then
    for j = 1, #job[1] do bytes = bytes + #job[1][j] end
  end
  jobs[#jobs + 1] = job
end
return {bytes, jobs}
`);

/** `ARGV`: maximum number of children per job, maximum bytes, `1` without data, then ids. */
export const flowScript = defineScript(`
${jobFunction}
local call, base, most = redis.call, KEYS[1], tonumber(ARGV[1])
left, slim = tonumber(ARGV[2]), ARGV[3] == '1'
local function gather(into, key, command, step, width)
  local cursor, size = '0', most * width
  if #into >= size then return end
  repeat
    local page = call(command, key, cursor, 'COUNT', most)
    cursor = page[1]
    for i = 1, #page[2], step do
      for j = i, i + width - 1 do
        if #into < size then into[#into + 1] = page[2][j] end
      end
    end
  until cursor == '0' or #into >= size
end
local jobs = {}
for i = 4, #ARGV do
  local key, job = base .. ARGV[i], jobof(base, ARGV[i], 'waiting')
  if job then
    local unprocessed, processed = call('SCARD', key .. ':dependencies'), call('HLEN', key .. ':processed')
    local failed, ignored = call('ZCARD', key .. ':unsuccessful'), call('HLEN', key .. ':failed')
    local children, reasons = {}, {}
    if unprocessed > 0 then gather(children, key .. ':dependencies', 'SSCAN', 1, 1) end
    if processed > 0 then gather(children, key .. ':processed', 'HSCAN', 2, 1) end
    if ignored > 0 then gather(reasons, key .. ':failed', 'HSCAN', 2, 2) end
    for j = 1, #reasons, 2 do
      if #children < most then children[#children + 1] = reasons[j] end
    end
    if failed > 0 and #children < most then
      local rest = call('ZRANGE', key .. ':unsuccessful', 0, most - #children - 1)
      for j = 1, #rest do children[#children + 1] = rest[j] end
    end
    job = {job[1], job[2], processed, unprocessed, ignored, failed, children, reasons}
  end
  jobs[#jobs + 1] = job
end
return jobs
`);

export const limitArguments = ({ maxBytes, withData }: ReadLimits): number[] => [
  maxBytes,
  withData ? 0 : 1,
];

/** The state reported for a job in the `paused` list. */
export const pausedState = (legacy: boolean): JobState => (legacy ? 'paused' : 'waiting');

/** Arguments of {@link jobsScript}. */
export function jobsArguments(
  legacy: boolean,
  maxBytes: number,
  ids: readonly string[],
): (string | number)[] {
  return [pausedState(legacy), maxBytes, ...ids];
}

/** Parses the jobs that {@link jobsScript} returned, `null` for those that no longer exist. */
export function parseJobs(
  ids: readonly string[],
  value: unknown,
): { readonly bytes: number; readonly jobs: readonly (LocatedJob | null)[] } {
  const [bytes, jobs]: unknown[] = Array.isArray(value) ? value : [];
  const rows: unknown[] = Array.isArray(jobs) ? jobs : [];
  return {
    bytes: Number(bytes) || 0,
    jobs: rows.map((row, index) => parseLocated(ids[index] ?? '', row)),
  };
}

/** Parses the job that {@link jobScript} returned. */
export function parseVersioned(
  id: string,
  value: unknown,
  withTexts: boolean,
): VersionedJob | null {
  const located = parseLocated(id, value);
  if (!located || !Array.isArray(value)) return null;
  const [pairs, , revision]: unknown[] = value;
  const fields = hashFields(pairs);
  const part = (name: string): string => fields.get(name) ?? '';
  return {
    ...located,
    revision: String(revision),
    parts: {
      data: part('data'),
      opts: part('opts'),
      progress: part('progress'),
      returnValue: part('returnvalue'),
    },
    ...(withTexts && { texts: textsOfHash(fields) }),
  };
}

/** Parses a job and its state from `[fields, state, ...]`; `null` when the job does not exist. */
export function parseLocated(id: string, value: unknown): LocatedJob | null {
  if (!Array.isArray(value)) return null;
  const [pairs, state]: unknown[] = value;
  const job = jobFromHash(id, hashFields(pairs));
  return job && { job, state: jobState(state) };
}

function jobState(value: unknown): JobState {
  return JobStates.options.find((state) => state === value) ?? 'unknown';
}
