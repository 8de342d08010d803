/** Cursors that stand on a text too long for them: what a page costs, and what happens when the text changes. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { listEndpoint } from '../../src/http/node/index.ts';
import {
  type KeysetResult,
  type QueryPlan,
  bodyRequest,
  defineQueryRules,
  planQuery,
  runQuery,
} from '../../src/index.ts';
import { encodeCursor } from '../../src/rules/plan/cursor/cursor.ts';
import { textHash } from '../../src/rules/plan/cursor/text-hash.ts';
import { cursorKeys } from '../cursor-keys.ts';

const tables = sqlTables({
  note: {
    table: 'notes',
    primaryKey: ['part', 'no'],
    columns: {
      part: 'text',
      no: 'integer',
      body: { type: 'text', nullable: true },
      authorId: { type: 'integer', column: 'author_id', nullable: true },
    },
    relations: { author: { one: 'author', from: 'authorId' } },
  },
  author: {
    table: 'authors',
    primaryKey: 'id',
    columns: { id: 'integer', motto: { type: 'text', nullable: true } },
  },
});

const registry = sqlRegistry(tables);

const sealed = defineQueryRules(
  registry,
  'note',
  {
    sorts: ['body', 'author.motto', 'no'],
    fields: { root: { allowed: ['no'], default: ['no'] } },
    pagination: { mode: 'keyset' },
  },
  { families: ['sqlite'], cursorKeys },
);

/** Readable cursors contain values of fields that the client may see. */
const readable = defineQueryRules(
  registry,
  'note',
  {
    filters: [{ path: 'body', operators: ['notIn'] }],
    sorts: ['body', 'part', 'no'],
    fields: { root: { allowed: ['part', 'no', 'body'], default: ['no'] } },
    pagination: { mode: 'keyset' },
  },
  { families: ['sqlite'] },
);

/** Longer than any beginning in a cursor. */
const shared = '😀x'.repeat(3000);
const letters = [...'abcdefgh'];

const open: Sqlite.Database[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

/** Notes 1 to 8 whose bodies, and whose authors' mottos, differ in their last letter. */
function notes(rules: typeof sealed | typeof readable) {
  const statements: string[] = [];
  const client = new Sqlite(':memory:', {
    verbose: (text) => void statements.push(String(text)),
  });
  open.push(client);
  client.exec(`
    create table authors (id integer primary key, motto text);
    create table notes (part text, no integer, body text, author_id integer, primary key (part, no))`);
  for (const [at, letter] of letters.entries()) {
    client.prepare('insert into authors values (?, ?)').run(at + 1, shared + letter);
    client
      .prepare('insert into notes values (?, ?, ?, ?)')
      .run(at % 2 ? 'x' : 'y', at + 1, shared + letter, at + 1);
  }
  const source = sqlSource({ connection: client, registry, tables, model: 'note' });
  return {
    async page(request: string) {
      statements.length = 0;
      const answer = (await runQuery(source, request, rules)) as KeysetResult;
      return { ...answer, numbers: answer.data.map(({ no }) => no), count: statements.length };
    },
    change: (sql: string, ...values: unknown[]) => client.prepare(sql).run(...values),
  };
}

describe.each([
  ['sealed', 'body', sealed],
  ['sealed', 'author.motto', sealed],
  ['readable', 'body', readable],
] as const)('a %s cursor on a long %s', (_form, path, rules) => {
  const changed =
    path === 'body'
      ? 'update notes set body = ? where no = ?'
      : 'update authors set motto = ? where id = ?';

  it('costs one statement more than one on a short text', async () => {
    const { page, change } = notes(rules);
    const first = await page(`sort=${path}&perPage=2&cursor=`);
    expect([first.numbers, first.count]).toEqual([[1, 2], 1]);
    const second = await page(`sort=${path}&perPage=2&cursor=${first.nextCursor}`);
    expect([second.numbers, second.count]).toEqual([[3, 4], 2]);
    change(changed, 'a', 2);
    const short = await page(`sort=${path}&perPage=1&cursor=`);
    expect([short.numbers, short.count]).toEqual([[2], 1]);
    const next = await page(`sort=${path}&perPage=1&cursor=${short.nextCursor}`);
    expect([next.numbers, next.count]).toEqual([[1], 1]);
  });

  it.each<[string, (text: string) => (string | null)[]]>([
    ['another end', (text) => ['!', 'z'].map((end) => text.slice(0, -1) + end)],
    ['a longer or shorter text', (text) => [`${text}z`, text.slice(0, -1)]],
    [
      'another middle',
      (text) => ['!', 'z'].map((one) => text.slice(0, 4000) + one + text.slice(4001)),
    ],
    ['little more than the beginning', (text) => [text.slice(0, 1100)]],
    ['another beginning', () => ['!', '😀z']],
    ['no text', () => [null]],
  ])('loses no row when the text changes to %s', async (_, changesOf) => {
    const { page, change } = notes(rules);
    for (const sort of [path, `-${path}`]) {
      const all = (await page(`sort=${sort}&perPage=8&cursor=`)).numbers;
      const request = `sort=${sort}&perPage=8&cursor=`;
      for (let at = 1; at < 8; at += 1) {
        const { nextCursor } = await page(`sort=${sort}&perPage=${at}&cursor=`);
        const { prevCursor } = await page(`${request}${nextCursor}`);
        for (const [cursor, edge, beyond] of [
          [nextCursor, all[at - 1], all.slice(at)],
          [prevCursor, all[at], all.slice(0, at)],
        ] as const) {
          expect((await page(request + cursor)).numbers).toEqual(beyond);
          const text = `${shared}${letters[Number(edge) - 1]}`;
          for (const other of changesOf(text)) {
            change(changed, other, edge);
            expect((await page(request + cursor)).numbers).toEqual(expect.arrayContaining(beyond));
          }
          change(changed, text, edge);
        }
      }
    }
  });

  it('ends a walk whose last row changes its text at every page', async () => {
    const { page, change } = notes(rules);
    for (const sort of [path, `-${path}`]) {
      let cursor: string | null = '';
      let pages = 0;
      const walk = async () => {
        for (; cursor !== null && pages < 500; pages += 1) {
          const { nextCursor, numbers } = await page(`sort=${sort}&perPage=2&cursor=${cursor}`);
          cursor = nextCursor;
          const edge = Number(numbers.at(-1));
          change(changed, `${shared}${letters[edge - 1]}${pages}`, edge);
        }
      };
      await expect(walk()).rejects.toMatchObject({ code: 'CURSOR_INVALID', status: 400 });
      expect(pages).toBeGreaterThan(100);
      expect(pages).toBeLessThan(500);
    }
  });

  it('leads back from an empty page to the text where it began', async () => {
    const { page, change } = notes(rules);
    const { nextCursor } = await page(`sort=${path}&perPage=7&cursor=`);
    change('delete from notes where no = 8');
    const empty = await page(`sort=${path}&perPage=2&cursor=${nextCursor}`);
    expect([empty.numbers, empty.nextCursor]).toEqual([[], null]);
    const back = await page(`sort=${path}&perPage=2&cursor=${empty.prevCursor}`);
    expect(back.numbers).toEqual([6, 7]);
    change(changed, `${shared}0`, 7);
    const moved = await page(`sort=${path}&perPage=7&cursor=${empty.prevCursor}`);
    expect(moved.numbers).toEqual([7, 1, 2, 3, 4, 5, 6]);
  });
});

/** Eight notes with texts of 13,000 characters, in their keys too. */
function letterNotes(keyLength = 13_000) {
  const client = new Sqlite(':memory:');
  open.push(client);
  client.exec('create table notes (part text, no integer, body text, author_id integer)');
  const insert = client.prepare('insert into notes values (?, ?, ?, null)');
  for (const [at, letter] of letters.entries()) {
    insert.run(letter.repeat(keyLength), at + 1, `${'x'.repeat(13_000)}${letter}`);
  }
  return sqlSource({ connection: client, registry, tables, model: 'note' });
}

describe('a readable cursor', () => {
  const bodies = letters.map((letter) => `${'x'.repeat(13_000)}${letter}`);

  it.each(['body', 'part', '-part,-body'])('comes back in every form by %s', async (sort) => {
    const source = letterNotes();
    const filter = `a,${'y'.repeat(900)},`.repeat(17);
    const forms: ((text: string) => Parameters<typeof runQuery>[1])[] = [
      (text) => text,
      (text) => new URLSearchParams(text),
      (text) => Object.fromEntries(new URLSearchParams(text)),
      (text) => bodyRequest(text),
      (text) => bodyRequest({ sort }, text.replace(/sort=[^&]*&/, '')),
    ];
    for (const form of forms) {
      for (const within of ['', `&filter[body][notIn]=${filter}`]) {
        const seen: unknown[] = [];
        let cursor: string | null = '';
        while (cursor !== null && seen.length < 20) {
          const request = form(`sort=${sort}&perPage=1&cursor=${cursor}${within}`);
          const page = (await runQuery(source, request, readable)) as KeysetResult;
          seen.push(...page.data.map(({ no }) => no));
          cursor = page.nextCursor;
        }
        const all = letters.map((_, at) => at + 1);
        expect(seen).toEqual(sort.startsWith('-') ? all.toReversed() : all);
      }
    }
  });

  it('fits in the address of a request', async () => {
    const source = letterNotes(100);
    const server = createServer(listEndpoint({ rules: readable, source: () => source }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const seen: unknown[] = [];
      let cursor: string | null = '';
      while (cursor !== null && seen.length < 20) {
        const answer: Response = await fetch(
          `http://127.0.0.1:${port}/?sort=body&perPage=1&cursor=${cursor}`,
        );
        expect(answer.status).toBe(200);
        const page = (await answer.json()) as KeysetResult;
        seen.push(...page.data.map(({ no }) => no));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(letters.map((_, at) => at + 1));
    } finally {
      server.close();
    }
  });

  it('finds no text of rows outside of the request', async () => {
    const source = letterNotes();
    const { order } = planQuery('sort=body', readable);
    const visible = {
      transformPlan: (plan: QueryPlan) => ({
        ...plan,
        where: { type: 'condition', path: 'no', operator: 'lt', value: 4 } as const,
      }),
    };
    /** Whether the page after the hidden row 5 begins at its text, as the client supposes it, or at its beginning. */
    const after = async (supposed: string) => {
      const { page: from } = planQuery('sort=body', readable);
      if (from.mode !== 'keyset') throw new TypeError('The rules have keyset pages.');
      const { binding } = from;
      const values = [[supposed.slice(0, 900), textHash(supposed)], 'e'.repeat(13_000), '5'];
      expect(values).toHaveLength(order.length);
      const cursor = encodeCursor(readable, binding, 'after', false, values as never);
      const page = await runQuery(source, `sort=body&cursor=${cursor}`, readable, visible);
      return page.data.map(({ no }) => no);
    };
    expect(await after(bodies[4] ?? '')).toEqual([1, 2, 3]);
    expect(await after(`${bodies[4]}?`)).toEqual([1, 2, 3]);
  });

  it('is refused before it is made where no request could hold it', async () => {
    const client = new Sqlite(':memory:');
    open.push(client);
    client.exec('create table notes (part text, no integer, body text, author_id integer)');
    const insert = client.prepare('insert into notes values (?, ?, ?, null)');
    for (const no of [1, 2]) insert.run('x'.repeat(200_000), no, 'text');
    const source = sqlSource({ connection: client, registry, tables, model: 'note' });
    const page = runQuery(source, 'sort=body&perPage=1', readable);
    await expect(page).rejects.toMatchObject({ code: 'CAPABILITY_UNAVAILABLE' });
  });
});
