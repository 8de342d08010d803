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

const aliveScript = defineScript('return 1');

/** Where a queue's connection comes from. */
export interface ConnectionSource {
  /** `<prefix>:<queue>`. */
  readonly qualifiedName: string;
  /** The options the connection was, or will be, made with; or the connection itself. */
  readonly connection: object;
  /** The connection once it has been made. */
  client(): Promise<RedisClient>;
}

export class QueueConnection {
  readonly #source: ConnectionSource;
  #connected: RedisClient | undefined;
  #identity: string | undefined;

  constructor(source: ConnectionSource) {
    this.#source = source;
  }

  /** Equal for all connections to the same data. */
  identity(): string {
    const { connection } = this.#source;
    // The known nodes of a cluster change; everything else is constant.
    if (isCluster(connection)) return connectionIdentity(connection);
    return (this.#identity ??= connectionIdentity(connection));
  }

  /** The client, connected and ready; rejects when its server cannot be reached. */
  async client(): Promise<RedisClient> {
    const client = await readyClient(
      this.#connected ? Promise.resolve(this.#connected) : this.#source.client(),
    );
    this.#connected = client;
    return client;
  }

  /** The client, if it is connected and its circuit breaker is closed. */
  get openClient(): RedisClient | undefined {
    const client = this.#connected;
    return client?.status === 'ready' && !breakerOf(client).isOpen ? client : undefined;
  }

  /**
   * Resolves when the server answers now. A write sent to a server that hangs would be carried out whenever the
   * server goes on, long after the client was told that it failed.
   */
  async ensureAlive(): Promise<void> {
    const client = await this.client();
    const breaker = breakerOf(this.#targetOf(client));
    if (!breaker.answeredWithin(timeouts().freshMs)) await this.run(aliveScript, []);
  }

  /** Runs a script on the queue's keys. */
  async run(script: Script, args: readonly (string | number)[]): Promise<unknown> {
    const client = await this.client();
    const keys = [`${this.#source.qualifiedName}:`];
    return this.#send(client, () => runScript(client, script, keys, args));
  }

  /** Runs a command on one of the queue's keys. */
  async command(name: string, key: string, ...args: (string | number)[]): Promise<unknown> {
    const client = await this.client();
    const fullKey = `${this.#source.qualifiedName}:${key}`;
    return this.#send(client, () => client.call(name, fullKey, ...args));
  }

  /** The reply of every server to a command. */
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

  /** A cluster has many servers, of which one holds this queue: each queue has a breaker of its own there. */
  #targetOf(client: RedisClient): object {
    return isCluster(client) ? this : client;
  }
}

/** Runs scripts, and commands on every server, within the time limit; see {@link runBatch}. */
export function sendScripts(
  client: RedisClient,
  calls: readonly ScriptCall[],
  everywhere: readonly RedisCommand[] = [],
): Promise<Batch> {
  const request = (): Promise<Batch> => runBatch(client, calls, everywhere);
  // The nodes of a cluster have breakers of their own.
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

/** Reads over any of the connections; over a second one if the host closes the first one meanwhile. */
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
