/** Reads counts, pause state, limits and schedulers of many queues on one server or cluster in a single write. */

import type { FactsRead, FactsResult, QueueFacts } from '../model/store.ts';
import { pauseOf } from '../model/pause.ts';
import type { JobStatus } from '../model/types.ts';
import { type RedisClient, isCluster } from './connect/client.ts';
import { workerNames } from './client-list.ts';
import { sendScripts } from './connect/queue-connection.ts';
import { type Reply, type ScriptCall, defineScript, type Script } from './connect/script.ts';
import { keyOfStatus, listStatuses } from '../model/status.ts';

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
 * nothing, except that it removes the note of a pause that is over (`pause-note.ts`). The marker entry that BullMQ before version 5 keeps at the end of the waiting list is subtracted; the
 * version stored with a queue does not help, because it is that of its latest client, and workers of another version
 * may be running. `limiter` counts the jobs that the rate limiter has let through; its TTL applies once the limit is
 * reached. The script is unrolled over the statuses, because loop steps dominate its run time. It returns a row of
 * numbers for each queue, and the note: texts are quick to make, and quick to compare with those of the last read.
 */
function factsScript(legacy: boolean, statuses: readonly JobStatus[]): Script {
  return defineScript(`
local call, sub, format = redis.call, string.sub, string.format
local function length(key)
  local count = call('LLEN', key)
  if count > 0 and sub(call('LINDEX', key, -1), 1, 2) == '0:' then return count - 1 end
  return count
end
local function escaped(text)
  return (string.gsub(text, '[^%w]', function(sign) return format('%%%02X', string.byte(sign)) end))
end
local function facts(base)
  local meta = call('HMGET', base .. 'meta', 'paused', 'concurrency', 'max')
  local paused, ttl = meta[1] and 1 or 0, 0
${legacy ? ofBull : ofBullMq}
  local note = ''
  if paused == 1 then
    note = escaped(call('GET', base .. 'sluice-pause') or '')
  elseif call('EXISTS', base .. 'sluice-pause') == 1 then
    redis.pcall('DEL', base .. 'sluice-pause')
  end
  return format('${Array.from({ length: statuses.length + 4 }, () => '%d').join()},',
    ${statuses.map((status) => counted(status, legacy)).join(',\n    ')},
    call('ZCARD', base .. 'repeat'), paused, tonumber(meta[2] or -1) or -1, ttl > 0 and ttl or 0) .. note
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
function factsCalls(group: FactsGroup, perScript = queuesPerScript): ScriptCall[] {
  const script = scriptOf(group.legacy, group.statuses);
  const calls: ScriptCall[] = [];
  for (let from = 0; from < group.bases.length; from += perScript) {
    calls.push({ script, keys: group.bases.slice(from, from + perScript), args: [] });
  }
  return calls;
}

/** The rows of one script reply, one per queue. */
function parseRows(value: unknown): string[] {
  return String(value).split(';');
}

/** Parses the facts of a queue from its row; `null` when its keys have unexpected types. */
function parseFacts(row: string, statuses: readonly JobStatus[]): QueueFacts | null {
  if (row === '') return null;
  const numbers = row.split(',');
  const at = (index: number): number => Number(numbers[index]) || 0;
  const counts: Partial<Record<JobStatus, number>> = {};
  for (const [index, status] of statuses.entries()) counts[status] = at(index);
  const after = statuses.length;
  const concurrency = at(after + 2);
  const note = numbers[after + 4];
  return {
    counts,
    jobSchedulerCount: at(after),
    isPaused: at(after + 1) === 1,
    globalConcurrency: concurrency >= 0 && Number.isSafeInteger(concurrency) ? concurrency : null,
    activeRateLimitTtl: at(after + 3),
    ...(note && { pause: pauseOf(() => decodeURIComponent(note)) }),
  };
}

/** A queue whose facts are read. */
export interface FactsQueue {
  readonly legacy: boolean;
  readonly statuses: readonly JobStatus[];
  readonly qualifiedName: string;
  /** Connection name of the queue's workers. */
  readonly clientName: string;
}

const notRead = (): Error => new Error('Not read.');

/** A row of facts, or an error, for each queue of the calls, in order. */
function rowsOf(calls: readonly ScriptCall[], replies: readonly Reply[]): (string | Error)[] {
  return calls.flatMap(({ keys }, index) => {
    const reply = replies[index] ?? { error: notRead() };
    const rows = 'value' in reply ? parseRows(reply.value) : [];
    return keys.map((_key, place) => ('error' in reply ? reply.error : (rows[place] ?? notRead())));
  });
}

/**
 * One call per queue, for a server that refused the combined call because the user may not access all of the queues.
 */
async function readOneByOne(
  client: RedisClient,
  calls: readonly ScriptCall[],
  rows: readonly (string | Error)[],
): Promise<readonly (string | Error)[]> {
  const forbidden = (row: string | Error | undefined): boolean =>
    row instanceof Error && row.message.startsWith('NOPERM');
  if (rows.length === calls.length || !rows.some(forbidden)) return rows;
  const single = calls.flatMap((call) => call.keys.map((key) => ({ ...call, keys: [key] })));
  const again = single.filter((_call, index) => forbidden(rows[index]));
  const seconds = rowsOf(again, (await sendScripts(client, again)).replies).values();
  return rows.map((row) => (forbidden(row) ? (seconds.next().value ?? row) : row));
}

function namesIn(replies: readonly Reply[]): ReadonlySet<string> | null {
  const names = new Set<string>();
  for (const reply of replies) {
    // A server that refuses `CLIENT LIST` leaves it unknown whether there are workers.
    if ('error' in reply) return null;
    workerNames(String(reply.value), names);
  }
  return names;
}

/** The last facts of each queue, with the row that they were made of. */
const lastFacts = new WeakMap<FactsQueue, { readonly row: string; readonly result: FactsRead }>();

/** The same object as at the last read where nothing has changed since then. */
function resultOf(queue: FactsQueue, row: string | Error, hasWorkers: boolean | null): FactsResult {
  if (row instanceof Error) return { error: row };
  const last = lastFacts.get(queue);
  if (last?.row === row && last.result.hasWorkers === hasWorkers) return last.result;
  const facts = parseFacts(row, queue.statuses);
  if (!facts) return { error: new Error('The keys of the queue have unexpected types.') };
  const result = { facts, hasWorkers };
  lastFacts.set(queue, { row, result });
  return result;
}

const kinds = new WeakMap<FactsQueue, string>();

/** Equal for queues that one script can read together. */
function kindOf(queue: FactsQueue): string {
  let kind = kinds.get(queue);
  if (kind === undefined) kinds.set(queue, (kind = [queue.legacy, ...queue.statuses].join()));
  return kind;
}

/** Facts of the queues, in order. Rejects when the server is unreachable. */
export async function readFacts(
  client: RedisClient,
  queues: readonly FactsQueue[],
  withWorkers: boolean,
): Promise<FactsResult[]> {
  const groups = [...Map.groupBy(queues, kindOf).values()];
  const ordered = groups.flat();
  const calls = groups.flatMap((members) => {
    const [{ legacy, statuses } = { legacy: false, statuses: [] }] = members;
    const bases = members.map(({ qualifiedName }) => `${qualifiedName}:`);
    // On a cluster, the keys of a script must be in one slot.
    return factsCalls({ legacy, statuses, bases }, isCluster(client) ? 1 : undefined);
  });
  const everywhere = withWorkers ? [['client', 'LIST']] : [];
  const { replies, perNode } = await sendScripts(client, calls, everywhere);
  const rows = await readOneByOne(client, calls, rowsOf(calls, replies));
  const names = withWorkers ? namesIn(perNode) : null;
  const results = new Map(
    ordered.map((queue, index) => [
      queue,
      resultOf(queue, rows[index] ?? notRead(), names?.has(queue.clientName) ?? null),
    ]),
  );
  return queues.map((queue) => results.get(queue) ?? { error: notRead() });
}
