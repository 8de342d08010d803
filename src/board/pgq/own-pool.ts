/** Reads on a small pool of the board's own: named statements, limited by a setting of the connection. */

import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { NamedRow, ReadChannel, ReadSession } from './read-channel.ts';

/** Connections for reads. */
const readers = 3;
/** Milliseconds beyond the server's own limit after which a silent server is given up. */
const grace = 1_000;
/** Milliseconds a connection may take to come about. */
const connectTimeout = 5_000;

/** A host's settings with the board's own defaults. */
export function poolConfig(config: pg.PoolConfig): pg.PoolConfig {
  return {
    application_name: 'sluice-board',
    connectionTimeoutMillis: connectTimeout,
    ...config,
  };
}

/** An idle connection that breaks is dropped by the pool; the next query opens another. */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => undefined);
  return pool;
}

/** A channel on its own pool. */
export function ownPoolChannel(config: pg.PoolConfig, queryTimeoutMs: number): ReadChannel {
  const pool = openPool({
    ...poolConfig(config),
    max: readers,
    statement_timeout: queryTimeoutMs,
    query_timeout: queryTimeoutMs + grace,
  });
  const session: ReadSession = {
    db: drizzle(pool),
    namedStatements: true,
    query: async (text, values) => (await pool.query<NamedRow>(text, [...values])).rows,
  };
  return {
    read: (work) => work(session),
    close: () => pool.end(),
  };
}
