/**
 * The layout of the Redis store, and the common part of its Lua scripts. `KEYS[1]` is the namespace; all keys begin with
 * it, and so are in one slot of a cluster:
 *
 * - `meta`, `queues`: the instance, the layout and the longest retention; the names of the queues;
 * - `<queue>:state`: where recorders stand, the lease, and the minute before which a purge forbids counts;
 * - `<queue>:<metric>:<day>`: counts per minute, in chunks of twelve;
 * - `<queue>:<metric>:hours`: a counter or the gauge of the hours, in a field for each day, so that one command reads all;
 * - `<queue>:hour:<day>`: histograms of the hours of a day;
 * - `<queue>:<metric>:totals`: counters, gauge and histograms by day;
 * - `<queue>:attempts`: failed attempts, the oldest first.
 *
 * A histogram is a list of buckets and their counts; the bucket after the last one is the sum of the durations.
 */

import { bucketCount } from '../model/histogram.ts';

/** Version of the layout; a store with another one is neither read nor written. */
export const layout = 2;

/** Minutes of a field of the counts per minute. */
export const minutesPerChunk = 12;

/** The beginning of every script. */
export const common = `
local call = redis.call
local ns = KEYS[1] .. ':'
local input = cjson.decode(ARGV[1])
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local today = math.floor(now / 86400000)
local global = '__global__'
local layout = call('HGET', ns .. 'meta', 'layout')
if layout and layout ~= '${layout}' then
  return {err = 'SLUICE the keys of the metrics history have version ' .. layout .. ', and this version of sluice has version ${layout}: '
    .. 'delete the keys that begin with ' .. KEYS[1] .. ':, or choose another prefix'}
end
local letters = {completed = 'c', failed = 'f', queueage = 'a', runtime = 'r', waittime = 'w'}
local function counts(packed)
  local sum = {}
  if packed then
    local flat = cmsgpack.unpack(packed)
    for i = 1, #flat, 2 do sum[flat[i]] = flat[i + 1] end
  end
  return sum
end
local function pack(sum)
  local flat = {}
  for bucket = 0, ${bucketCount} do
    if sum[bucket] and sum[bucket] > 0 then
      flat[#flat + 1] = bucket
      flat[#flat + 1] = sum[bucket]
    end
  end
  return cmsgpack.pack(flat)
end
-- The hours of a day, of which -1 is unknown.
local function hoursOf(packed)
  if packed then return cmsgpack.unpack(packed) end
  local hours = {}
  for hour = 1, 24 do hours[hour] = -1 end
  return hours
end
`;
