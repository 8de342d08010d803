/** Selects how a board reads and writes, from the connection and the instance of the host. */

import type pg from 'pg';
import type { WarningLog } from '../../../lib/index.ts';
import { borrowedPoolChannel } from './borrowed-pool.ts';
import { instanceChannel } from './instance-channel.ts';
import type { PgDriver } from './end-pool.ts';
import { ownPoolChannel } from './own-pool.ts';
import type { PgConnection, PgPool } from './pg-connection.ts';
import type { ReadChannel } from './read-channel.ts';
import type { PgBossInstance } from './pg-boss.ts';
import {
  type CommandDatabase,
  borrowedCommandDatabase,
  instanceCommandDatabase,
  ownCommandDatabase,
} from './command-database.ts';

/** The board options for connections. */
export interface ConnectionOptions {
  readonly driver: PgDriver;
  readonly connection?: PgConnection | undefined;
  readonly instance?: PgBossInstance | undefined;
  /** Milliseconds a read may take. */
  readonly queryTimeoutMs: number;
  /** Whether the connection leads to a pooler that changes connections between transactions. */
  readonly pooler: boolean;
  /** Milliseconds a write may take. */
  readonly writeTimeoutMs: number;
}

const lacking = 'A pgq board requires an instance or a connection.';

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
export function readChannel(options: ConnectionOptions, log: WarningLog): ReadChannel {
  const { driver, connection, instance, queryTimeoutMs, pooler } = options;
  if (connection === undefined) {
    if (!instance) throw new TypeError(lacking);
    return instanceChannel(() => instance.getDb(), queryTimeoutMs);
  }
  return isPool(connection)
    ? borrowedPoolChannel(connection, queryTimeoutMs)
    : ownPoolChannel(driver, settingsOf(connection), queryTimeoutMs, pooler, log);
}

/** The database of commands: that of the instance if given, otherwise the connection. */
export function commandDatabase(options: ConnectionOptions): CommandDatabase {
  const { driver, connection, instance, writeTimeoutMs } = options;
  if (instance) return instanceCommandDatabase(() => instance.getDb(), writeTimeoutMs);
  if (connection === undefined) throw new TypeError(lacking);
  return isPool(connection)
    ? borrowedCommandDatabase(connection, writeTimeoutMs)
    : ownCommandDatabase(driver, settingsOf(connection), writeTimeoutMs);
}

/** The channel for reads inside commands, where it is not the channel of other reads: a connection may lag behind. */
export function commandChannel(options: ConnectionOptions): ReadChannel | undefined {
  const { connection, instance, queryTimeoutMs } = options;
  if (connection === undefined || !instance) return undefined;
  return instanceChannel(() => instance.getDb(), queryTimeoutMs);
}
