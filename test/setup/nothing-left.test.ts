/** A run in CI that leaves a key in Redis or a database behind fails, and names it. */

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { findRedis } from '../services/index.ts';

it('fails the run of a test that leaves a key behind', async ({ skip }) => {
  const redis = await findRedis();
  if ('missing' in redis) return skip(redis.advice);
  const key = `left-behind-${randomUUID()}`;
  const folder = resolve(import.meta.dirname, '../../.scratch', key);
  const client = new Redis(redis.url);
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await client.unlink(key);
    client.disconnect();
    await redis.dispose();
  });
  mkdirSync(folder, { recursive: true });
  const globalSetup = [resolve(import.meta.dirname, 'nothing-left.ts')];
  writeFileSync(
    resolve(folder, 'vitest.config.ts'),
    `export default ${JSON.stringify({ test: { include: ['*.test.ts'], globalSetup } })};`,
  );
  writeFileSync(
    resolve(folder, 'leaves.test.ts'),
    `import { Redis } from 'ioredis';
     import { it } from 'vitest';
     it('passes', async () => {
       const client = new Redis(${JSON.stringify(redis.url)});
       await client.set(${JSON.stringify(key)}, 1);
       client.disconnect();
     });`,
  );
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['exec', '--', 'vitest', 'run', '--no-color'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, CI: 'true', SLUICE_REDIS_URL: redis.url },
    },
  );
  expect(stdout).toContain('1 passed');
  expect(stderr).toContain(key);
  expect(status).toBe(1);
});
