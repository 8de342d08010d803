/** Reads the facts of many queues on one server or cluster in a single write. */

import type { FactsResult } from '../model/store.ts';
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

/** A row of facts, or an error, for each queue of the calls, in order. */
function rowsOf(calls: readonly ScriptCall[], replies: readonly Reply[]): unknown[] {
  return calls.flatMap(({ keys }, index) => {
    const reply = replies[index] ?? { error: new Error('Not read.') };
    const parsed = 'value' in reply ? parseRows(reply.value) : [];
    return keys.map((_key, index) => ('error' in reply ? reply.error : parsed[index]));
  });
}

/**
 * One call per queue, for a server that refused the combined call because the user may not access all of the queues.
 */
async function readOneByOne(
  client: RedisClient,
  calls: readonly ScriptCall[],
  rows: readonly unknown[],
): Promise<readonly unknown[]> {
  const forbidden = (row: unknown): boolean =>
    row instanceof Error && row.message.startsWith('NOPERM');
  const single = calls.flatMap((call) => call.keys.map((key) => ({ ...call, keys: [key] })));
  const again = single.filter((_call, index) => forbidden(rows[index]));
  if (again.length === 0 || single.length === calls.length) return rows;
  const seconds = rowsOf(again, (await sendScripts(client, again)).replies).values();
  return rows.map((row) => (forbidden(row) ? seconds.next().value : row));
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

function resultOf(
  row: unknown,
  statuses: readonly JobStatus[],
  hasWorkers: boolean | null,
): FactsResult {
  if (row instanceof Error) return { error: row };
  const facts = parseFacts(row, statuses);
  return facts
    ? { facts, hasWorkers }
    : { error: new Error('The keys of the queue have unexpected types.') };
}

/** Facts of the queues, in order. Rejects when the server is unreachable. */
export async function readFacts(
  client: RedisClient,
  queues: readonly FactsQueue[],
  withWorkers: boolean,
): Promise<FactsResult[]> {
  const kinds = Map.groupBy(queues, ({ legacy, statuses }) => [legacy, ...statuses].join());
  const ordered = Array.from(kinds.values()).flat();
  const calls = Array.from(kinds.values()).flatMap((members) => {
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
      resultOf(rows[index], queue.statuses, names?.has(queue.clientName) ?? null),
    ]),
  );
  return queues.map((queue) => results.get(queue) ?? { error: new Error('Not read.') });
}
