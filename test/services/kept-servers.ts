/**
 * A program that starts the servers which this machine lacks, prints their variables as a line of JSON, and ends them
 * with its input.
 */

import { once } from 'node:events';
import { findMysql, findPostgresql, findRedis } from './index.ts';

const services = {
  SLUICE_POSTGRES_URL: findPostgresql,
  SLUICE_MYSQL_URL: findMysql,
  SLUICE_REDIS_URL: findRedis,
} as const;

const urls: Record<string, string> = {};
const started: (() => Promise<void>)[] = [];
for (const [variable, find] of Object.entries(services)) {
  const found = await find();
  // A file tells of those that are missing, by what it leaves out.
  if ('missing' in found || ['environment', 'usual port'].includes(found.found)) continue;
  urls[variable] = found.url;
  started.push(found.dispose);
}
console.log(JSON.stringify(urls));
process.stdin.resume();
await once(process.stdin, 'end');
for (const dispose of started) await dispose();
process.exit();
