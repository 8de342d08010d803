/** Reads counts, pause state, limits and schedulers of many queues in one script. */

import type { JobStatus } from '../model/types.ts';
import type { QueueFacts } from '../model/store.ts';
import { keyOfStatus } from '../model/status.ts';
import { defineScript } from './connect/script.ts';
import type { Script, ScriptCall } from './connect/script.ts';

/** Statuses kept as lists; the others are sorted sets. */
const listStatuses: ReadonlySet<JobStatus> = new Set(['active', 'waiting', 'paused']);

/** Lists in which BullMQ before version 5 keeps a marker entry. */
const mayHoldMarker: ReadonlySet<JobStatus> = new Set(['waiting', 'paused']);

/** Lua expression for the number of jobs in a status. */
function counted(status: JobStatus, legacy: boolean): string {
  const key = `base .. '${keyOfStatus(status)}'`;
  if (!listStatuses.has(status)) return `call('ZCARD', ${key})`;
  return mayHoldMarker.has(status) && !legacy ? `length(${key})` : `call('LLEN', ${key})`;
}

/**
 * Each queue is read in a protected call, so that keys of the wrong type fail only their own queue. The script writes
 * nothing. The marker entry that BullMQ before version 5 keeps at the end of the waiting list is subtracted; the
 * version stored with a queue does not help, because it is that of its latest client, and workers of another version
 * may be running. `limiter` counts the jobs that the rate limiter has let through; its TTL applies once the limit is
 * reached. The script is unrolled over the statuses, because loop steps dominate its run time. It returns a row of
 * numbers for each queue: texts are quick to make, and quick to compare with those of the last read.
 */
function factsScript(legacy: boolean, statuses: readonly JobStatus[]): Script {
  return defineScript(`
local call, sub, format = redis.call, string.sub, string.format
local function length(key)
  local count = call('LLEN', key)
  if count > 0 and sub(call('LINDEX', key, -1), 1, 2) == '0:' then return count - 1 end
  return count
end
local function facts(base)
  local meta = call('HMGET', base .. 'meta', 'paused', 'concurrency', 'max')
  local paused, ttl = meta[1] and 1 or 0, 0
${legacy ? ofBull : ofBullMq}
  return format('${Array.from({ length: statuses.length + 4 }, () => '%d').join()}',
    ${statuses.map((status) => counted(status, legacy)).join(',\n    ')},
    call('ZCARD', base .. 'repeat'), paused, tonumber(meta[2] or -1) or -1, ttl > 0 and ttl or 0)
end
local rows = {}
for i = 1, #KEYS do
  local ok, row = pcall(facts, KEYS[i])
  rows[i] = ok and row or ''
end
return table.concat(rows, ';')
`);
}

const ofBull = `  if paused == 0 then paused = call('EXISTS', base .. 'meta-paused') end`;

const ofBullMq = `  local used = call('GET', base .. 'limiter')
  if used then
    local max = tonumber(meta[3] or 0) or 0
    if max <= 0 or max <= (tonumber(used) or 0) then ttl = call('PTTL', base .. 'limiter') end
  end`;

/** Generated scripts by library and statuses. */
const scripts = new Map<string, Script>();

function scriptOf(legacy: boolean, statuses: readonly JobStatus[]): Script {
  const key = [legacy, ...statuses].join();
  let script = scripts.get(key);
  if (!script) scripts.set(key, (script = factsScript(legacy, statuses)));
  return script;
}

/** Queues per script: enough to save writes, few enough not to block Redis for long. */
const queuesPerScript = 500;

/** Queues of one library that one script can read together. */
interface FactsGroup {
  readonly legacy: boolean;
  readonly statuses: readonly JobStatus[];
  /** Key prefixes of the queues, each with a trailing colon. */
  readonly bases: readonly string[];
}

/** The script calls for a group; {@link parseRows} parses their replies. */
export function factsCalls(group: FactsGroup, perScript = queuesPerScript): ScriptCall[] {
  const script = scriptOf(group.legacy, group.statuses);
  const calls: ScriptCall[] = [];
  for (let from = 0; from < group.bases.length; from += perScript) {
    calls.push({ script, keys: group.bases.slice(from, from + perScript), args: [] });
  }
  return calls;
}

/** The rows of one script reply, one per queue. */
export function parseRows(value: unknown): string[] {
  return String(value).split(';');
}

/** Parses the facts of a queue from its row; `null` when its keys have unexpected types. */
export function parseFacts(row: string, statuses: readonly JobStatus[]): QueueFacts | null {
  if (row === '') return null;
  const numbers = row.split(',');
  const at = (index: number): number => Number(numbers[index]) || 0;
  const counts: Partial<Record<JobStatus, number>> = {};
  for (const [index, status] of statuses.entries()) counts[status] = at(index);
  const after = statuses.length;
  const concurrency = at(after + 2);
  return {
    counts,
    jobSchedulerCount: at(after),
    isPaused: at(after + 1) === 1,
    globalConcurrency: concurrency >= 0 && Number.isSafeInteger(concurrency) ? concurrency : null,
    activeRateLimitTtl: at(after + 3),
  };
}
