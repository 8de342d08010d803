/**
 * Compares the time for which a pool of `pg` lends its connections with the time of the statements on them, in the
 * process under test.
 */

import pg from 'pg';

/** A connection that is lent. Times in milliseconds. */
interface Lent {
  readonly since: number;
  /** Since when no statement runs; `undefined` while one does. */
  freeSince: number | undefined;
  /** Time without a statement before that. */
  idle: number;
}

/** The figures since the last reading. Times in milliseconds. */
export interface HeldFigures {
  /** How often a connection was lent. */
  readonly lent: number;
  /** Time of all connections between lending and return. */
  readonly heldMs: number;
  /** Time of it without a statement, such as before the first and after the last. */
  readonly idleMs: number;
  /** The longest such time of one connection. */
  readonly longestIdleMs: number;
  /** Connections that were returned in a later turn of the event loop than the one in which their statements ended. */
  readonly late: number;
  /** The most connections that were lent at a time. */
  readonly mostInUse: number;
}

const none: HeldFigures = {
  lent: 0,
  heldMs: 0,
  idleMs: 0,
  longestIdleMs: 0,
  late: 0,
  mostInUse: 0,
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The part of a client that is watched. */
type Client = pg.PoolClient & {
  readonly connection: { prependListener(event: 'readyForQuery', listener: () => void): void };
};

/** Watches the connections of all pools of this process. Call it before a pool is created. */
export function watchConnections(): () => HeldFigures {
  let figures: Mutable<HeldFigures> = { ...none };
  const lent = new Map<object, Lent>();
  const known = new WeakSet<object>();

  /** Tells when statements of a client start and end. The server's message is heard before the driver hears it. */
  const watch = (client: Client): void => {
    if (known.has(client)) return;
    known.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      const loan = lent.get(client);
      if (loan?.freeSince !== undefined) loan.idle += performance.now() - loan.freeSince;
      if (loan) loan.freeSince = undefined;
      return query(...given);
    }) as typeof client.query;
    client.connection.prependListener('readyForQuery', () => {
      const loan = lent.get(client);
      if (!loan) return;
      const ended = performance.now();
      loan.freeSince = ended;
      setImmediate(() => {
        if (lent.get(client) === loan && loan.freeSince === ended) figures.late += 1;
      });
    });
  };

  const acquired = (client: Client): void => {
    watch(client);
    const since = performance.now();
    lent.set(client, { since, freeSince: since, idle: 0 });
    figures.lent += 1;
    figures.mostInUse = Math.max(figures.mostInUse, lent.size);
  };

  const released = (client: Client): void => {
    const loan = lent.get(client);
    if (!loan) return;
    lent.delete(client);
    const now = performance.now();
    const { since, freeSince = now } = loan;
    const idle = loan.idle + now - freeSince;
    figures.heldMs += now - since;
    figures.idleMs += idle;
    figures.longestIdleMs = Math.max(figures.longestIdleMs, idle);
  };

  const { prototype } = pg.Pool;
  const emit = prototype.emit as (event: string, ...given: unknown[]) => boolean;
  prototype.emit = function emitted(this: pg.Pool, event: string, ...given: unknown[]) {
    if (event === 'acquire') acquired(given[0] as Client);
    else if (event === 'release') released(given[1] as Client);
    return emit.call(this, event, ...given);
  } as typeof prototype.emit;

  return () => {
    const found = figures;
    figures = { ...none };
    return found;
  };
}
