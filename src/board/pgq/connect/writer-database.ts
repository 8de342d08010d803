/** The connections of commands: a pool of the board's own, or the host's. */

import type pg from 'pg';
import { openPool, poolConfig } from './own-pool.ts';
import type { PgBossDatabase } from './pg-boss.ts';

/** Runs the SQL of commands; connects with the first command, without a time limit. */
export interface WriterDatabase extends PgBossDatabase {
  close(): Promise<void>;
}

/** Connections for commands. */
const writers = 2;

/** A pool of the board's own, which opens with the first command. */
export function ownWriterDatabase(config: pg.PoolConfig): WriterDatabase {
  let pool: pg.Pool | undefined;
  return {
    executeSql: (text, values) => {
      pool ??= openPool({ ...poolConfig(config), max: writers });
      return pool.query(text, values);
    },
    close: async () => pool?.end(),
  };
}

/** The host's pool, which stays open. */
export function borrowedWriterDatabase(pool: pg.Pool): WriterDatabase {
  return {
    executeSql: (text, values) => pool.query(text, values),
    close: () => Promise.resolve(),
  };
}
