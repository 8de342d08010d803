/** `npm run runtimes`: the built package in Bun and in workerd, on real databases. */

import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { findPostgresql, findRedis } from '../services/index.ts';

const here = import.meta.dirname;
const modules = path.join(here, 'node_modules');
const own = path.join(modules, 'sluice');
rmSync(own, { force: true });
symlinkSync(path.join(here, '../..'), own, 'dir');

const [postgresql, redis] = [await findPostgresql(), await findRedis()];
if ('missing' in postgresql) throw new Error(postgresql.advice);
if ('missing' in redis) throw new Error(redis.advice);
const env = { ...process.env, POSTGRES_URL: postgresql.url, REDIS_URL: redis.url };
const run = (program: string, file: string): void => {
  execFileSync(program, [path.join(here, file)], { env, stdio: 'inherit' });
};
try {
  run(path.join(modules, '.bin/bun'), 'in-bun.mjs');
  run(process.execPath, 'in-workerd.mjs');
} finally {
  // Tools that follow it would find every file of the repository again.
  rmSync(own);
  await postgresql.dispose();
  await redis.dispose();
}
