/** The guides to lists: their blocks run, and do as the guides say. */

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import Database from 'better-sqlite3';
import type { Express } from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '../../listening.ts';
import { read } from '../documents.ts';
import { exampleOf, runExample } from '../run-example.ts';
import { type Blocks, blocksIn } from './blocks.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

function blocksOf(guide: string, further?: Readonly<Record<string, string>>): Blocks {
  const blocks = blocksIn(`docs/guides/${guide}.md`, further);
  open.push(blocks.remove);
  return blocks;
}

/** Serves an application; a function that asks it. */
async function served(app: Express) {
  const running = await listen(app);
  open.push(() => running.close());
  return async (target: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${running.port}${target}`, init);
}

/** Runs a command of the package. */
function sluice(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const main = path.resolve('src/cli/main.ts');
  const node = path.resolve('node_modules/node/bin/node');
  const settings = { cwd, encoding: 'utf8', env: { ...process.env, ...env } } as const;
  const { stdout, stderr, status } = spawnSync(node, [main, ...args], settings);
  return { stdout, stderr, status };
}

it('soft delete prints the documented output', async () => {
  const example = exampleOf('docs/guides/soft-delete.md', 'soft-delete.ts');
  expect(example.output).not.toBe('');
  expect(await runExample(example)).toBe(example.output);
});

describe('large tables', () => {
  it('name the indexes of the guide, and none when they exist', async () => {
    const blocks = blocksOf('large-tables');
    const file = path.join(blocks.folder, 'app.db');
    const database = new Database(file);
    const columns = 'id integer primary key, kind text not null, created_at text not null';
    database.exec(`create table events (${columns})`);
    const module = await blocks.program('endpoints.ts');
    const run = () =>
      sluice(blocks.folder, ['indexes', '--endpoints', module], { DATABASE_FILE: file });
    const before = run();
    expect(before).toMatchObject({ status: 1, stderr: '' });
    const [, printed] =
      /npx sluice indexes[^]*?```\n\n```\n([^]*?)```/.exec(read('docs/guides/large-tables.md')) ??
      [];
    expect(before.stdout).toBe(printed);
    database.exec(
      'create index a on events (created_at, id); create index b on events (kind, created_at, id)',
    );
    database.close();
    expect(run().status).toBe(0);
  });

  it('have no total, and refuse requests beyond the limits', async () => {
    const source = `
      import express from 'express';
      import { listEndpoint, queryErrorHandler } from 'sluice/express';
      import endpoint from './endpoints.ts';
      export const { close, ...options } = endpoint;
      export const app = express().get('/events', listEndpoint(options)).use(queryErrorHandler());
    `;
    const blocks = blocksOf('large-tables', { 'server.ts': source });
    const file = path.join(blocks.folder, 'app.db');
    const database = new Database(file);
    database.exec(`
      create table events (id integer primary key, kind text not null, created_at text not null);
      insert into events values (1, 'read', '2026-01-01'), (2, 'write', '2026-01-01'), (3, 'read', '2026-01-02');
    `);
    database.close();
    process.env['DATABASE_FILE'] = file;
    const { app, close } = await blocks.load<{ app: Express; close: () => void }>('server.ts');
    delete process.env['DATABASE_FILE'];
    open.push(close);
    const ask = await served(app);
    const first = (await (await ask('/events?perPage=2&sort=-createdAt')).json()) as {
      readonly data: readonly { readonly id: number }[];
      readonly nextCursor: string;
    };
    expect([first.data.map(({ id }) => id), Object.keys(first)]).toEqual([
      [3, 2],
      ['data', 'perPage', 'nextCursor', 'prevCursor'],
    ]);
    const next = await ask(`/events?perPage=2&sort=-createdAt&cursor=${first.nextCursor}`);
    expect(await next.json()).toMatchObject({ data: [{ id: 1 }], nextCursor: null });
    const list = Array.from({ length: 101 }, () => 'read').join(',');
    for (const request of ['paginate=false', 'perPage=101', 'page=2', `filter[kind][in]=${list}`]) {
      expect([request, (await ask(`/events?${request}`)).status]).toEqual([request, 400]);
    }
  });
});

it('replicas answer, and the primary does for those who have written', async () => {
  const { app } = await blocksOf('replicas').load<{ app: Express }>('replicas.ts');
  const ask = await served(app);
  const total = async (cookie: string) =>
    ((await (await ask('/notes', { headers: { cookie } })).json()) as { total: number }).total;
  const written = await ask('/notes', { method: 'POST' });
  const [cookie = ''] = written.headers.getSetCookie();
  expect(cookie).toMatch(/^wrote=1; Max-Age=5; .*HttpOnly; SameSite=Lax/);
  expect(await total('wrote=1')).toBe(1);
  expect(await total('other=2; wrote=1')).toBe(1);
  expect(await total('')).toBe(0);
  expect(await total('overwrote=1')).toBe(0);
});

describe('shared rules', () => {
  const server = `
    import Database from 'better-sqlite3';
    import express from 'express';
    import { listEndpoint } from 'sluice/express';
    import { sqlSource } from 'sluice/sql';
    import { registry, tables, userRules as rules } from './users.rules.ts';
    const connection = new Database(':memory:');
    connection.exec("create table users (id integer primary key, name text not null, email text not null, secret text not null)");
    connection.exec("insert into users values (1, 'Ada', 'ada@example.com', 'x'), (2, 'Ben', 'ben@example.com', 'x')");
    const source = sqlSource({ connection, registry, tables, model: 'user' });
    export const app = express().get('/api/users', listEndpoint({ source, rules }));
  `;

  it('leave nothing of themselves in the bundle of the client', async () => {
    const script = await blocksOf('shared-rules').script('users.ts');
    expect(script).toContain('/api/users');
    expect(script).not.toMatch(/secret|defineQueryRules\(|sqlTables/);
  });

  it('type a client that the endpoint answers', async () => {
    const client = `
      import { namesFrom, refused } from './users.ts';
      export const ask = async (origin) => {
        const { fetch } = globalThis;
        globalThis.fetch = (target, init) => fetch(origin + target, init);
        try {
          return [await namesFrom('A'), await refused().catch(({ code }) => code)];
        } finally {
          globalThis.fetch = fetch;
        }
      };
    `;
    const blocks = blocksOf('shared-rules', { 'server.ts': server, 'ask.ts': client });
    const { app } = await blocks.load<{ app: Express }>('server.ts');
    const running = await listen(app);
    open.push(() => running.close());
    const { ask } = await blocks.load<{ ask: (origin: string) => Promise<unknown> }>('ask.ts');
    const answer = await ask(`http://127.0.0.1:${running.port}`);
    expect(answer).toEqual([['Ada'], null]);
  });
});

describe('the tests of the guide to testing', () => {
  const run = async (change = (text: string) => text) => {
    const guide = blocksOf('testing');
    const { app = '', test = '' } = Object.fromEntries(
      [...guide.files].map(([file, text]) => [file === 'app.ts' ? 'app' : 'test', text]),
    );
    const blocks = blocksOf('testing', { 'app.ts': change(app), 'posts.test.ts': test });
    const file = await blocks.program('posts.test.ts');
    const node = path.resolve('node_modules/node/bin/node');
    // Within another runner, node:test writes for that one.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    return spawnSync(node, ['--test', file], { encoding: 'utf8', env });
  };

  it('pass', async () => {
    const { stdout, status } = await run();
    expect([status, stdout]).toEqual([0, expect.stringMatching(/pass 3\b[^]*fail 0\b/)]);
  });

  it.each([
    ['the scope is gone', (text: string) => text.replace(/value: tenant/, 'value: 8')],
    [
      'everything is allowed',
      (text: string) => text.replace(`sorts: ['title']`, `sorts: ['title', 'salary']`),
    ],
    ['the error handler is gone', (text: string) => text.replace('.use(queryErrorHandler())', '')],
  ])('fail when %s', async (_case, change) => {
    expect((await run(change)).status).toBe(1);
  });
});

describe('upgrading', () => {
  it('passes over to another key for cursors without an end of the walk', async () => {
    const example = exampleOf('docs/guides/upgrading.md', 'cursor-keys.ts');
    expect(example.output.split('\n')).toHaveLength(5);
    expect(await runExample(example)).toBe(example.output);
  });

  it.each([
    ['create table users (id integer primary key, name text not null)', 0],
    // Without a key there is nothing to page by.
    ['create table users (name text not null)', 1],
  ])('checks at boot: %s', async (ddl, status) => {
    const blocks = blocksOf('upgrading');
    const file = path.join(blocks.folder, 'app.db');
    const database = new Database(file);
    database.exec(ddl);
    database.close();
    const env = { ...process.env, DATABASE_FILE: file };
    const program = await blocks.program('boot.ts');
    const ended = spawnSync(process.execPath, [program], { encoding: 'utf8', env });
    expect([ended.status, ended.stdout]).toEqual([status, status === 0 ? 'ready\n' : '']);
  });
});
