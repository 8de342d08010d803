/** Entry file of `src/board/pgq`: the engine for pg-boss. */

import { failedImport } from '../../lib/index.ts';
import type { EngineFactory } from '../core/index.ts';
import type { PgDriver } from './connect/end-pool.ts';
import { type PgqOptions, pgqSettings } from './options.ts';

export { pgqOptionTable } from './options.ts';
export type { JobScope, PgqFormatters, PgqOptions, PgqValueOwner } from './options.ts';
export type { PgBossInstance, PgBossLibrary } from './connect/pg-boss.ts';
export type { PgConnection, PgConnectionSettings, PgPool } from './connect/pg-connection.ts';

/**
 * The engine of a `pgq` board. Drivers are loaded when the board opens it.
 *
 * @throws {TypeError} when neither `instance` nor `connection` is given
 */
export function pgqEngine(options: PgqOptions): EngineFactory<'pgq'> {
  const settings = pgqSettings(options);
  return {
    engine: 'pgq',
    open: async (host) => {
      const [{ openEngine }, driver] = await Promise.all([import('./engine.ts'), loadDriver()]);
      return openEngine({ ...settings, driver }, host);
    },
  };
}

async function loadDriver(): Promise<PgDriver> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    throw failedImport(error, 'pg', 'A pgq board');
  }
}
