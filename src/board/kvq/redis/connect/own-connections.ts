/**
 * Connections to Redis that belong to a board: a reply on one of them does not delay the commands of the host. Each is
 * made of a connection of the host at the first read, lasts no longer than it, and so keeps no process alive.
 */

import type { HeavyReads, InTurn } from '../../../core/index.ts';
import { UnreachableError } from '../../errors/unavailable.ts';
import { connectionIdentity, isCluster, optionOf, type RedisClient } from './client.ts';
import { QueueConnection, type ConnectionSource } from './queue-connection.ts';
import type { Script } from './script.ts';

/** The name of the connections, which must not be that of a worker. */
const connectionName = 'sluice-board';

/** A connection of the same settings; undefined where the client of the host cannot make one. */
function duplicateOf(host: RedisClient): RedisClient | undefined {
  // A lazy connection would wait for its first command, which is sent when it is connected.
  const options = { lazyConnect: false };
  // A read whose connection breaks fails at once. Kept for the next connection, it would hold up those who join it.
  const ofNode = { connectionName, maxRetriesPerRequest: 0 };
  if (!isCluster(host)) return host.duplicate?.({ ...options, ...ofNode });
  const redisOptions = { ...Object(optionOf(host.options, 'redisOptions')), ...ofNode };
  return host.duplicate?.([], { ...options, redisOptions });
}

/** Runs scripts on the keys of a queue. */
type RunScript = (script: Script, args: readonly (string | number)[]) => Promise<unknown>;

const byBoard = new WeakMap<HeavyReads, OwnConnections>();

/** The connections of a board, which it closes. */
export function ownConnections(board: HeavyReads): OwnConnections {
  const known = byBoard.get(board);
  if (known) return known;
  const made = new OwnConnections(() => board.turns());
  byBoard.set(board, made);
  board.onClose(() => made.close());
  return made;
}

/** The connections of one board. */
class OwnConnections {
  readonly #queues = new WeakMap<ConnectionSource, RunScript>();
  readonly #turns = new Map<string, InTurn>();
  readonly #takeTurns: HeavyReads['turns'];
  /** By the identity of the data; on a cluster, whose nodes change, by the client of the host. */
  readonly #clients = new Map<string | RedisClient, RedisClient>();
  #closed = false;

  /** `takeTurns` makes the turns of the requests to one datastore, so that one that is slow delays no other. */
  constructor(takeTurns: HeavyReads['turns']) {
    this.#takeTurns = takeTurns;
  }

  /** Runs scripts on the keys of a queue over a connection beside that of the host. */
  of(source: ConnectionSource, host: QueueConnection): RunScript {
    let run = this.#queues.get(source);
    if (!run) {
      const connection = new QueueConnection({
        qualifiedName: source.qualifiedName,
        connection: source.connection,
        client: async () => {
          // A server that hangs accepts connections, and would leave this one waiting.
          await host.ensureAlive();
          return this.#beside(await host.client());
        },
      });
      const identity = host.identity();
      const inTurn = this.#turns.get(identity) ?? this.#takeTurns();
      this.#turns.set(identity, inTurn);
      run = (script, args) => inTurn(() => connection.run(script, args));
      this.#queues.set(source, run);
    }
    return run;
  }

  close(): void {
    this.#closed = true;
    for (const client of this.#clients.values()) client.disconnect?.();
    this.#clients.clear();
  }

  #beside(host: RedisClient): RedisClient {
    if (this.#closed) throw new UnreachableError('The board is closed.');
    const key = isCluster(host) ? host : connectionIdentity(host);
    const known = this.#clients.get(key);
    if (known && known.status !== 'end') return known;
    const client = duplicateOf(host);
    if (!client) return host;
    const leave = (): void => client.disconnect?.();
    host.once('end', leave);
    client.once('end', () => {
      host.removeListener('end', leave);
      if (this.#clients.get(key) === client) this.#clients.delete(key);
    });
    // A client without a listener prints its errors; requests report them.
    client.on?.('error', () => undefined);
    this.#clients.set(key, client);
    return client;
  }
}
