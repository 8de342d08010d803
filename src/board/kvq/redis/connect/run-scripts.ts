/** Runs a batch of scripts on a Redis server or a cluster, with one write per node. */

import { CircuitOpenError, TimeoutError, withTimeout } from '../../../../lib/index.ts';
import { breakerOf } from './circuit-breakers.ts';
import { isCluster, nodeKey } from './client.ts';
import type { RedisClient, RedisCluster, RedisCommand, RedisConnection } from './client.ts';
import { sendBatch, valueOf } from './script.ts';
import type { Reply, Script, ScriptCall } from './script.ts';
import { timeouts } from '../../timeouts.ts';

const encoder = new TextEncoder();

function hashTag(key: string): string {
  const open = key.indexOf('{');
  if (open < 0) return key;
  const close = key.indexOf('}', open + 1);
  return close > open + 1 ? key.slice(open + 1, close) : key;
}

/** The slot of a key, 0 to 16383. */
function clusterSlot(key: string): number {
  let crc = 0;
  for (const byte of encoder.encode(hashTag(key))) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
    }
  }
  return crc % 16_384;
}

/** Replies to a batch, and to the command sent to every node. */
export interface Batch {
  readonly replies: readonly Reply[];
  readonly perNode: readonly Reply[];
}

/** The master that serves the slot of a call's keys. */
function nodeOf(
  cluster: RedisCluster,
  nodes: ReadonlyMap<string, RedisConnection>,
  call: ScriptCall,
): RedisConnection | undefined {
  const master = cluster.slots[clusterSlot(call.keys[0] ?? '')]?.[0];
  return master === undefined ? undefined : nodes.get(master);
}

/** Runs one script through the client's own routing, which also follows moved slots. */
export async function runScript(
  client: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  if (!isCluster(client)) return valueOf((await sendBatch(client, [{ script, keys, args }]))[0]);
  try {
    return await client.call('evalsha', script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return client.call('eval', script.lua, keys.length, ...keys, ...args);
  }
}

const moved = (reply: Reply): boolean =>
  'error' in reply && /^(?:MOVED|ASK|TRYAGAIN|CLUSTERDOWN) /.test(reply.error.message);

async function followMove(client: RedisCluster, call: ScriptCall): Promise<Reply> {
  try {
    const run = runScript(client, call.script, call.keys, call.args);
    return { value: await withTimeout(run, timeouts().nodeMs) };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Refreshes the slot map after a node failed: only the other nodes know the new master of its slots. */
export function refreshIfSilent(client: RedisCluster, error: unknown): void {
  if (error instanceof TimeoutError || error instanceof CircuitOpenError) {
    client.refreshSlotsCache(() => undefined);
  }
}

async function runOnCluster(
  client: RedisCluster,
  calls: readonly ScriptCall[],
  everywhere: readonly RedisCommand[],
): Promise<Batch> {
  const masters = client.nodes('master');
  const nodes = new Map(masters.map((node) => [nodeKey(node), node]));
  const byNode = new Map<RedisConnection, number[]>(masters.map((node) => [node, []]));
  const replies: Reply[] = Array.from({ length: calls.length }, () => ({
    error: new Error('MOVED to no known node'),
  }));
  for (const [index, call] of calls.entries()) {
    const node = nodeOf(client, nodes, call);
    if (node) byNode.get(node)?.push(index);
  }
  const perNode: Reply[] = [];
  await Promise.all(
    Array.from(byNode, async ([node, indexes]) => {
      const mine = indexes.flatMap((index) => calls[index] ?? []);
      // A failed node affects only its own queues.
      const batch = [...mine, ...everywhere];
      const answered = await breakerOf(node)
        .run(() => sendBatch(node, batch), timeouts().nodeMs)
        .catch((error: Error) => {
          refreshIfSilent(client, error);
          return batch.map((): Reply => ({ error }));
        });
      for (const [position, reply] of answered.entries()) {
        const index = indexes[position];
        if (index === undefined) perNode.push(reply);
        else replies[index] = reply;
      }
    }),
  );
  await Promise.all(
    calls.map(async (call, index) => {
      const reply = replies[index];
      if (reply && moved(reply)) replies[index] = await followMove(client, call);
    }),
  );
  return { replies, perNode };
}

/** Runs all scripts, and the commands of `everywhere` once per node, in one write per node. */
export async function runBatch(
  client: RedisClient,
  calls: readonly ScriptCall[],
  everywhere: readonly RedisCommand[] = [],
): Promise<Batch> {
  if (isCluster(client)) return runOnCluster(client, calls, everywhere);
  const answered = await sendBatch(client, [...calls, ...everywhere]);
  return { replies: answered.slice(0, calls.length), perNode: answered.slice(calls.length) };
}
