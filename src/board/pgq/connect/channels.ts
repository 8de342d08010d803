/** Selects how a board reads and writes, from the connection and the instance of the host. */

import type pg from 'pg';
import { borrowedPoolChannel } from './borrowed-pool.ts';
import { instanceChannel } from './instance-channel.ts';
import { ownPoolChannel } from './own-pool.ts';
import type { PgConnection, PgPool } from './pg-connection.ts';
import type { ReadChannel } from './read-channel.ts';
import type { PgBossInstance } from './pg-boss.ts';
import {
  type WriterDatabase,
  borrowedWriterDatabase,
  ownWriterDatabase,
} from './writer-database.ts';

/** The board options for connections. */
export interface ConnectionOptions {
  readonly connection: PgConnection | undefined;
  readonly instance: PgBossInstance | undefined;
  /** Milliseconds a read may take. */
  readonly queryTimeoutMs: number;
}

/** Distinguishes a pool from pool settings: only a pool counts its connections. */
function isPool(connection: PgConnection): connection is PgPool & pg.Pool {
  return typeof connection === 'object' && 'totalCount' in connection;
}

function settingsOf(connection: PgConnection): pg.PoolConfig {
  const given: object =
    typeof connection === 'string' ? { connectionString: connection } : connection;
  return given;
}

/** The channel for reads: the connection if given, otherwise the instance. */
export function readChannel(options: ConnectionOptions): ReadChannel {
  const { connection, instance, queryTimeoutMs } = options;
  if (connection === undefined) {
    if (!instance) throw new TypeError('A pgq board requires an instance or a connection.');
    return instanceChannel(() => instance.getDb(), queryTimeoutMs);
  }
  return isPool(connection)
    ? borrowedPoolChannel(connection, queryTimeoutMs)
    : ownPoolChannel(settingsOf(connection), queryTimeoutMs);
}

/** The database of commands without an instance. */
export function writerDatabase(options: ConnectionOptions): WriterDatabase | undefined {
  const { connection, instance } = options;
  if (instance || connection === undefined) return undefined;
  return isPool(connection)
    ? borrowedWriterDatabase(connection)
    : ownWriterDatabase(settingsOf(connection));
}
