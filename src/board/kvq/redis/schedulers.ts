/** Job schedulers of a Redis queue, those of BullMQ and the repeatable jobs of Bull. */

import { createHash } from 'node:crypto';
import type { SchedulerRecord } from '../store.ts';
import { hashFields, jobFromHash } from './job-hash.ts';
import { defineScript } from './script.ts';

/**
 * `ARGV`: `1` for Bull, most schedulers, then the key of one to be read alone. Answers key, next moment, fields,
 * whether the run before is stored, and name and timestamp of the next run.
 */
export const schedulersScript = defineScript(`
local call, base, legacy = redis.call, KEYS[1], ARGV[1] == '1'
local index, found = base .. 'repeat', {}
if ARGV[3] then
  local score = call('ZSCORE', index, ARGV[3])
  if score then found = {ARGV[3], score} end
else
  found = call('ZRANGE', index, 0, tonumber(ARGV[2]) - 1, 'WITHSCORES')
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

/** Which of the ids in `ARGV` belong to stored jobs. */
export const storedScript = defineScript(`
local rows = {}
for i = 1, #ARGV do rows[i] = redis.call('EXISTS', KEYS[1] .. ARGV[i]) end
return rows
`);

const number = (text: string | undefined): number | null => {
  const value = Number(text);
  return text === undefined || text === '' || !Number.isFinite(value) ? null : value;
};

const hash = (text: string): string => createHash('md5').update(text).digest('hex');

/** What Bull, and BullMQ before it had schedulers, wrote into the key itself. */
function fromKey(key: string, next: number | null): SchedulerRecord {
  const [name = '', jobId = '', endDate = '', tz = '', ...cron] = key.split(':');
  const pattern = cron.join(':');
  const namespace = jobId === '' ? ':' : `${jobId}:`;
  const run = `repeat:${hash(name + namespace + hash(key))}:${next}`;
  return {
    id: key,
    name,
    next,
    iterationCount: null,
    limit: null,
    startDate: null,
    endDate: number(endDate),
    tz: pattern === '' || tz === '' ? null : tz,
    pattern: pattern === '' ? null : pattern,
    every: pattern === '' ? number(tz) : null,
    template: {},
    nextRunJobId: run,
    nextRunAdded: null,
    lastRunJobId: null,
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
    id: key,
    name: fields.get('name') ?? key,
    next,
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
    nextRunJobId: added === null || next === null ? null : `repeat:${key}:${next}`,
    nextRunAdded: added,
    lastRunJobId:
      lastStored && next !== null && every !== null ? `repeat:${key}:${next - every}` : null,
  };
}

/** The schedulers the script found. Whether the next run of one of Bull's is stored, the script does not say. */
export function parseSchedulers(value: unknown): SchedulerRecord[] {
  const rows: unknown[] = Array.isArray(value) ? value : [];
  return rows.flatMap((row): SchedulerRecord[] => {
    if (!Array.isArray(row)) return [];
    const [key, score, pairs, last, added]: unknown[] = row;
    const fields = hashFields(pairs);
    const next = number(String(score));
    if (fields.size === 0) return [fromKey(String(key), next)];
    return [fromHash(String(key), next, fields, last === 1, number(String(added)))];
  });
}
