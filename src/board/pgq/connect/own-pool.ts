/** Reads on a small pool owned by the board: named statements, with a statement timeout set per connection. */

import type pg from 'pg';
import { executorOf } from '../../../adapters/sql/executors/recognise.ts';
import { type WarningLog, errorCauses, notInEffect, sqlState } from '../../../lib/index.ts';
import { addStartup, takesStartup } from '../../../relational/index.ts';
import { borrowedPoolChannel } from './borrowed-pool.ts';
import { type NamedRow, type ReadChannel, type ReadSession, rowChannel } from './read-channel.ts';
import { type PgDriver, endPool, openPool } from './end-pool.ts';
import { isPoolTimeout } from './read-errors.ts';
import { readTimeout } from './read-timeout.ts';

/** Pool size for reads. */
const maxConnections = 3;
/** Milliseconds that the board waits beyond the statement timeout of the server. */
const grace = 1_000;
/** Timeout of connecting in milliseconds. */
const connectTimeout = 5_000;

/** Milliseconds of silence after which the connection is probed, so that one whose server has gone is noticed. */
const keepAliveDelay = 10_000;

/** The settings of the host with the defaults of the board. */
export function poolConfig(config: pg.PoolConfig): pg.PoolConfig {
  return {
    ...config,
    application_name: config.application_name ?? 'sluice-board',
    connectionTimeoutMillis: config.connectionTimeoutMillis ?? connectTimeout,
    keepAlive: config.keepAlive ?? true,
    keepAliveInitialDelayMillis: config.keepAliveInitialDelayMillis ?? keepAliveDelay,
  };
}

/**
 * A client class with a timeout for connecting; the timeout of the pool also includes waiting for a free connection.
 * Times are returned as ISO 8601 regardless of role and database settings. `DateStyle` is a startup parameter because
 * poolers support it there.
 */
function readingClient(
  { Client }: PgDriver,
  connectionTimeoutMillis: number,
): pg.PoolConfig['Client'] {
  return class ReadingClient extends Client {
    constructor(config?: pg.ClientConfig) {
      // `password` is not enumerable in the settings of the pool, so copying them would lose it.
      const password = config?.password;
      super({ ...config, ...(password !== undefined && { password }), connectionTimeoutMillis });
      addStartup(this, { DateStyle: 'ISO' });
    }
  };
}

/** Without startup parameters, each transaction sets what it needs. */
function takesDateStyle({ Client }: PgDriver, log: WarningLog): boolean {
  const takes = takesStartup(Client);
  if (!takes) {
    const part = 'the startup parameters of a client of "pg"';
    notInEffect(part, 'the board reads in transactions of their own, which is slower', log);
  }
  return takes;
}

/** A session on a pool: each statement runs on any free connection, as a named statement once it recurs. */
export function poolSession(pool: pg.Pool): ReadSession {
  return {
    connection: { ...executorOf(pool), channel: rowChannel },
    query: async (text, values) => (await pool.query<NamedRow>(text, [...values])).rows,
  };
}

/** Whether a pooler refuses what only a connection of its own allows: startup parameters, named statements. */
function isFromPooler(error: unknown): boolean {
  const state = sqlState(error);
  if (state === '26000' || state === '42P05') return true;
  return errorCauses(error).some(({ message }) =>
    message.includes('unsupported startup parameter'),
  );
}

/** A channel on a pool owned by the board, behind a pooler: what the pooler may not keep is set in each transaction. */
function pooledChannel(
  driver: PgDriver,
  config: pg.PoolConfig,
  queryTimeoutMs: number,
): ReadChannel {
  const pool = openPool(driver, { ...poolConfig(config), max: maxConnections });
  return { ...borrowedPoolChannel(pool, queryTimeoutMs), close: () => endPool(pool) };
}

/** A channel on a pool owned by the board. It takes the way of a pooler once it meets one. */
export function ownPoolChannel(
  driver: PgDriver,
  config: pg.PoolConfig,
  queryTimeoutMs: number,
  pooler: boolean,
  log: WarningLog,
): ReadChannel {
  if (pooler || !takesDateStyle(driver, log)) return pooledChannel(driver, config, queryTimeoutMs);
  const direct = directChannel(driver, config, queryTimeoutMs);
  let pooled: ReadChannel | undefined;
  return {
    read: async (work) => {
      if (pooled) return pooled.read(work);
      try {
        return await direct.read(work);
      } catch (error) {
        if (!isFromPooler(error)) throw error;
        pooled ??= pooledChannel(driver, config, queryTimeoutMs);
        return pooled.read(work);
      }
    },
    close: async () => {
      await Promise.all([direct.close(), pooled?.close()]);
    },
  };
}

/** A channel on connections to the server itself. */
function directChannel(
  driver: PgDriver,
  config: pg.PoolConfig,
  queryTimeoutMs: number,
): ReadChannel {
  const settings = poolConfig(config);
  const patience = queryTimeoutMs + grace;
  const pool = openPool(driver, {
    ...settings,
    max: maxConnections,
    statement_timeout: queryTimeoutMs,
    query_timeout: patience,
    connectionTimeoutMillis: patience,
    Client: readingClient(driver, settings.connectionTimeoutMillis ?? connectTimeout),
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
    close: () => endPool(pool),
  };
}
