/** Connections for commands: a pool of its own that opens with the first, or the host's. */

import type pg from 'pg';
import { openPool, poolConfig } from './own-pool.ts';
import type { WriterDatabase } from './writer.ts';

/** Connections for commands. */
const writers = 2;

/** Commands on connections of their own, without a limit in time. */
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

/** Commands on the host's pool. */
export function borrowedWriterDatabase(pool: pg.Pool): WriterDatabase {
  return {
    executeSql: (text, values) => pool.query(text, values),
    close: () => Promise.resolve(),
  };
}
