/** `npx sluice board` as a stranger runs it: the packed package in an empty folder, with the packages that it asks for. */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBoard } from '../cli/run-board.ts';
import { type Host, installedWith, manifest, root } from '../package/package.ts';
import { findRedis } from '../services/index.ts';

const service = await findRedis();

describe.skipIf('missing' in service)('npx sluice board', () => {
  const redisUrl = 'missing' in service ? '' : service.url;
  const prefix = `stranger${randomBytes(4).toString('hex')}`;
  let host: Host;

  beforeAll(async () => {
    host = installedWith();
    // npm links the commands of packages and makes them executable.
    const bin = path.join(host.directory, 'node_modules/.bin');
    mkdirSync(bin);
    chmodSync(path.join(host.installed, manifest.bin['sluice'] ?? ''), 0o755);
    symlinkSync(path.join(host.installed, manifest.bin['sluice'] ?? ''), path.join(bin, 'sluice'));
    const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
    const queue = new Queue('mails', { connection, prefix });
    await queue.add('job', { n: 1 });
    await queue.close();
    await connection.quit();
  });
  afterAll(async () => {
    host?.remove();
    const redis = new Redis(redisUrl);
    await redis.del(...(await redis.keys(`${prefix}:*`)));
    await redis.quit();
    if (!('missing' in service)) await service.dispose();
  });

  /** Runs the command to its end, with a Node.js. */
  const sluice = (args: readonly string[], node = process.execPath) =>
    new Promise<{ code: number; out: string; err: string }>((done) => {
      const file = path.join(host.directory, 'node_modules/.bin/sluice');
      const env = { ...process.env, NODE_COMPILE_CACHE: '' };
      const options = { cwd: host.directory, env };
      const child = execFile(node, [file, ...args], options, (_error, out, err) =>
        done({ code: Number(child.exitCode), out, err }),
      );
    });

  it('says what to install, when it is needed', async () => {
    expect(await sluice(['board', '--port', '0'])).toEqual({
      code: 1,
      out: '',
      err: 'sluice board: Redis needs bullmq and ioredis, in the project that has Sluice: npm install bullmq ioredis\n',
    });
    const pgq = await sluice(['board', '--port', '0', '--pgq', 'postgresql://127.0.0.1:1/x']);
    expect(pgq.err).toContain('pg-boss needs pg, in the project that has Sluice: npm install pg');
    expect(pgq.code).toBe(1);
  });

  it('serves the queues once that is installed, with the config file of the folder', async () => {
    for (const name of ['bullmq', 'ioredis']) {
      symlinkSync(
        path.join(root, 'node_modules', name),
        path.join(host.directory, 'node_modules', name),
      );
    }
    host.write('sluice.config.json', JSON.stringify({ kv: redisUrl, prefix }));
    const npx = path.join(path.dirname(process.execPath), 'npx');
    const program = existsSync(npx) ? [npx, 'sluice'] : ['npx', 'sluice'];
    const board = await runBoard([], { cwd: host.directory, program });
    await expect.poll(() => board.queues().catch(() => [])).toEqual(['mails']);
    const page = await board.get('/');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('type="module"');
    await board.stop();
    await expect.poll(() => board.get('/').catch(() => 'closed')).toBe('closed');
  });

  it('prints versions, documents and where the demo is', async () => {
    expect((await sluice(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    const printed = await sluice(['openapi', '--engine', 'pgq', '--base-path', '/q']);
    expect(JSON.parse(printed.out)).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/q' }] });
    const file = path.join(host.directory, 'board.json');
    expect(await sluice(['openapi', '--out', file])).toMatchObject({ code: 0, out: '' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ openapi: '3.1.0' });
    const demo = await sluice(['demo']);
    expect([demo.code, demo.err]).toEqual([1, expect.stringContaining('npm ci && npm start')]);
  });

  const oldNode = '/usr/bin/node';
  it.skipIf(!existsSync(oldNode))('says which Node.js it needs', async () => {
    const { out, code, err } = await sluice(['board', '--help'], oldNode);
    if (code === 0) expect(out).toContain('Usage: sluice board');
    else
      expect(err).toMatch(/^sluice: Node\.js 22\.12 or later is needed, and this is [\d.]+\.\n$/);
  });
});
