/** The connection of a queue to its Redis server, and the requests sent over it. */

import { withTimeout } from '../../../../lib/index.ts';
import { breakerOf } from './circuit-breakers.ts';
import { connectionIdentity, isCluster } from './client.ts';
import type { RedisClient, RedisCommand } from './client.ts';
import { readyClient } from './ready-client.ts';
import { refreshIfSilent, runBatch, runScript } from './run-scripts.ts';
import type { Batch } from './run-scripts.ts';
import { defineScript } from './script.ts';
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
