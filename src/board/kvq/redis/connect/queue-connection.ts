/** A queue's way to its server: the connection it has, and what is asked over it. */

import { within } from '../../time-limit.ts';
import { timeouts } from '../../timeouts.ts';
import { ask, hasAnswered, isSilent } from './circuit-breakers.ts';
import { lookForSuccessor, runBatch, runScript } from './run-scripts.ts';
import type { Batch } from './run-scripts.ts';
import { connectionIdentity, isCluster } from './client.ts';
import type { RedisClient, RedisCommand } from './client.ts';
import { readyClient } from './ready-client.ts';
import { defineScript } from './script.ts';
import type { Reply, Script, ScriptCall } from './script.ts';

const aliveScript = defineScript('return 1');

/** Where a line leads. */
export interface LineEnds {
  /** `<prefix>:<queue>`. */
  readonly qualifiedName: string;
  /** The options the connection was, or will be, made with; or the connection itself. */
  readonly connection: object;
  /** The connection once it has been made. */
  client(): Promise<RedisClient>;
}

export class QueueLine {
  readonly #ends: LineEnds;
  #connected: RedisClient | undefined;
  #identity: string | undefined;

  constructor(ends: LineEnds) {
    this.#ends = ends;
  }

  /** The same for all lines to the same data. */
  identity(): string {
    const { connection } = this.#ends;
    // What a cluster's client knows of it changes; all else stays as it is.
    if (isCluster(connection)) return connectionIdentity(connection);
    return (this.#identity ??= connectionIdentity(connection));
  }

  /** The client, connected and ready; rejects when its server is away. */
  async client(): Promise<RedisClient> {
    const client = await readyClient(
      this.#connected ? Promise.resolve(this.#connected) : this.#ends.client(),
    );
    this.#connected = client;
    return client;
  }

  /** The client, if it is connected and its server is not known to be silent. */
  get openClient(): RedisClient | undefined {
    const client = this.#connected;
    return client?.status === 'ready' && !isSilent(client) ? client : undefined;
  }

  /**
   * Resolves when the server answers now. A command that is sent to a server that does not is carried out whenever
   * that comes back, long after its sender was told that it failed.
   */
  async answers(): Promise<void> {
    const client = await this.client();
    if (!hasAnswered(this.#whom(client), timeouts().freshMs)) await this.run(aliveScript, []);
  }

  /** Runs a script on the queue's keys. */
  async run(script: Script, args: readonly (string | number)[]): Promise<unknown> {
    const client = await this.client();
    const keys = [`${this.#ends.qualifiedName}:`];
    return this.#ask(client, () => runScript(client, script, keys, args));
  }

  /** Runs a command on one of the queue's keys. */
  async command(name: string, key: string, ...args: (string | number)[]): Promise<unknown> {
    const client = await this.client();
    const whole = `${this.#ends.qualifiedName}:${key}`;
    return this.#ask(client, () => client.call(name, whole, ...args));
  }

  /** What every server behind the line replies to a command. */
  async everywhere(command: RedisCommand): Promise<readonly Reply[]> {
    return (await askBatch(await this.client(), [], [command])).perNode;
  }

  async #ask<Answer>(client: RedisClient, question: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask(this.#whom(client), timeouts().commandMs, question);
    } catch (error) {
      if (isCluster(client)) lookForSuccessor(client, error);
      throw error;
    }
  }

  /** A cluster has many servers; what this queue asks is answered by one of them. */
  #whom(client: RedisClient): object {
    return isCluster(client) ? this : client;
  }
}

/** Runs scripts, and commands on every server; see {@link runBatch}. */
export function askBatch(
  client: RedisClient,
  calls: readonly ScriptCall[],
  everywhere: readonly RedisCommand[] = [],
): Promise<Batch> {
  const question = (): Promise<Batch> => runBatch(client, calls, everywhere);
  const { commandMs } = timeouts();
  // The servers of a cluster have their own time each.
  return isCluster(client) ? within(commandMs, question()) : ask(client, commandMs, question);
}

/** A connected client of any of the lines: they all lead to the same data. */
async function anyClient(lines: readonly QueueLine[]): Promise<RedisClient> {
  for (const { openClient } of lines) if (openClient) return openClient;
  const clients = lines.map((line) => line.client());
  return Promise.any(clients).catch((error: unknown) => {
    throw error instanceof AggregateError ? error.errors[0] : error;
  });
}

/** Reads over any of the lines; over another one where the host closes the first one's connection meanwhile. */
export async function overAny<Result>(
  lines: readonly QueueLine[],
  read: (client: RedisClient) => Promise<Result>,
): Promise<Result> {
  const client = await anyClient(lines);
  const isOpen = (): boolean => client.status === 'ready' || client.status === 'wait';
  const result = await read(client).catch((error: unknown) => {
    if (isOpen()) throw error;
    return undefined;
  });
  return result !== undefined && isOpen() ? result : read(await anyClient(lines));
}
