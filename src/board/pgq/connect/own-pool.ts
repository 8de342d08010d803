/** Reads on a small pool of the board's own: named statements, limited by a setting of the connection. */

import pg from 'pg';
import { sqlExecutor } from '../../../adapters/sql/index.ts';
import { type NamedRow, type ReadChannel, type ReadSession, rowChannel } from './read-channel.ts';
import { waitedForConnection } from './read-errors.ts';
import { readTimeout } from './read-timeout.ts';

/** Connections for reads. */
const maxConnections = 3;
/** Milliseconds beyond the server's limit that the board waits for a server that does not answer. */
const grace = 1_000;
/** Milliseconds a connection may take to come about. */
const connectTimeout = 5_000;

/** A host's settings with the board's own defaults. */
export function poolConfig(config: pg.PoolConfig): pg.PoolConfig {
  return {
    ...config,
    application_name: config.application_name ?? 'sluice-board',
    connectionTimeoutMillis: config.connectionTimeoutMillis ?? connectTimeout,
  };
}

/** An idle connection that breaks is dropped by the pool; the next query opens another. */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => undefined);
  return pool;
}

/** The part of a client that says how a connection begins. */
interface Starting {
  getStartupConf(): object;
}

const { getStartupConf } = pg.Client.prototype as unknown as Starting;

/**
 * Clients that make their own limit of time for connecting: the pool's is one for waiting, too. Instants come as
 * ISO 8601 whatever the role or the database has set; as part of the start, since poolers know it there.
 */
function readingClient(connectionTimeoutMillis: number): pg.PoolConfig['Client'] {
  return class ReadingClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      // The pool hides the password from those who list its settings, and so from a copy of them.
      const password = config?.password;
      super({ ...config, ...(password !== undefined && { password }), connectionTimeoutMillis });
    }

    getStartupConf(): object {
      return { ...getStartupConf.call(this), DateStyle: 'ISO' };
    }
  };
}

/** A session on a pool: each statement on whichever connection is free, named once it recurs. */
export function poolSession(pool: pg.Pool): ReadSession {
  return {
    connection: { ...sqlExecutor(pool, { namedStatements: true }), channel: rowChannel },
    query: async (text, values) => (await pool.query<NamedRow>(text, [...values])).rows,
  };
}

/** A channel on a pool of its own. */
export function ownPoolChannel(config: pg.PoolConfig, queryTimeoutMs: number): ReadChannel {
  const settings = poolConfig(config);
  const patience = queryTimeoutMs + grace;
  const pool = openPool({
    ...settings,
    max: maxConnections,
    statement_timeout: queryTimeoutMs,
    query_timeout: patience,
    connectionTimeoutMillis: patience,
    Client: readingClient(settings.connectionTimeoutMillis ?? connectTimeout),
  });
  let connections = 0;
  pool.on('connect', () => (connections += 1));
  pool.on('remove', () => (connections -= 1));
  const session = poolSession(pool);
  return {
    read: async (work) => {
      try {
        return await work(session);
      } catch (error) {
        // With open connections, the wait was for other reads and not for the server.
        if (connections === 0 || !waitedForConnection(error)) throw error;
        throw readTimeout(patience, error);
      }
    },
    close: () => pool.end(),
  };
}
