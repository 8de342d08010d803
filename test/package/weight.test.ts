/**
 * The size of an installation, for lists, for a board and for both: npm installs the packed package in an empty project,
 * and the parts that lists and boards need are there. docs/start.md has a table of the sizes, which
 * `npx vitest run test/package/weight.test.ts` prints.
 */

import { execFile } from 'node:child_process';
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packInto } from '../../tools/package/pack.ts';
import { addressOf, ensureBuilt, root } from './package.ts';

const run = promisify(execFile);

/** Megabytes on the disk of a host, with everything that npm installs for `sluice`. */
const megabytes = 12;

let directory: string;
beforeAll(async () => {
  ensureBuilt();
  directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-weight-')));
  writeFileSync(path.join(directory, 'package.json'), '{ "private": true, "type": "module" }');
  const { tarball } = packInto(directory);
  const options = ['--offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, tarball], { cwd: directory });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Files and folders below a folder take whole blocks of 4 KiB. */
const onDisk = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + Math.ceil(statSync(file).size / 4096) * 4096, 0) / 1e6;

const below = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));

const lists = `
  for (const name of ['', '/sql', '/express', '/fetch', '/node', '/companions']) {
    await import('sluice' + name);
  }
`;

/** The page of a board whose queues have schemas, in both forms, and a board behind a login. */
const board = `
  const { QueueAdapter, createBoard, customQueue } = await import('sluice/board');
  const { NodeAdapter } = await import('sluice/board/node');
  const { createAuthMiddleware } = await import('sluice/auth');
  class Empty extends QueueAdapter {
    name = 'empty';
  }
  const { z } = await import('${addressOf(root)}node_modules/zod/index.js');
  const schemas = [{ type: 'object', required: ['to'] }, z.object({ to: z.string() })];
  const secret = Math.random().toString(36).repeat(9);
  const login = { strategy: 'oidc', issuer: 'http://localhost:9', clientId: 'board', cookie: { secret } };
  const boards = [false, createAuthMiddleware(login, { basePath: '/board' })].map((auth, index) =>
    createBoard({
      queues: [customQueue(new Empty(), { jobDataSchema: schemas[index] })],
      serverAdapter: new NodeAdapter().setBasePath('/board'),
      auth,
    }),
  );
  for (const each of boards) {
    const headers = { accept: 'text/html' };
    statuses.push((await each.fetch(new Request('http://localhost/board', { headers }), { basePath: '/board' })).status);
    await each.close();
  }
`;

it.each([
  ['lists', lists, 1, []],
  ['a board', board, 4, [200, 503]],
  ['both', lists + board, 4.5, [200, 503]],
])('%s', async (use, code, most, statuses) => {
  const file = path.join(directory, 'program.mjs');
  const program = `
    import { registerHooks } from 'node:module';
    const [loaded, statuses] = [[], []];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    ${code}
    console.log(JSON.stringify({ loaded, statuses }));
  `;
  writeFileSync(file, program);
  const { stdout } = await run(process.execPath, [file], { cwd: directory });
  const told = JSON.parse(stdout) as { loaded: readonly string[]; statuses: readonly number[] };
  expect(told.statuses).toEqual(statuses);
  const modules = path.join(directory, 'node_modules');
  expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['sluice']);
  const own = new Set(told.loaded.filter((url) => url.startsWith(addressOf(modules))));
  const loaded = onDisk([...own].map((url) => fileURLToPath(url)));
  const size = onDisk(below(modules));
  console.log(`${use}: ${size.toFixed(1)} MB, of which ${loaded.toFixed(1)} MB are loaded`);
  expect(size).toBeLessThan(megabytes);
  expect(loaded).toBeLessThan(most);
  const page = readFileSync(path.join(root, 'docs/start.md'), 'utf8');
  const row = new RegExp(`^\\| ${use} \\| ([\\d.]+) MB \\| ([\\d.]+) MB \\|$`, 'm').exec(page);
  expect(Math.abs(Number(row?.[1]) - size)).toBeLessThan(0.3);
  expect(Math.abs(Number(row?.[2]) - loaded)).toBeLessThan(0.3);
});
