/** The Lua script that reads one chunk of a Redis queue for a search, with its arguments and reply. */

import type { JobStatus } from '../../model/types.ts';
import { finishedStatuses, keyOfStatus } from '../../model/status.ts';
import type { ExaminedJob } from '../../model/driver.ts';
import { comparedFields, comparedParts } from '../compared-parts.ts';
import type { ExaminedPosition, SearchStep } from './search-position.ts';
import { defineScript } from '../connect/script.ts';
import { isBelow } from '../id-order.ts';

/** Number of bytes after which a script stops early: a job may be megabytes in size. */
const maxBytes = 4_000_000;

/**
 * Scans the given states, from the position at which the previous scan ended. In a list, scanning continues after one
 * of the jobs seen last, wherever it has moved. When all of them are gone, so are the jobs behind them, which leave the
 * list earlier (this does not hold for active jobs, which leave in any order). A list that was paused or resumed
 * meanwhile is read under its other name. In a sorted set, scanning continues after the last job seen, or after the
 * rank that it would have. Keys that do not hold a job are skipped.
 *
 * `ARGV`: maximum number of jobs, maximum bytes, whether data, failure reasons and the parts that a filter as text compares
 * are needed; index of the first state, position or 0, score, number of jobs seen last; those jobs, newest first; states.
 * Returns whether the scan is complete, and for each job: index of its state, position after it, id, name, timestamp,
 * reason, data, score, further parts.
 */
export const searchScript = defineScript(`
local call, base = redis.call, KEYS[1]
local size, most, wantsdata, wantsreason = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3] == '1', ARGV[4] == '1'
local wantsmore, status, hint, score = ARGV[5] == '1', tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8]
local seen, states = {}, {}
for i = 10, 9 + ARGV[9] do seen[#seen + 1] = ARGV[i] end
for i = 10 + ARGV[9], #ARGV do states[#states + 1] = ARGV[i] end
local lists = {wait = 'paused', paused = 'wait', active = 'active'}

local function positionof(key, id)
  local ok, position = pcall(call, 'LPOS', key, id)
  if ok then return position end
  local ids = call('LRANGE', key, 0, -1)
  for i = 1, #ids do if ids[i] == id then return i - 1 end end
  return false
end

local function behindseen(state)
  local key = base .. state
  for i = 1, #seen do
    local position = hint - i
    if position < 0 or call('LINDEX', key, position) ~= seen[i] then position = positionof(key, seen[i]) end
    if position then return position + 1 end
  end
  return false
end

local function oflist(state, count)
  local from = 0
  if #seen > 0 then
    from = behindseen(state)
    if not from then
      local other = lists[state]
      for i = 1, #states do
        if states[i] == other and other ~= state and not from then
          from = behindseen(other)
          if from then state, status = other, i end
        end
      end
    end
    if not from and state == 'active' then from = hint end
    if not from then return {}, {}, 0, false end
  end
  local ids = call('LRANGE', base .. state, from, from + count - 1)
  return ids, {}, from, #ids == count
end

${isBelow}
local function split(page)
  local ids, scores = {}, {}
  for i = 1, #page, 2 do ids[#ids + 1], scores[#scores + 1] = page[i], page[i + 1] end
  return ids, scores
end

local function ofset(state, count)
  local key, from = base .. state, 0
  if #seen > 0 and call('ZSCORE', key, seen[1]) == score then
    from = call('ZREVRANK', key, seen[1]) + 1
  elseif #seen > 0 then
    local offset = 0
    while true do
      local page = call('ZREVRANGEBYSCORE', key, score, '-inf', 'WITHSCORES', 'LIMIT', offset, count)
      local behind = {}
      for i = 1, #page, 2 do
        if page[i + 1] ~= score or isbelow(page[i], seen[1]) then
          behind[#behind + 1], behind[#behind + 2] = page[i], page[i + 1]
        end
      end
      offset = offset + #page / 2
      local ids, scores = split(behind)
      if #ids > 0 or #page == 0 then return ids, scores, 0, #page > 0 end
    end
  end
  local ids, scores = split(call('ZREVRANGE', key, from, from + count - 1, 'WITHSCORES'))
  return ids, scores, 0, #ids == count
end

local rows, bytes = {}, 0
while status <= #states do
  local state = states[status]
  local read = lists[state] and oflist or ofset
  local ids, scores, from, more = read(state, size - #rows)
  for i = 1, #ids do
    local ok, job = pcall(call, 'HMGET', base .. ids[i], 'name', 'timestamp',
      wantsreason and 'failedReason' or 'name', wantsdata and 'data' or 'name')
    if not ok then job = {} end
    local reason, data = wantsreason and job[3] or '', wantsdata and job[4] or ''
    bytes = bytes + #ids[i] + #(job[1] or '') + #reason + #data
    local ismore, more = false, {}
    if wantsmore then ismore, more = pcall(call, 'HMGET', base .. ids[i], ${comparedFields}) end
    rows[#rows + 1] = {status, from + i, ids[i], job[1] or '', job[2] or '', reason, data, scores[i] or '', ismore and more or {}}
    if bytes > most then return {0, rows} end
  end
  if more then return {0, rows} end
  status, hint, score, seen = status + 1, 0, '', {}
  if #rows == size then return {status > #states and 1 or 0, rows} end
end
return {1, rows}
`);

/** A job that the script has read. */
export interface SearchRow extends ExaminedPosition {
  readonly examined: ExaminedJob;
}

/** The search criteria for jobs. */
export interface Wanted {
  readonly data: boolean;
  readonly reason: boolean;
  readonly more: boolean;
}

/** Arguments of the script; `size` is at least one. */
export function searchArguments(
  statuses: readonly JobStatus[],
  { status, position, score, seen }: SearchStep,
  size: number,
  wanted: Wanted,
): (string | number)[] {
  return [
    size,
    maxBytes,
    wanted.data ? 1 : 0,
    wanted.reason ? 1 : 0,
    wanted.more ? 1 : 0,
    statuses.indexOf(status) + 1,
    position,
    score,
    seen.length,
    ...seen,
    ...statuses.map(keyOfStatus),
  ];
}

/** Parses the reply of the script. */
export function parseSearch(
  value: unknown,
  statuses: readonly JobStatus[],
): { readonly isAll: boolean; readonly rows: readonly SearchRow[] } {
  const [isAll, list]: unknown[] = Array.isArray(value) ? value : [1, []];
  const rows = (Array.isArray(list) ? list : []).flatMap((entry: unknown): SearchRow[] => {
    if (!Array.isArray(entry)) return [];
    const [index, position, id, name, timestamp, error, data, score] = entry.map(String);
    const more: unknown = entry[8];
    const status = statuses[Number(index) - 1];
    if (status === undefined || id === undefined) return [];
    return [
      {
        status,
        id,
        examined: {
          name: name ?? '',
          error: error ?? '',
          timestamp: Number(timestamp) || 0,
          finishedOn: finishedStatuses.has(status) ? Number(score) : null,
          data: data ?? '',
          more: comparedParts(id, status, more),
        },
        position: Number(position),
        score: score ?? '',
      },
    ];
  });
  return { isAll: isAll === 1, rows };
}
