/** Chooses how a board reads and writes from what the host gave it. */

import type pg from 'pg';
import { borrowedPoolChannel } from './borrowed-pool.ts';
import { instanceChannel } from './instance-channel.ts';
import type { PgqSettings } from '../options.ts';
import { ownPoolChannel } from './own-pool.ts';
import type { PgConnection, PgPool } from './pg-connection.ts';
import type { ReadChannel } from './read-channel.ts';
import { borrowedWriterDatabase, ownWriterDatabase } from './writer-database.ts';
import type { WriterDatabase } from './writer.ts';

/** Told by what only a pool has; settings of a pool are a plain object. */
function isPool(connection: PgConnection): connection is PgPool & pg.Pool {
  return typeof connection === 'object' && 'totalCount' in connection;
}

function settingsOf(connection: PgConnection): pg.PoolConfig {
  const given: object =
    typeof connection === 'string' ? { connectionString: connection } : connection;
  return given;
}

/** The channel for reads: the connection where there is one, else the instance. */
export function readChannel(settings: PgqSettings): ReadChannel {
  const { connection, instance, queryTimeoutMs } = settings;
  if (connection === undefined) {
    if (!instance) throw new TypeError('A pgq board needs an instance or a connection.');
    return instanceChannel(() => instance.getDb(), queryTimeoutMs);
  }
  return isPool(connection)
    ? borrowedPoolChannel(connection, queryTimeoutMs)
    : ownPoolChannel(settingsOf(connection), queryTimeoutMs);
}

/** What commands run on where there is no instance; it connects with the first command. */
export function writerDatabase(settings: PgqSettings): WriterDatabase | undefined {
  const { connection, instance } = settings;
  if (instance || connection === undefined) return undefined;
  return isPool(connection)
    ? borrowedWriterDatabase(connection)
    : ownWriterDatabase(settingsOf(connection));
}
