/** The facts of many queues in one script: counts, pause, limits, schedulers. */

import type { JobStatus } from '../types.ts';
import type { QueueFacts } from '../store.ts';
import { keyOfStatus } from '../status.ts';
import { defineScript } from './script.ts';
import type { ScriptCall } from './script.ts';

/**
 * Each queue is read under protection, so that one whose keys are of the wrong type answers for itself alone.
 * Nothing is written, not even where libraries before the fifth major left a marker at the end of the waiting list:
 * it is subtracted instead. Jobs a limiter lets through are counted in `limiter`; its time to live counts once
 * the limit is reached.
 */
const factsScript = defineScript(`
local call = redis.call
local lists, sets, legacy = cjson.decode(ARGV[1]), cjson.decode(ARGV[2]), ARGV[3] == '1'
local function length(key, marked)
  local count = call('LLEN', key)
  if marked and count > 0 then
    local last = call('LINDEX', key, -1)
    if last and string.sub(last, 1, 2) == '0:' then count = count - 1 end
  end
  return count
end
local function facts(base)
  local row, meta = {}, call('HMGET', base .. 'meta', 'paused', 'concurrency', 'max', 'version')
  local marked = not legacy and not (meta[4] and string.find(meta[4], ':[5-9]'))
  for i = 1, #lists do row[i] = length(base .. lists[i], marked) end
  for i = 1, #sets do row[#row + 1] = call('ZCARD', base .. sets[i]) end
  row[#row + 1] = call('ZCARD', base .. 'repeat')
  local paused = meta[1] and 1 or 0
  if legacy and paused == 0 then paused = call('EXISTS', base .. 'meta-paused') end
  row[#row + 1] = paused
  row[#row + 1] = tonumber(meta[2] or -1) or -1
  local ttl = 0
  if not legacy then
    local used = call('GET', base .. 'limiter')
    if used then
      local max = tonumber(meta[3] or 0) or 0
      if max <= 0 or max <= (tonumber(used) or 0) then ttl = call('PTTL', base .. 'limiter') end
    end
  end
  row[#row + 1] = ttl > 0 and ttl or 0
  return table.concat(row, ',')
end
local rows = {}
for i = 1, #KEYS do
  local ok, row = pcall(facts, KEYS[i])
  rows[i] = ok and row or '!'
end
return rows
`);

/** Queues one script reads: enough to save writes, few enough that Redis is soon free again. */
const queuesPerScript = 500;

const listStatuses: ReadonlySet<JobStatus> = new Set(['active', 'waiting', 'paused']);

/** Queues of one library that one script can read together. */
export interface FactsGroup {
  readonly legacy: boolean;
  readonly statuses: readonly JobStatus[];
  /** Key prefixes of the queues, each with its last colon. */
  readonly bases: readonly string[];
}

/** Statuses in the order the script answers them. */
function answered(statuses: readonly JobStatus[]): JobStatus[] {
  return [
    ...statuses.filter((status) => listStatuses.has(status)),
    ...statuses.filter((status) => !listStatuses.has(status)),
  ];
}

/** The calls that read a group; their replies belong to {@link parseFacts}. */
export function factsCalls(group: FactsGroup, perScript = queuesPerScript): ScriptCall[] {
  const order = answered(group.statuses);
  const lists = order.filter((status) => listStatuses.has(status)).map(keyOfStatus);
  const sets = order.filter((status) => !listStatuses.has(status)).map(keyOfStatus);
  const args = [JSON.stringify(lists), JSON.stringify(sets), group.legacy ? '1' : '0'];
  const calls: ScriptCall[] = [];
  for (let from = 0; from < group.bases.length; from += perScript) {
    calls.push({ script: factsScript, keys: group.bases.slice(from, from + perScript), args });
  }
  return calls;
}

/** A row of the script's answer; `null` when the queue's keys are not what they should be. */
export function parseFacts(row: unknown, statuses: readonly JobStatus[]): QueueFacts | null {
  if (typeof row !== 'string' || row === '!') return null;
  const numbers = row.split(',').map(Number);
  const order = answered(statuses);
  const counts: Partial<Record<JobStatus, number>> = {};
  for (const [index, status] of order.entries()) counts[status] = numbers[index] ?? 0;
  const [schedulers = 0, paused = 0, concurrency = -1, ttl = 0] = numbers.slice(order.length);
  return {
    counts,
    jobSchedulerCount: schedulers,
    isPaused: paused === 1,
    globalConcurrency: concurrency < 0 ? null : concurrency,
    activeRateLimitTtl: ttl,
  };
}
