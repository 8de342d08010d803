/** The connection of a queue to its Redis server or cluster, and the batches of scripts sent over it, one write per node. */

import {
  withTimeout,
  CircuitOpenError,
  TimeoutError,
  CircuitBreaker,
} from '../../../../lib/index.ts';
import { connectionIdentity, isCluster, nodeKey } from './client.ts';
import type { RedisClient, RedisCommand, RedisCluster, RedisConnection } from './client.ts';
import { readyClient } from './ready-client.ts';
import { defineScript, sendBatch, valueOf } from './script.ts';
import type { Reply, Script, ScriptCall } from './script.ts';
import { timeouts } from '../../timeouts.ts';

const pingScript = defineScript('return 1');

/** Access to the connection of a queue. */
export interface ConnectionSource {
  /** `<prefix>:<queue>`. */
  readonly qualifiedName: string;
  /** The options of the connection, or the connection itself. */
  readonly connection: object;
  /** Resolves to the connection once it exists. */
  client(): Promise<RedisClient>;
}

export class QueueConnection {
  readonly #source: ConnectionSource;
  #connected: RedisClient | undefined;
  #identity: string | undefined;

  constructor(source: ConnectionSource) {
    this.#source = source;
  }

  /** Connection identity: equal for connections to the same data. */
  identity(): string {
    const { connection } = this.#source;
    // Only the known nodes of a cluster change, so any other identity is cached.
    if (isCluster(connection)) return connectionIdentity(connection);
    return (this.#identity ??= connectionIdentity(connection));
  }

  /** The client, connected and ready. Rejects when its server is unreachable. */
  async client(): Promise<RedisClient> {
    const known = this.#connected;
    if (known?.status === 'ready') return known;
    const isOpen = known !== undefined && known.status !== 'end';
    const client = await readyClient(this, isOpen ? Promise.resolve(known) : this.#source.client());
    this.#connected = client;
    return client;
  }

  /** The client when it is connected and its circuit breaker is closed. */
  get openClient(): RedisClient | undefined {
    const client = this.#connected;
    return client?.status === 'ready' && !breakerOf(client).isOpen ? client : undefined;
  }

  /**
   * Resolves when the server responds. Called before a write: a hanging server would execute the write after it
   * recovers, long after the client received an error.
   */
  async ensureAlive(): Promise<void> {
    const client = await this.client();
    const breaker = breakerOf(this.#targetOf(client));
    if (!breaker.answeredWithin(timeouts().freshMs)) await this.run(pingScript, []);
  }

  /** Runs a script on the queue's keys. */
  async run(script: Script, args: readonly (string | number)[]): Promise<unknown> {
    const client = await this.client();
    const keys = [`${this.#source.qualifiedName}:`];
    return this.#send(client, () => runScript(client, script, keys, args));
  }

  /** Runs a command on a key of the queue. */
  async command(name: string, key: string, ...args: (string | number)[]): Promise<unknown> {
    const client = await this.client();
    const fullKey = `${this.#source.qualifiedName}:${key}`;
    return this.#send(client, () => client.call(name, fullKey, ...args));
  }

  /** The replies of all servers to a command. */
  async everywhere(command: RedisCommand): Promise<readonly Reply[]> {
    return (await sendScripts(await this.client(), [], [command])).perNode;
  }

  async #send<Answer>(client: RedisClient, request: () => Promise<Answer>): Promise<Answer> {
    try {
      return await breakerOf(this.#targetOf(client)).run(request, timeouts().commandMs);
    } catch (error) {
      if (isCluster(client)) refreshIfSilent(client, error);
      throw error;
    }
  }

  /** On a cluster each queue has its own circuit breaker, because one node holds all of its keys. */
  #targetOf(client: RedisClient): object {
    return isCluster(client) ? this : client;
  }
}

/** Runs scripts, and commands on all servers, within the time limit; see {@link runBatch}. */
export function sendScripts(
  client: RedisClient,
  calls: readonly ScriptCall[],
  everywhere: readonly RedisCommand[] = [],
): Promise<Batch> {
  const request = (): Promise<Batch> => runBatch(client, calls, everywhere);
  // Cluster nodes have their own circuit breakers.
  return isCluster(client)
    ? withTimeout(request(), timeouts().commandMs)
    : breakerOf(client).run(request, timeouts().commandMs);
}

/** A connected client of any of the connections, which all lead to the same data. */
async function anyClient(connections: readonly QueueConnection[]): Promise<RedisClient> {
  for (const { openClient } of connections) if (openClient) return openClient;
  const clients = connections.map((connection) => connection.client());
  return Promise.any(clients).catch((error: unknown) => {
    throw error instanceof AggregateError ? error.errors[0] : error;
  });
}

/** Reads over any of the connections; retries over a second one when the host closes the first one meanwhile. */
export async function readOverAny<Result>(
  connections: readonly QueueConnection[],
  read: (client: RedisClient) => Promise<Result>,
): Promise<Result> {
  const client = await anyClient(connections);
  const isOpen = (): boolean => client.status === 'ready' || client.status === 'wait';
  const result = await read(client).catch((error: unknown) => {
    if (isOpen()) throw error;
    return undefined;
  });
  return result !== undefined && isOpen() ? result : read(await anyClient(connections));
}

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
interface Batch {
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
async function runScript(
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
function refreshIfSilent(client: RedisCluster, error: unknown): void {
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
async function runBatch(
  client: RedisClient,
  calls: readonly ScriptCall[],
  everywhere: readonly RedisCommand[] = [],
): Promise<Batch> {
  if (isCluster(client)) return runOnCluster(client, calls, everywhere);
  const answered = await sendBatch(client, [...calls, ...everywhere]);
  return { replies: answered.slice(0, calls.length), perNode: answered.slice(calls.length) };
}

const breakers = new WeakMap<object, CircuitBreaker>();

/** The circuit breaker of a connection; on a cluster, one per queue. */
function breakerOf(target: object): CircuitBreaker {
  let breaker = breakers.get(target);
  if (!breaker) breakers.set(target, (breaker = new CircuitBreaker()));
  return breaker;
}
