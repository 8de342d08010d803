/**
 * Starts the servers that a machine lacks once for a run of all tests, and names them to every file. A file by its name
 * starts those that it needs itself.
 */

import { findMysql, findPostgresql, findRedis } from '../services/index.ts';
import { isCi } from './ci.ts';

const services = {
  SLUICE_POSTGRES_URL: findPostgresql,
  SLUICE_MYSQL_URL: findMysql,
  SLUICE_REDIS_URL: findRedis,
} as const;

/** Ends the servers that were started. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!isCi && process.env['SLUICE_QUICK'] !== '1') return undefined;
  const started: (() => Promise<void>)[] = [];
  for (const [variable, find] of Object.entries(services)) {
    const found = await find();
    // A file tells of those that are missing, by what it leaves out.
    if ('missing' in found || ['environment', 'usual port'].includes(found.found)) continue;
    process.env[variable] = found.url;
    started.push(found.dispose);
  }
  return async () => {
    for (const dispose of started) await dispose();
  };
}
