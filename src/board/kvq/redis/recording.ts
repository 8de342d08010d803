/** Reads minutes, the oldest waiting job and finished jobs of many queues on one server in a single write. */

import { sampleOf } from '../../core/index.ts';
import type { CountReading, SourceReading, SourceRequest } from '../../core/index.ts';
import { isCluster, type RedisClient } from './connect/client.ts';
import { sendScripts } from './connect/queue-connection.ts';
import { defineScript, type ScriptCall } from './connect/script.ts';

/** Queues per script: enough to save writes, few enough not to block Redis for long. */
const queuesPerScript = 50;

/** Minutes that are counted from the stored jobs of a queue whose workers keep no counts. */
const countedMinutes = 120;

/**
 * Where workers keep counts (their option `metrics`), the running minute is that of `prevTS`, and every earlier one is
 * final: workers whose clock is behind count in the running one. Elsewhere the stored jobs are counted by minute.
 */
const script = defineScript(`
local call = redis.call
local requests = cjson.decode(ARGV[1])
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function stored(base, kind, from, most, request)
  local key, last = base .. kind, math.floor(now / 60000)
  local first = math.max(from, last - ${countedMinutes - 1})
  local minutes = {}
  if call('ZCOUNT', key, first * 60000, '+inf') > 0 then
    for minute = first, math.min(last, first + most - 1) do
      local count = call('ZCOUNT', key, minute * 60000, '(' .. (minute + 1) * 60000)
      if count > 0 then minutes[#minutes + 1] = {minute, count} end
    end
  end
  local next = math.min(last, first + most)
  -- A job may be stored shortly after its time.
  if next == last and next > 0 then next = last - 1 end
  local since = -1
  if request.remembered then
    local other = base .. 'metrics:' .. (kind == 'completed' and 'failed' or 'completed')
    local none = call('ZCARD', key) == 0 or call('HEXISTS', other, 'prevTS') == 1
    since = none and 0 or math.max(0, last - ${countedMinutes - 1})
  end
  return {minutes, next, first + most <= last and 1 or 0, since}
end
-- The first minute that is known: later ones have been dropped where those that are kept are fewer than all.
local function known(key, last, before)
  local sum, data = 0, call('LRANGE', key .. ':data', 0, -1)
  for i = 1, #data do sum = sum + (tonumber(data[i]) or 0) end
  return sum >= before and 0 or math.max(0, last - #data)
end
-- After a pause that is longer than its list, the library puts the minute before the pause at the end of the list.
local function beforePause(key)
  local data = call('LRANGE', key .. ':data', 0, -1)
  for i = 1, #data - 1 do
    if tonumber(data[i]) ~= 0 then return 0 end
  end
  return tonumber(data[#data] or 0) or 0
end
local function counted(base, kind, from, most, request)
  local key = base .. 'metrics:' .. kind
  local meta = call('HMGET', key, 'count', 'prevTS', 'prevCount')
  local last = tonumber(meta[2] or '')
  if not last then return stored(base, kind, from, most, request) end
  last = math.floor(last / 60000)
  local minutes = {}
  local kept = last > from and call('LLEN', key .. ':data') or 0
  local first = math.max(from, last - kept)
  if request.resumed and from < first then
    local count = beforePause(key)
    if count > 0 then
      minutes[1] = {from, count}
      first = first + 1
    end
  end
  local stop = math.min(last, first + most)
  if stop > first then
    local data = call('LRANGE', key .. ':data', last - stop, last - 1 - first)
    for i = #data, 1, -1 do
      local count = tonumber(data[i]) or 0
      if count > 0 then minutes[#minutes + 1] = {first + #data - i, count} end
    end
  end
  if stop == last then
    local running = (tonumber(meta[1]) or 0) - (tonumber(meta[3]) or 0)
    if running > 0 then minutes[#minutes + 1] = {last, running} end
  end
  local since = request.remembered and known(key, last, tonumber(meta[3]) or 0) or -1
  return {minutes, stop, stop < last and 1 or 0, since}
end
local function since(base, id)
  if not id or string.sub(id, 1, 2) == '0:' then return nil end
  local job = call('HMGET', base .. id, 'timestamp', 'opts', 'processedOn')
  if not job[1] then return nil end
  local due = tonumber(job[1]) + (tonumber(string.match(job[2] or '', '"delay":(%d+)') or 0) or 0)
  -- A job that is tried again has waited at most since its last attempt.
  return math.max(due, tonumber(job[3] or 0) or 0)
end
local function oldest(base)
  local times, delimiter = {}, nil
  for _, list in ipairs({'wait', 'paused'}) do
    for place = -1, -2, -1 do times[#times + 1] = since(base, call('LINDEX', base .. list, place)) end
  end
  for _, place in ipairs({0, -1}) do
    local id = call('ZRANGE', base .. (ARGV[2] == '1' and 'priority' or 'prioritized'), place, place)[1]
    times[#times + 1] = since(base, id)
  end
  local age = 0
  for _, at in pairs(times) do age = math.max(age, now - at) end
  return age
end
local function measured(base, request)
  local upTo = now - request.marginMs
  local after = request.after
  if after == cjson.null then after = upTo - request.tickMs end
  if upTo <= after then return {{}, 0, after} end
  local jobs, total = {}, 0
  local function take(kind, first)
    local key = base .. kind
    local count = call('ZCOUNT', key, '(' .. after, upTo)
    if count == 0 then return end
    total = total + count
    local start = call('ZCOUNT', key, '-inf', after)
    local picked = math.min(count, request.limit)
    local ids
    if picked == count then
      ids = call('ZRANGE', key, start, start + count - 1)
    else
      ids = {}
      for i = 0, picked - 1 do
        local place = start + math.floor(i * count / picked)
        ids[#ids + 1] = call('ZRANGE', key, place, place)[1]
      end
    end
    for _, id in ipairs(ids) do
      local job = call('HMGET', base .. id, 'finishedOn', 'processedOn', 'timestamp', 'atm', 'attemptsMade', 'opts')
      local finished, processed, created = tonumber(job[1] or ''), tonumber(job[2] or ''), tonumber(job[3] or '')
      if finished and processed then
        local attempts = tonumber(job[4] or job[5] or 0) or 0
        local delay = tonumber(string.match(job[6] or '', '"delay":(%d+)') or 0) or 0
        local waited = attempts <= first and created and math.max(0, processed - created - delay) or -1
        jobs[#jobs + 1] = {finished, math.max(0, finished - processed), waited}
      end
    end
  end
  take('completed', tonumber(ARGV[3]))
  take('failed', 1)
  return {jobs, total, upTo}
end
local function read(base, request)
  return {
    now, counted(base, 'completed', request.completedFrom, request.maxMinutes, request),
    counted(base, 'failed', request.failedFrom, request.maxMinutes, request), oldest(base),
    request.samples and measured(base, request.samples) or 0,
  }
end
local rows = {}
for i = 1, #KEYS do
  local ok, row = pcall(read, KEYS[i], requests[i])
  rows[i] = ok and row or 0
end
return cjson.encode(rows)
`);

/** A queue to read. */
export interface RecordedQueue {
  readonly legacy: boolean;
  /** `<prefix>:<queue>`. */
  readonly qualifiedName: string;
  readonly request: SourceRequest;
}

/** Readings of the queues, in order. Rejects when the server is unreachable. */
export async function readRecordings(
  client: RedisClient,
  queues: readonly RecordedQueue[],
): Promise<(SourceReading | Error)[]> {
  // On a cluster, the keys of a script must be in one slot.
  const size = isCluster(client) ? 1 : queuesPerScript;
  const kinds = Map.groupBy(queues.keys(), (index) => queues[index]?.legacy === true);
  const calls: (ScriptCall & { readonly indexes: readonly number[] })[] = [];
  for (const [legacy, members] of kinds) {
    for (let start = 0; start < members.length; start += size) {
      const indexes = members.slice(start, start + size);
      const some = indexes.flatMap((index) => queues[index] ?? []);
      calls.push({
        script,
        indexes,
        keys: some.map(({ qualifiedName }) => `${qualifiedName}:`),
        // A job of Bull counts an attempt only when it fails.
        args: [JSON.stringify(some.map(({ request }) => request)), legacy ? 1 : 0, legacy ? 0 : 1],
      });
    }
  }
  const { replies } = await sendScripts(client, calls);
  const results: (SourceReading | Error)[] = queues.map(() => new Error('Not read.'));
  for (const [place, { indexes }] of calls.entries()) {
    const reply = replies[place];
    const rows: unknown = reply && 'value' in reply ? JSON.parse(String(reply.value)) : [];
    for (const [position, index] of indexes.entries()) {
      results[index] =
        reply && 'error' in reply
          ? reply.error
          : (readingOf(Array.isArray(rows) ? rows[position] : undefined) ??
            new Error('The keys of the queue have unexpected types.'));
    }
  }
  return results;
}

/** A list from Lua, which encodes an empty one as an object. */
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function countsOf(value: unknown): CountReading {
  const [minutes, next, _more, since] = listOf(value);
  return {
    minutes: listOf(minutes) as [number, number][],
    next: Number(next) || 0,
    ...(Number(since) >= 0 && { since: Number(since) }),
  };
}

function readingOf(row: unknown): SourceReading | undefined {
  if (!Array.isArray(row)) return undefined;
  const [now, completed, failed, age, samples]: unknown[] = row;
  const [jobs, total, upTo] = listOf(samples);
  return {
    now: Number(now),
    completed: countsOf(completed),
    failed: countsOf(failed),
    more: [completed, failed].some((counts) => listOf(counts)[2] === 1),
    queueAge: Number(age) || 0,
    ...(Array.isArray(samples) && {
      samples: {
        jobs: (listOf(jobs) as number[][]).map(sampleOf),
        total: Number(total),
        upTo: Number(upTo),
      },
    }),
  };
}
