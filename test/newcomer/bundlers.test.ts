/**
 * The programs and commands of docs/bundling.md: a board and lists in bundles that run without `node_modules`; the steps
 * of the Dockerfile of docs/guides/docker.md, and the function of docs/guides/serverless.md, whose invocations share a pool.
 */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Queue } from 'bullmq';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { root } from '../package/package.ts';
import { everyServiceRequired, findRedis, scratchDatabase } from '../services/index.ts';
import { type FreshFolder, freshFolder, removeTarball } from './fresh-folder.ts';
import { programIn } from './printed-program.ts';

const page = readFileSync(path.join(root, 'docs/bundling.md'), 'utf8');
const dockerPage = readFileSync(path.join(root, 'docs/guides/docker.md'), 'utf8');
const block = (start: string, of = page): string => {
  const [, text] = of.split(`\`\`\`${start}\n`);
  if (text === undefined) throw new Error(`The page has no block "${start}".`);
  return text.slice(0, text.indexOf('\n```'));
};
const config = (file: string): string => block(`js\n// ${file}`);

/** The rows of the table of bundlers: name, arguments of its command, the file that starts. */
const bundlers = [
  ...page.matchAll(/^\| \[(\S+)\]\(\S+\) \| `([^`]+)` \| `(out\/[^`]+)` \| ([\d.]+) MB \|$/gm),
].map(([, name = '', command = '', start = '']) => ({ name, command: command.split(' '), start }));

const redis = await findRedis();
const database = await scratchDatabase('postgresql', 'bundles');
for (const service of [redis, database]) {
  if ('missing' in service && everyServiceRequired()) throw new Error(service.advice);
}
const databaseUrl = 'missing' in database ? undefined : database.url;
const token = randomBytes(24).toString('hex');
const headers = { authorization: `Bearer ${token}` };
const name = `bundled-${process.pid}`;

const files = {
  'board.mjs': programIn('docs/bundling.md', 'board.mjs').code.replace(`'mails'`, `'${name}'`),
  'pgq.mjs': `
    import { createServer } from 'node:http';
    import { createBoard } from 'sluice/board';
    import { NodeAdapter } from 'sluice/board/node';

    const serverAdapter = new NodeAdapter();
    const said = [];
    const say = (...parts) => said.push(...parts.map(String));
    const options = { logger: { warn: say, error: say } };
    const pgq = { connection: process.env.DATABASE_URL };
    createBoard({ engine: 'pgq', pgq, options, serverAdapter, auth: false });
    const board = serverAdapter.getListener();
    createServer((request, response) =>
      request.url === '/said' ? response.end(said.join()) : board(request, response),
    ).listen(process.env.PORT);
  `,
  'webpack.config.mjs': config('webpack.config.mjs'),
  'tsup.config.mjs': config('tsup.config.mjs'),
  'vite.config.mjs': config('vite.config.mjs'),
};
const packages = { bullmq: '^6.0.0', ioredis: '^6.0.0' };
const devDependencies = {
  '@vercel/ncc': '^0.45.0',
  esbuild: '^0.28.0',
  tsup: '^9.0.0',
  typescript: '^5.9.0',
  // 8.4 needs a package for Windows that not every registry has.
  vite: '~8.3.0',
  webpack: '^5.112.0',
  'webpack-cli': '^7.0.0',
};

/** A folder without `node_modules`, here and above. */
const bare = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-bare-')));
let folder: FreshFolder | undefined;
let withDrivers: FreshFolder | undefined;
beforeAll(async () => {
  vi.stubEnv('BOARD_TOKEN', token);
  vi.stubEnv('REDIS_URL', 'missing' in redis ? '' : redis.url);
  vi.stubEnv('DATABASE_URL', databaseUrl ?? '');
  const project = JSON.stringify({ private: true, type: 'module', devDependencies });
  const lists = programIn('docs/guides/serverless.md', 'serverless.ts').code;
  [folder, withDrivers] = await Promise.all([
    freshFolder(packages, { ...files, 'package.json': project }),
    freshFolder(
      { pg: '^8.0.0', 'pg-boss': '^12.0.0', esbuild: '^0.28.0' },
      { 'pgq.mjs': files['pgq.mjs'], 'serverless.ts': lists },
    ),
  ]);
}, 900_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([folder?.remove(), withDrivers?.remove()]);
  await rm(bare, { recursive: true, force: true });
  if (!('missing' in redis)) {
    const queue = new Queue(name, { connection: { url: redis.url } });
    await queue.obliterate({ force: true });
    await queue.close();
    await redis.dispose();
  }
  if (!('missing' in database)) await database.drop();
  removeTarball();
}, 900_000);

/** The address of a board that answers its page, a file of it, and a job that its schema refuses. */
async function checkBoard(origin: string): Promise<void> {
  const board = `${origin}/admin/queues`;
  const text = await (await fetch(board, { headers })).text();
  const [, source = ''] = /src="([^"]+)"/.exec(text) ?? [];
  expect((await fetch(`${origin}${source}`, { headers })).status).toBe(200);
  const add = async (data: object) => {
    const body = JSON.stringify({ name: 'welcome', data });
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
    return (await fetch(`${board}/api/queues/${name}/add`, { ...init, body })).status;
  };
  expect([await add({ to: 'ada' }), await add({})]).toEqual([200, 400]);
}

/** Puts the files that a bundler has written into the folder without packages; the path of one of them. */
function moved({ directory }: FreshFolder, file: string): string {
  cpSync(path.join(directory, path.dirname(file)), path.join(bare, path.dirname(file)), {
    recursive: true,
  });
  return path.join(bare, file);
}

it('tries every bundler of the page', () => {
  expect(bundlers.map((each) => each.name)).toEqual(['esbuild', 'webpack', 'ncc', 'tsup', 'Vite']);
});

describe.skipIf('missing' in redis)('a board of BullMQ', () => {
  it.each(bundlers)('is bundled by $name, without pg', async ({ command, start }) => {
    if (!folder) return;
    expect(existsSync(path.join(folder.directory, 'node_modules/pg'))).toBe(false);
    const [bin = '', ...args] = command;
    await folder.command(bin, ...args);
    await checkBoard(await folder.serve('node', moved(folder, start)));
  });

  it('runs from the steps of the Dockerfile, without packages of development', async () => {
    if (!folder) return;
    const image = path.join(bare, 'image');
    for (const line of block('dockerfile', dockerPage).split('\n')) {
      const [instruction, ...rest] = line.split(' ');
      const text = rest.join(' ');
      if (instruction === 'COPY') {
        for (const file of rest.slice(0, -1)) {
          cpSync(path.join(folder.directory, file), path.join(image, file));
        }
      } else if (instruction === 'RUN') {
        const env = { ...process.env, NODE_ENV: 'production' };
        await promisify(execFile)('sh', ['-c', `${text} --prefer-offline`], { cwd: image, env });
      } else if (instruction === 'CMD') {
        const [program = '', ...args] = JSON.parse(text) as string[];
        await checkBoard(await folder.serve(program, ...args.map((arg) => path.join(image, arg))));
      }
    }
    const installed = (file: string): boolean => existsSync(path.join(image, 'node_modules', file));
    expect(['sluice', 'bullmq', 'esbuild', 'pg'].map(installed)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

const toOneFile = (program: string): readonly string[] => [
  program,
  '--bundle',
  '--platform=node',
  `--outfile=out/${path.parse(program).name}.cjs`,
];

describe.skipIf('missing' in database)('a board of pg-boss', () => {
  const info = async (origin: string) => fetch(`${origin}/api/pgq/info`);

  it('names the package that its bundle lacks', async () => {
    if (!folder) return;
    await folder.command('esbuild', ...toOneFile('pgq.mjs'));
    const origin = await folder.serve('node', moved(folder, 'out/pgq.cjs'));
    expect((await info(origin)).status).toBe(500);
    const said = await (await fetch(`${origin}/said`)).text();
    expect(said).toContain('A pgq board needs the package "pg": npm install pg');
  });

  it('runs from one file where its packages are installed', async () => {
    if (!withDrivers) return;
    await withDrivers.command('esbuild', ...toOneFile('pgq.mjs'));
    const answer = await info(await withDrivers.serve('node', moved(withDrivers, 'out/pgq.cjs')));
    expect([answer.status, await answer.json()]).toMatchObject([200, { installed: false }]);
  });
});

it.skipIf('missing' in database)('invocations of a function share a pool', async () => {
  if (!withDrivers || databaseUrl === undefined) return;
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('create table books (id integer primary key, title text not null)');
  await client.query(`insert into books values (1, 'Fiasco'), (2, 'Solaris')`);
  await withDrivers.command('esbuild', ...toOneFile('serverless.ts'));
  const application = 'sluice-function';
  vi.stubEnv('DATABASE_URL', `${databaseUrl}?application_name=${application}`);
  const bundle = (await import(moved(withDrivers, 'out/serverless.cjs'))) as {
    readonly handler: (event: object) => Promise<{ statusCode: number; body: string }>;
  };
  const pids = async () => {
    const text = `select pid from pg_stat_activity where datname = current_database() and application_name = $1`;
    return (await client.query(text, [application])).rows as object[];
  };
  const seen: object[][] = [];
  for (const sort of ['title', '-title']) {
    const event = { rawPath: '/books', rawQueryString: `sort=${sort}&perPage=1`, headers: {} };
    const answer = await bundle.handler(event);
    expect([answer.statusCode, JSON.parse(answer.body)]).toMatchObject([200, { total: 2 }]);
    seen.push(await pids());
  }
  await client.end();
  expect(seen[0]).not.toEqual([]);
  expect(seen[1]?.length).toBeLessThanOrEqual(2);
  expect(seen[1]).toEqual(expect.arrayContaining(seen[0] ?? []));
});
