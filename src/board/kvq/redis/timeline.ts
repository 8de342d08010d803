/**
 * Counts the jobs of a Redis queue over time. Finished jobs are counted by Redis, whose sets have them in the order in
 * which they ended. When jobs were added is in the jobs alone: these are read, in short scripts, up to a limit.
 */

import { mostCounted, tallyOf } from '../../contract/index.ts';
import type { QueueTimeline, TimelineBuckets } from '../../contract/index.ts';
import { finishedStatuses, keyOfStatus, listStatuses } from '../model/status.ts';
import type { JobStatus } from '../model/types.ts';
import { defineScript } from './connect/script.ts';
import { listOf, type RunScript } from './job-pages.ts';

/** Jobs read per script. */
const chunk = 1_000;

/** `ARGV`: start of the first bucket, length, number of buckets. Returns the completed and the failed jobs of each. */
const finishedScript = defineScript(`
local from, length, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local series = {}
for place, state in ipairs({'completed', 'failed'}) do
  local counts = {}
  for i = 1, count do
    local least = string.format('%.0f', from + (i - 1) * length)
    local next = string.format('(%.0f', from + i * length)
    counts[i] = redis.call('ZCOUNT', KEYS[1] .. state, least, next)
  end
  series[place] = counts
end
return series
`);

/**
 * `ARGV`: key of a state, the kind of it, jobs to pass over, jobs to read, the time since when finished ones count.
 * Returns the number of jobs, then the id and time of each whose data is there.
 */
const addedScript = defineScript(`
local key, kind, start, most = KEYS[1] .. ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local ids
if kind == 'list' then
  ids = redis.call('LRANGE', key, start, start + most - 1)
elseif kind == 'finished' then
  ids = redis.call('ZREVRANGEBYSCORE', key, '+inf', ARGV[5], 'LIMIT', start, most)
else
  ids = redis.call('ZREVRANGE', key, start, start + most - 1)
end
local rows = {#ids}
for i = 1, #ids do
  local ok, time = pcall(redis.call, 'HGET', KEYS[1] .. ids[i], 'timestamp')
  if ok and time then
    rows[#rows + 1] = ids[i]
    rows[#rows + 1] = time
  end
end
return rows
`);

/** The states in the order in which jobs pass through them: one that moves meanwhile is met twice, and counts once. */
const passed: readonly JobStatus[] = [
  'delayed',
  'waiting-children',
  'prioritized',
  'paused',
  'waiting',
  'active',
  'completed',
  'failed',
];

/** Counts the jobs in the buckets; those that ended before the first one were added before it as well. */
export async function readTimeline(
  run: RunScript,
  statuses: readonly JobStatus[],
  buckets: TimelineBuckets,
): Promise<QueueTimeline> {
  const { from, bucketMs, count } = buckets;
  const series = listOf(await run(finishedScript, [from, bucketMs, count]));
  const [completed = [], failed = []] = series.map((counts) => listOf(counts).map(Number));
  const added = tallyOf(buckets);
  const met = new Set<string>();
  let isPartial = false;
  let [read, examined] = [0, 0];
  for (const status of passed.filter((each) => statuses.includes(each))) {
    const kind = listStatuses.has(status)
      ? 'list'
      : finishedStatuses.has(status)
        ? 'finished'
        : 'set';
    let more = true;
    for (let start = 0; more; start += chunk) {
      const size = Math.min(chunk, mostCounted - read);
      if (size === 0) {
        isPartial = true;
        break;
      }
      const args = [keyOfStatus(status), kind, start, size, from];
      const [found, ...rows] = listOf(await run(addedScript, args));
      more = found === size;
      read += Number(found);
      for (let at = 0; at + 1 < rows.length; at += 2) {
        const id = String(rows[at]);
        examined += 1;
        if (met.has(id)) continue;
        met.add(id);
        added.add(Number(rows[at + 1]));
      }
    }
  }
  return {
    from,
    bucketMs,
    added: added.counted,
    completed,
    failed,
    examined,
    partial: isPartial ? ['added'] : [],
  };
}
