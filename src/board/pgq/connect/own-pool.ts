/** Reads on a small pool owned by the board: named statements, with a statement timeout set per connection. */

import pg from 'pg';
import { sqlExecutor } from '../../../adapters/sql/index.ts';
import { type NamedRow, type ReadChannel, type ReadSession, rowChannel } from './read-channel.ts';
import { isPoolTimeout } from './read-errors.ts';
import { readTimeout } from './read-timeout.ts';

/** Pool size for reads. */
const maxConnections = 3;
/** Milliseconds that the board waits beyond the statement timeout of the server. */
const grace = 1_000;
/** Timeout of connecting in milliseconds. */
const connectTimeout = 5_000;

/** The settings of the host with the defaults of the board. */
export function poolConfig(config: pg.PoolConfig): pg.PoolConfig {
  return {
    ...config,
    application_name: config.application_name ?? 'sluice-board',
    connectionTimeoutMillis: config.connectionTimeoutMillis ?? connectTimeout,
  };
}

/** The pool drops idle connections that break; the next query opens another. */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => undefined);
  return pool;
}

/** The `pg` method that returns the startup parameters. */
interface Starting {
  getStartupConf(): object;
}

const { getStartupConf } = pg.Client.prototype as unknown as Starting;

/**
 * A client class with a timeout for connecting; the timeout of the pool also includes waiting for a free connection.
 * Times are returned as ISO 8601 regardless of role and database settings. `DateStyle` is a startup parameter because
 * poolers support it there.
 */
function readingClient(connectionTimeoutMillis: number): pg.PoolConfig['Client'] {
  return class ReadingClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      // `password` is not enumerable in the settings of the pool, so copying them would lose it.
      const password = config?.password;
      super({ ...config, ...(password !== undefined && { password }), connectionTimeoutMillis });
    }

    getStartupConf(): object {
      return { ...getStartupConf.call(this), DateStyle: 'ISO' };
    }
  };
}

/** A session on a pool: each statement runs on any free connection, as a named statement once it recurs. */
export function poolSession(pool: pg.Pool): ReadSession {
  return {
    connection: { ...sqlExecutor(pool), channel: rowChannel },
    query: async (text, values) => (await pool.query<NamedRow>(text, [...values])).rows,
  };
}

/** A channel on a pool owned by the board. */
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
        // With open connections, the read was waiting for other reads and not for the server.
        if (connections === 0 || !isPoolTimeout(error)) throw error;
        throw readTimeout(patience, error);
      }
    },
    close: () => pool.end(),
  };
}
