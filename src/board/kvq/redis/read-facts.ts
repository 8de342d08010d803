/** Reads the facts of many queues on one server or cluster in a single write. */

import type { FactsRead, FactsResult } from '../model/store.ts';
import type { JobStatus } from '../model/types.ts';
import type { RedisClient } from './connect/client.ts';
import { isCluster } from './connect/client.ts';
import { workerNames } from './client-list.ts';
import { factsCalls, parseFacts, parseRows } from './facts.ts';
import { sendScripts } from './connect/queue-connection.ts';
import type { Reply, ScriptCall } from './connect/script.ts';

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
