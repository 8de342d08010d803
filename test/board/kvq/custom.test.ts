/** Queues of a host's adapter: the one of the document passes its cases and is served like any queue. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../../src/auth/index.ts';
import {
  QueueAdapter,
  WritableQueueAdapter,
  createBoard,
  customQueue,
  queueAdapterCases,
} from '../../../src/board/index.ts';
import { bulkSize } from '../../../src/board/kvq/model/driver.ts';
import { type ServedBoard, serveBoard } from './http-board.ts';
import { changedBy, keyOf } from './suite.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
// Inside the project, so that imports of the example resolve to its packages.
const folder = mkdtempSync(`${root}test/board/kvq/.example-`);
afterAll(() => rmSync(folder, { recursive: true }));

/** The class of the first block of the document, on the sources. */
async function exampleClass(): Promise<
  new (name: string, database: unknown) => WritableQueueAdapter
> {
  const text = readFileSync(`${root}docs/queue-adapters.md`, 'utf8');
  const [, block = ''] = /```ts\n(.*?)```/s.exec(text) ?? [];
  const file = path.join(folder, 'queue-adapter.ts');
  const code = block
    .replace(`'sluice/board'`, `'${root}src/board/index.ts'`)
    .replace(/export const queue = .*\n/, '');
  writeFileSync(file, code);
  return ((await import(file)) as { TableQueue: never }).TableQueue;
}

const TableQueue = await exampleClass();
const boards: ServedBoard[] = [];
const databases: Database.Database[] = [];

function open(): Database.Database {
  const database = new Database(':memory:');
  databases.push(database);
  return database;
}

afterEach(async () => {
  for (const board of boards.splice(0)) await board.close();
  for (const database of databases.splice(0)) database.close();
});

describe('the adapter of the document', () => {
  const cases = queueAdapterCases(async () => ({ adapter: new TableQueue('letters', open()) }));

  it.each(cases.map(({ name, run }) => [name, run] as const))('%s', (_name, run) => run());
});

describe('the cases', () => {
  it('fail for an adapter that ignores conditions', async () => {
    const careless = async () => {
      const adapter = new TableQueue('letters', open());
      const remove = adapter.remove.bind(adapter);
      adapter.remove = (id) => remove(id, () => true);
      return { adapter };
    };
    const outcomes = await Promise.allSettled(queueAdapterCases(careless).map(({ run }) => run()));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });
});

describe('a queue of an adapter', () => {
  const start = async (options = {}) => {
    const database = open();
    const board = await serveBoard([customQueue(new TableQueue('letters', database), options)]);
    boards.push(board);
    return { database, board, path: '/api/queues/letters' };
  };

  it('is listed, searched, edited and cleaned like any queue', async () => {
    const { database, board, path: letters } = await start();
    const ids: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      const { status, body } = await board.send('POST', `${letters}/add`, {
        name: `letter ${index}`,
        data: { index, to: `Person ${index % 3}` },
        options: index % 5 === 0 ? { delay: 60_000 } : {},
      });
      expect(status).toBe(200);
      ids.push(body.job.id);
    }
    database.exec(
      `update job set state = 'failed', error = 'lost', finished = at where id in (2, 3)`,
    );
    const { body } = await board.get(
      '/api/queues?activeQueue=letters&status=waiting&jobsPerPage=5',
    );
    const [shown] = body.queues;
    expect(shown).toMatchObject({
      counts: { waiting: 22, delayed: 6, failed: 2 },
      pagination: { pageCount: 5 },
      isPaused: false,
      hasWorkers: null,
      readOnlyMode: false,
    });
    expect(shown.jobs.map(({ name }: { name: string }) => name).slice(0, 2)).toEqual([
      'letter 29',
      'letter 28',
    ]);
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = `path=to&contains=PERSON%201&ignoreCase=true&limit=4${cursor && `&cursor=${cursor}`}`;
      const page = await board.get(`${letters}/search?${query}`);
      expect(page.status).toBe(200);
      found.push(...page.body.jobs.map(({ job }: { job: { id: string } }) => job.id));
      cursor = page.body.nextCursor;
    }
    expect(found.toSorted()).toEqual(ids.filter((_id, index) => index % 3 === 1).toSorted());
    const one = await board.get(`${letters}/2?raw=1`);
    expect(one.body).toMatchObject({
      status: 'failed',
      job: { failedReason: 'lost', raw: { data: '{"index":1,"to":"Person 1"}' } },
    });
    const late = { jobData: { new: true }, ifUnchanged: one.body.version };
    expect((await board.send('PATCH', `${letters}/2/update-data`, late)).status).toBe(200);
    expect(keyOf(await board.send('PATCH', `${letters}/2/update-data`, late))).toBe(
      '409 JOB_CHANGED',
    );
    expect((await board.send('PUT', `${letters}/2/retry`)).status).toBe(204);
    expect((await board.send('PUT', `${letters}/retry/failed`)).body).toMatchObject({ retried: 1 });
    expect((await board.send('PUT', `${letters}/promote`)).body).toMatchObject({ promoted: 6 });
    const pages = await board.get(`${letters}/jobs?status=waiting&limit=20`);
    expect([pages.body.jobs.length, pages.body.total]).toEqual([20, 30]);
    expect((await board.send('PUT', `${letters}/empty`)).body).toEqual({ removed: 30, spared: 0 });
    expect((await board.get(`${letters}/1/flow`)).status).toBe(404);
    for (const [method, route, sent] of [
      ['PUT', `${letters}/1/release`],
      ['PATCH', `${letters}/1/delay`, { runAt: 5 }],
      ['GET', `${letters}/metrics`],
      ['GET', `${letters}/workers`],
      ['GET', '/api/job-schedulers'],
      ['GET', '/api/kv/stats'],
      ['PUT', `${letters}/concurrency`, { concurrency: 5 }],
      ['PUT', `${letters}/rate-limit`, { max: 1, duration: 1 }],
    ] as const) {
      const { status } = await board.send(method, route, sent);
      expect([route, status < 500]).toEqual([route, true]);
    }
    expect((await board.send('PUT', `${letters}/pause`)).status).toBe(200);
    expect((await board.send('PUT', `${letters}/obliterate`)).status).toBe(200);
    expect(board.errors).toEqual([]);
  });

  it('takes runs over the jobs that a filter accepts', async () => {
    const { board, path: letters } = await start();
    for (let index = 0; index < 12; index += 1) {
      await board.send('POST', `${letters}/add`, {
        name: 'letter',
        data: { to: `Person ${index % 3}` },
      });
    }
    const filter = { status: 'waiting', path: 'to', contains: 'PERSON 1', ignoreCase: 'true' };
    const run = async (dryRun: boolean) => {
      const asked = { queueName: 'letters', action: 'remove', filter, dryRun };
      const { status, body } = await board.send('POST', '/api/bulk', asked);
      expect([status, body.error]).toEqual([200, undefined]);
      const done = async () => (await board.get(`/api/bulk/${body.run.id}`)).body.run;
      await expect.poll(async () => (await done()).state).toBe('completed');
      return done();
    };
    expect(await run(true)).toMatchObject({ examined: 12, matched: 4, changed: 0, refused: [] });
    expect(await run(false)).toMatchObject({ examined: 12, matched: 4, changed: 4, refused: [] });
    expect(await run(true)).toMatchObject({ examined: 8, matched: 0 });
    expect(board.errors).toEqual([]);
  });

  it('is removed only while it is paused, and answers 409 while jobs are left', async () => {
    const { database, board, path: letters } = await start();
    for (const name of ['first', 'second']) await board.send('POST', `${letters}/add`, { name });
    database.exec(`update job set state = 'active' where id = 2`);
    await board.send('PUT', `${letters}/pause`);
    for (const body of [{}, { force: true }]) {
      const answer = await board.send('PUT', `${letters}/obliterate`, body);
      expect([body, keyOf(answer)]).toEqual([body, '409 QUEUE_HAS_ACTIVE_JOBS']);
    }
    expect(database.prepare('select name from job').pluck().all()).toEqual(['second']);
    database.exec(`update job set state = 'waiting'`);
    expect((await board.send('PUT', `${letters}/obliterate`)).status).toBe(200);
    expect(database.prepare('select name from job').all()).toEqual([]);
  });

  it('keeps its other jobs when it is resumed during its removal', async () => {
    const database = open();
    const adapter = new TableQueue('letters', database);
    const remove = adapter.remove.bind(adapter);
    adapter.remove = async (...args) => {
      await adapter.resume();
      return remove(...args);
    };
    const board = await serveBoard([customQueue(adapter)]);
    boards.push(board);
    for (const name of ['waits', 'failed']) {
      await board.send('POST', '/api/queues/letters/add', { name });
    }
    database.exec(`update job set state = 'failed' where id = 2`);
    await board.send('PUT', '/api/queues/letters/pause');
    const answer = await board.send('PUT', '/api/queues/letters/obliterate');
    expect(keyOf(answer)).toBe('409 QUEUE_NOT_PAUSED');
    expect(database.prepare('select name from job').pluck().all()).toEqual(['failed']);
  });

  it('keeps a job that is retried after a clean has listed it', async () => {
    const database = open();
    const adapter = new TableQueue('letters', database);
    const board = await serveBoard([customQueue(adapter)]);
    boards.push(board);
    for (const name of ['retried', 'failed']) {
      await board.send('POST', '/api/queues/letters/add', { name });
    }
    database.exec(`update job set state = 'failed', finished = 1`);
    const jobs = adapter.jobs.bind(adapter);
    adapter.jobs = async (...args) => {
      const found = await jobs(...args);
      database.exec(`update job set state = 'waiting' where name = 'retried'`);
      return found;
    };
    const { body } = await board.send('PUT', '/api/queues/letters/clean/failed');
    expect(body).toEqual({ removed: 1, spared: 0 });
    expect(database.prepare('select name from job').pluck().all()).toEqual(['retried']);
  });

  it('is cleaned of the job behind a full page of jobs that it refuses', async () => {
    const database = open();
    const adapter = new TableQueue('letters', database);
    const { driver } = customQueue(adapter);
    const id = await adapter.add({ name: 'goes', data: 0, options: {} });
    const stays = database.prepare(
      `insert into job (name, data, state, at) values ('stays', '0', 'waiting', 1)`,
    );
    for (let count = 0; count < bulkSize; count += 1) stays.run();
    database.exec(`update job set state = 'failed', finished = 1`);
    const remove = adapter.remove.bind(adapter);
    let left = 2 * bulkSize;
    adapter.remove = async (...args) => {
      left -= 1;
      if (left === 0) throw new Error('It is asked for the same jobs again.');
      return args[0] === id ? remove(...args) : 'active';
    };
    expect(await changedBy(driver.cleanStep('failed', 1, []))).toBe(1);
    expect(database.prepare(`select count(*) from job where name = 'stays'`).pluck().get()).toBe(
      bulkSize,
    );
  });

  it('refuses a job where its addition fails, and is unavailable without its datastore', async () => {
    const adapter = new TableQueue('letters', open());
    const board = await serveBoard([customQueue(adapter)]);
    boards.push(board);
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    for (const [error, key] of [
      [new Error('The delay is too long.'), '400 INVALID_REQUEST_BODY'],
      [away, '503 SQL_UNAVAILABLE'],
      [new Error('The job was not added.', { cause: away }), '503 SQL_UNAVAILABLE'],
    ] as const) {
      adapter.add = () => Promise.reject(error);
      const answer = await board.send('POST', '/api/queues/letters/add', { name: 'a' });
      expect([error.message, keyOf(answer)]).toEqual([error.message, key]);
    }
    expect(board.errors).toEqual([]);
  });

  it('is read-only without commands, and unavailable while it throws', async () => {
    class Broken extends QueueAdapter {
      readonly name = 'broken';
      counts(): never {
        throw new Error('secret');
      }
      jobs(): never {
        throw new Error('secret');
      }
      job(): never {
        throw new Error('secret');
      }
    }
    const board = await serveBoard([
      customQueue(new Broken()),
      customQueue(new TableQueue('letters', open())),
    ]);
    boards.push(board);
    const { status, body, headers } = await board.get('/api/queues');
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('json')]);
    const [broken, letters] = body.queues;
    expect(broken).toMatchObject({ readOnlyMode: true, problem: { key: 'ERRORS.KV_UNAVAILABLE' } });
    expect(letters).not.toHaveProperty('problem');
    const one = await board.get('/api/queues/broken/1');
    expect(keyOf(one)).toBe('503 KV_UNAVAILABLE');
    expect(JSON.stringify([body, one.body])).not.toContain('secret');
    expect(keyOf(await board.send('PUT', '/api/queues/broken/pause'))).toBe('405 QUEUE_READ_ONLY');
  });

  it('gives versions under the secret of its authentication, without parts that a formatter replaces', async () => {
    const database = open();
    const at = async (secret?: string) => {
      const tokens = ['a-token-of-the-tests-0123456789abcdef'];
      const auth =
        secret !== undefined &&
        createAuthMiddleware({ strategy: 'token', tokens, cookie: { secret } });
      const queue = customQueue(new TableQueue('letters', database), {
        formatters: { data: (data) => ({ ...(data as object), pin: '****' }) },
      });
      const board = createBoard({ queues: [queue], auth });
      const send = async (method: string, route: string, body?: object) => {
        const headers = {
          authorization: `Bearer ${tokens[0]}`,
          'content-type': 'application/json',
        };
        const url = `http://board.test/api/queues/letters${route}`;
        const sent = body && { body: JSON.stringify(body) };
        const answer = await board.fetch(new Request(url, { method, headers, ...sent }));
        return { ...((await answer.json()) as { version?: string }), code: answer.status };
      };
      return { send, close: () => board.close() };
    };
    const strong = 'one secret of the tests, 0123456789abcdef';
    const all = await Promise.all([at(strong), at(strong), at(`another ${strong}`), at()]);
    const [one, two] = all;
    expect((await one?.send('POST', '/add', { name: 'a', data: { pin: 1 } }))?.code).toBe(200);
    const versions = () =>
      Promise.all(all.map(async ({ send }) => (await send('GET', '/1')).version ?? ''));
    const before = await versions();
    expect(new Set(before).size).toBe(3);
    expect(before[0]).toBe(before[1]);
    database.prepare(`update job set data = '{"pin":2}' where id = 1`).run();
    expect(await versions()).toEqual(before);
    const edit = { jobData: { pin: '****', n: 1 }, ifUnchanged: before[0] };
    expect((await two?.send('PATCH', '/1/update-data', edit))?.code).toBe(200);
    expect((await one?.send('PATCH', '/1/update-data', edit))?.code).toBe(409);
    expect(database.prepare('select data from job where id = 1').pluck().get()).toBe(
      '{"pin":2,"n":1}',
    );
    for (const { close } of all) await close();
  });

  it('must be an adapter', () => {
    expect(() => customQueue({ name: 'x' } as never)).toThrow(/must extend QueueAdapter/);
    expect(() => customQueue(new TableQueue('x', open()), { no: 1 } as never)).toThrow(TypeError);
  });
});
