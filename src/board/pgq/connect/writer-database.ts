/** The connections of commands: a pool owned by the board, or the pool of the host. */

import type pg from 'pg';
import { openPool, poolConfig } from './own-pool.ts';
import type { PgBossDatabase } from './pg-boss.ts';

/** Runs the SQL of commands without a statement timeout; connects at the first command. */
export interface WriterDatabase extends PgBossDatabase {
  close(): Promise<void>;
}

/** Pool size for commands. */
const writers = 2;

/** A pool owned by the board, opened at the first command. */
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

/** The pool of the host, which stays open. */
export function borrowedWriterDatabase(pool: pg.Pool): WriterDatabase {
  return {
    executeSql: (text, values) => pool.query(text, values),
    close: () => Promise.resolve(),
  };
}
