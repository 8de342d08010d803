/** Reads what goes on in many queues on one server or cluster in a single write. */

import { minuteMs } from '../model/activity.ts';
import type { ActivityResult, ActivityRead, StoredMetrics } from '../model/activity.ts';
import { countWorkers } from './client-list.ts';
import { isCluster, type RedisClient } from './connect/client.ts';
import { sendScripts } from './connect/queue-connection.ts';
import { defineScript, type Reply } from './connect/script.ts';
import type { FactsQueue } from './read-facts.ts';

/**
 * `ARGV`: the time, and the number of minutes. A job waits since it could run: its delay has passed, and its last attempt
 * has started. The oldest job of a list is at its end; of the prioritized ones, the first and the last are compared.
 */
const activityScript = defineScript(`
local call, now, minutes = redis.call, tonumber(ARGV[1]), tonumber(ARGV[2])

local function since(key)
  local values = call('HMGET', key, 'timestamp', 'opts', 'processedOn')
  local from = tonumber(values[1])
  if not from then return nil end
  local ok, opts = pcall(cjson.decode, values[2] or '')
  if ok and type(opts) == 'table' and type(opts.delay) == 'number' then from = from + opts.delay end
  return math.max(from, tonumber(values[3] or 0) or 0)
end

local function waiting(base)
  local ids, oldest = {}, nil
  for _, key in ipairs({'wait', 'paused'}) do
    local id = call('LINDEX', base .. key, -1)
    -- A mark of early releases.
    if id and string.sub(id, 1, 2) == '0:' then id = call('LINDEX', base .. key, -2) end
    ids[#ids + 1] = id or nil
  end
  for _, at in ipairs({0, -1}) do
    local found = call('ZRANGE', base .. 'prioritized', at, at)
    ids[#ids + 1] = found[1]
  end
  for i = 1, #ids do
    local from = since(base .. ids[i])
    if from and (not oldest or from < oldest) then oldest = from end
  end
  return oldest or -1
end

local function metrics(base, kind)
  local key = base .. 'metrics:' .. kind
  local meta = call('HMGET', key, 'prevTS', 'prevCount', 'count')
  if not meta[1] then return 0 end
  return {meta[1], meta[2] or '0', meta[3] or '0', call('LRANGE', key .. ':data', 0, minutes + 1)}
end

local function activity(base)
  local from = now - ${minuteMs}
  return {
    waiting(base), metrics(base, 'completed'), metrics(base, 'failed'),
    call('ZCOUNT', base .. 'completed', from, '+inf'), call('ZCOUNT', base .. 'failed', from, '+inf'),
  }
end

local rows = {}
for i = 1, #KEYS do
  local ok, row = pcall(activity, KEYS[i])
  rows[i] = ok and row or 0
end
return cjson.encode(rows)
`);

/** Queues per script. */
const perScript = 200;

function metricsOf(value: unknown): StoredMetrics | null {
  if (!Array.isArray(value)) return null;
  const [prevTS, prevCount, count, data]: unknown[] = value;
  const number = (text: unknown): number => Number(text) || 0;
  return {
    prevTS: number(prevTS),
    prevCount: number(prevCount),
    count: number(count),
    data: Array.isArray(data) ? data.map(number) : [],
  };
}

function parseActivity(row: unknown, workers: number | null): ActivityRead | null {
  if (!Array.isArray(row)) return null;
  const [since, completed, failed, keptCompleted, keptFailed]: unknown[] = row;
  return {
    waitingSince: Number(since) < 0 ? null : Number(since),
    workers,
    completed: metricsOf(completed),
    failed: metricsOf(failed),
    kept: { completed: Number(keptCompleted) || 0, failed: Number(keptFailed) || 0 },
  };
}

/** The rows of a reply, or its error for each of its queues. */
function rowsOf(reply: Reply | undefined, queues: number): unknown[] {
  if (!reply) return [];
  if ('error' in reply) return Array.from({ length: queues }, () => reply.error);
  const rows: unknown = JSON.parse(String(reply.value));
  return Array.isArray(rows) ? rows : [];
}

/** The activity of the queues, in order. Rejects when the server is unreachable. */
export async function readActivity(
  client: RedisClient,
  queues: readonly FactsQueue[],
  minutes: number,
  withWorkers: boolean,
): Promise<ActivityResult[]> {
  // On a cluster, the keys of a script must be in one slot.
  const size = isCluster(client) ? 1 : perScript;
  const chunks = Array.from({ length: Math.ceil(queues.length / size) }, (_, index) =>
    queues.slice(index * size, (index + 1) * size),
  );
  const calls = chunks.map((chunk) => ({
    script: activityScript,
    keys: chunk.map(({ qualifiedName }) => `${qualifiedName}:`),
    args: [Date.now(), minutes],
  }));
  const { replies, perNode } = await sendScripts(
    client,
    calls,
    withWorkers ? [['client', 'LIST']] : [],
  );
  const counts = withWorkers ? countWorkers(perNode) : null;
  const rows = chunks.flatMap((chunk, index) => rowsOf(replies[index], chunk.length));
  return queues.map(({ clientName }, index) => {
    const row = rows[index];
    if (row instanceof Error) return { error: row };
    const activity = parseActivity(row, counts && (counts.get(clientName) ?? 0));
    return activity
      ? { activity }
      : { error: new Error('The keys of the queue have unexpected types.') };
  });
}
