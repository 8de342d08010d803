/** Job schedulers of a Redis queue: those of BullMQ, and the repeatable jobs of Bull. */

import { createHash } from 'node:crypto';
import { examinedRuns, type SchedulerRecord } from '../model/store.ts';
import { hashFields, jobFromHash, textsOfHash } from './job-hash.ts';
import { defineScript, type Script } from './connect/script.ts';

/** Schedulers per script, so that Redis is not blocked for long. */
const perScript = 500;

/** Overlap between two reads: some schedulers may fire in between, and those behind them move up. */
const overlap = 100;

/**
 * `ARGV`: `1` for Bull, the first and last rank by next run, then the key of a single scheduler to read instead.
 * Returns key, next run, fields, whether the previous run is stored, and the timestamp of the next run.
 */
const schedulersScript = defineScript(`
local call, base, legacy = redis.call, KEYS[1], ARGV[1] == '1'
local index, found = base .. 'repeat', {}
if ARGV[4] then
  local score = call('ZSCORE', index, ARGV[4])
  if score then found = {ARGV[4], score} end
else
  found = call('ZRANGE', index, ARGV[2], ARGV[3], 'WITHSCORES')
end
local rows = {}
for i = 1, #found, 2 do
  local key, score, fields = found[i], found[i + 1], {}
  if not legacy then fields = call('HGETALL', index .. ':' .. key) end
  local next, last, added = 'repeat:' .. key .. ':' .. score, 0, false
  if not legacy then
    added = call('HGET', base .. next, 'timestamp')
    local every = tonumber(call('HGET', index .. ':' .. key, 'every') or 0) or 0
    if every > 0 then
      local before = string.format('%.0f', tonumber(score) - every)
      last = call('EXISTS', base .. 'repeat:' .. key .. ':' .. before)
    end
  end
  rows[#rows + 1] = {key, score, fields, last, added or ''}
end
return rows
`);

/** Returns which of the ids in `ARGV` belong to stored jobs. */
const storedScript = defineScript(`
local rows = {}
for i = 1, #ARGV do rows[i] = redis.call('EXISTS', KEYS[1] .. ARGV[i]) end
return rows
`);

/** Returns the ids that begin with `ARGV[1]`, among the last `ARGV[2]` completed, failed and active jobs. */
const prefixedScript = defineScript(`
local base, prefix, last, rows = KEYS[1], ARGV[1], ARGV[2] - 1, {}
local function collect(ids)
  for i = 1, #ids do
    if string.sub(ids[i], 1, #prefix) == prefix then rows[#rows + 1] = ids[i] end
  end
end
collect(redis.call('ZREVRANGE', base .. 'completed', 0, last))
collect(redis.call('ZREVRANGE', base .. 'failed', 0, last))
collect(redis.call('LRANGE', base .. 'active', 0, last))
return rows
`);

const number = (text: string | undefined): number | null => {
  const value = Number(text);
  return text === undefined || text === '' || !Number.isFinite(value) ? null : value;
};

const hash = (text: string): string => createHash('md5').update(text).digest('hex');

/** Returns the fields of every scheduler. */
function bare(key: string, next: number | null): SchedulerRecord {
  return {
    id: key,
    name: key,
    next,
    iterationCount: null,
    limit: null,
    startDate: null,
    endDate: null,
    tz: null,
    pattern: null,
    every: null,
    template: {},
    nextRunJobId: null,
    nextRunAdded: null,
    lastRunJobId: null,
    runPrefix: `repeat:${key}:`,
  };
}

/**
 * Parses the key format of Bull, and of BullMQ before it had schedulers: `<name>:<id>:<end>:<tz>:<pattern>`, without
 * the zone before an interval. Names may contain colons, so the key is parsed from its end.
 */
function fromKey(key: string, next: number | null, legacy: boolean): SchedulerRecord {
  const parts = key.split(':');
  // Without fields, the key of a scheduler holds no more information.
  if (parts.length < 4) return bare(key, next);
  const rule = parts.pop() ?? '';
  const isInterval = /^\d+$/.test(rule);
  const tz = legacy && isInterval ? '' : (parts.pop() ?? '');
  const endDate = parts.pop() ?? '';
  const jobId = parts.pop() ?? '';
  const name = parts.join(':');
  // Bull writes a colon after the id even if the id is empty.
  const run = hash(name + jobId + (legacy ? ':' : '') + hash(key));
  return {
    ...bare(key, next),
    name,
    endDate: number(endDate),
    tz: tz || null,
    pattern: isInterval ? null : rule || null,
    every: isInterval ? Number(rule) : null,
    nextRunJobId: `repeat:${run}:${next}`,
    runPrefix: `repeat:${run}:`,
  };
}

function fromHash(
  key: string,
  next: number | null,
  fields: ReadonlyMap<string, string>,
  lastStored: boolean,
  added: number | null,
): SchedulerRecord {
  const template = jobFromHash(key, fields);
  const every = number(fields.get('every'));
  return {
    ...bare(key, next),
    name: fields.get('name') ?? key,
    iterationCount: number(fields.get('ic')),
    limit: number(fields.get('limit')),
    startDate: number(fields.get('startDate')),
    endDate: number(fields.get('endDate')),
    tz: fields.get('tz') ?? null,
    pattern: fields.get('pattern') ?? null,
    every,
    template: {
      ...(fields.has('data') && { data: template?.data }),
      ...(fields.has('opts') && { opts: template?.opts ?? {} }),
    },
    texts: textsOfHash(fields),
    nextRunJobId: added === null || next === null ? null : `repeat:${key}:${next}`,
    nextRunAdded: added,
    lastRunJobId:
      lastStored && next !== null && every !== null ? `repeat:${key}:${next - every}` : null,
  };
}

/**
 * Parses the schedulers that the script returned. For a scheduler without fields, the script does not tell whether its
 * next run is stored.
 */
function parseSchedulers(value: unknown, legacy: boolean): SchedulerRecord[] {
  const rows: unknown[] = Array.isArray(value) ? value : [];
  return rows.flatMap((row): SchedulerRecord[] => {
    if (!Array.isArray(row)) return [];
    const [key, score, pairs, last, added]: unknown[] = row;
    const fields = hashFields(pairs);
    const next = number(String(score));
    if (fields.size === 0) return [fromKey(String(key), next, legacy)];
    return [fromHash(String(key), next, fields, last === 1, number(String(added)))];
  });
}

/** The parts of a queue that reads of schedulers use. */
interface ScheduledQueue {
  readonly legacy: boolean;
  run(script: Script, args: readonly (string | number)[]): Promise<unknown>;
}

async function read(
  { legacy, run }: ScheduledQueue,
  args: readonly (string | number)[],
): Promise<SchedulerRecord[]> {
  const found = parseSchedulers(await run(schedulersScript, [legacy ? '1' : '0', ...args]), legacy);
  const ids = found.flatMap(({ nextRunAdded, nextRunJobId }) =>
    nextRunAdded === null && nextRunJobId !== null ? nextRunJobId : [],
  );
  if (ids.length === 0) return found;
  const stored = await run(storedScript, ids);
  const gone = new Set(ids.filter((_id, index) => !Array.isArray(stored) || stored[index] !== 1));
  return found.map((scheduler) =>
    gone.has(scheduler.nextRunJobId ?? '') ? { ...scheduler, nextRunJobId: null } : scheduler,
  );
}

/** The first `limit` schedulers by next run. */
export async function listSchedulers(
  queue: ScheduledQueue,
  limit: number,
): Promise<SchedulerRecord[]> {
  const found = new Map<string, SchedulerRecord>();
  for (let from = 0; from < limit; from += perScript - overlap) {
    const some = await read(queue, [from, Math.min(from + perScript, limit) - 1]);
    for (const scheduler of some) found.set(scheduler.id, scheduler);
    if (some.length < perScript) break;
  }
  return [...found.values()];
}

/** The scheduler with that key. */
export async function findScheduler(
  queue: ScheduledQueue,
  id: string,
): Promise<SchedulerRecord | null> {
  return (await read(queue, [0, 0, id]))[0] ?? null;
}

/** Ids that begin with the prefix, among the last jobs that were completed, failed or begun. */
export async function latestWithPrefix({ run }: ScheduledQueue, prefix: string): Promise<string[]> {
  const ids = await run(prefixedScript, [prefix, examinedRuns]);
  return Array.isArray(ids) ? ids.map(String) : [];
}
