/** Invalid options are refused when the board is created, and never read as "show everything". */

import { describe, expect, it } from 'vitest';
import { createBoard, ExpressAdapter } from '../../../src/http/board/index.ts';
import { pgqMetricsSources } from '../../../src/metrics/index.ts';
import type { PgqOptions } from '../../../src/board/pgq/index.ts';
import { newestLibrary } from './libraries.ts';
import { makeWorld, serveBoard } from './world.ts';

const connection = 'postgres://nobody@127.0.0.1:1/none';
const asOptions = (options: object) => ({ connection, ...options }) as PgqOptions;
const boardWith = (options: object) =>
  createBoard({ engine: 'pgq', pgq: asOptions(options), serverAdapter: new ExpressAdapter() });

describe('options of a pgq board', () => {
  it.each([
    ['queues', new Set(['a'])],
    ['queues', 'a'],
    ['queues', { a: true }],
    ['queues', ['a', 7]],
    ['queues', null],
    ['visibilityGuard', true],
    ['visibilityGuard', null],
    ['includeInternalQueues', 'no'],
    ['allowUntestedSchema', 'no'],
    ['delimiter', 5],
    ['connection', 5],
    ['instance', {}],
    ['library', {}],
    ['queryTimeoutMs', '5'],
    ['countCap', 0],
    ['schema', 'a"b'],
    ['schema', '"a"b"'],
    ['schema', `"a'b"`],
    ['schema', '""'],
    ['schema', 5],
  ])('%s: %o is refused by name', (option, value) => {
    expect(() => boardWith({ [option]: value })).toThrow(new RegExp(`^"pgq\\.${option}" must be `));
  });

  it('that are undefined count as absent', () => {
    const names = ['queues', 'visibilityGuard', 'includeInternalQueues', 'delimiter', 'library'];
    const absent = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(boardWith(absent).engine).toBe('pgq');
  });

  it('an undefined connection timeout uses the default of the board', async () => {
    const board = await serveBoard({
      connection: { connectionString: connection, connectionTimeoutMillis: undefined },
    });
    expect((await board.get('/api/pgq/queues')).status).toBe(503);
    await board.close();
  });

  it('a predicate of names that returns a promise shows nothing', async () => {
    const world = await makeWorld(newestLibrary, 'pgq_options');
    try {
      await world.boss.createQueue('mine');
      const board = await world.board(
        asOptions({ connection: world.url, queues: async () => false }),
      );
      for (const path of ['queues', 'queues/mine', 'queues/mine/jobs']) {
        const { status, text } = await board.get(`/api/pgq/${path}`);
        expect([status, text]).toEqual([
          500,
          '{"error":{"key":"ERRORS.INTERNAL_SERVER_ERROR"},"code":"INTERNAL_SERVER_ERROR"}',
        ]);
      }
    } finally {
      await world.close();
    }
  });

  it('a schema in double quotes is that of pg-boss', async () => {
    const world = await makeWorld(newestLibrary, 'pgq_quoted');
    const schema = '"My App-1"';
    const { PgBoss } = newestLibrary.module;
    const boss = new PgBoss({ connectionString: world.url, schema, supervise: false });
    try {
      await boss.start();
      await boss.createQueue('a');
      const board = await world.board({ connection: world.url, schema });
      const path = '/api/pgq/queues/a';
      const id = String((await board.send('POST', `${path}/jobs`, { data: { x: 1 } })).body['id']);
      expect((await boss.getJobById('a', id))?.data).toEqual({ x: 1 });
      expect((await board.send('PUT', `${path}/jobs/${id}/cancel`)).status).toBe(200);
      const schedule = await board.send('PUT', `${path}/schedules`, { cron: '0 3 * * *' });
      expect(schedule.status).toBe(200);
      for (const route of ['info', 'queues', 'search?data.x=1', 'warnings', 'instances']) {
        expect([route, (await board.get(`/api/pgq/${route}`)).status]).toEqual([route, 200]);
      }
      const { jobs } = (await board.get(`${path}/jobs?state=cancelled`)).body;
      expect(jobs).toMatchObject([{ id }]);
      const [source] = pgqMetricsSources({ pool: world.admin, schema });
      expect(await source?.queues()).toEqual(['a']);
    } finally {
      await boss.stop({ graceful: false });
      await world.close();
    }
  });

  it('an unknown role or database counts as an unavailable server', async () => {
    const world = await makeWorld(newestLibrary, 'pgq_refused');
    try {
      for (const change of [
        (url: URL) => (url.username = 'sluice_nobody'),
        (url: URL) => (url.pathname = '/sluice_none'),
      ]) {
        const url = new URL(world.url);
        change(url);
        const board = await world.board({ connection: url.href });
        const { status, body } = await board.get('/api/pgq/queues');
        expect([status, body]).toEqual([
          503,
          { error: { key: 'ERRORS.SQL_UNAVAILABLE' }, code: 'SQL_UNAVAILABLE' },
        ]);
      }
    } finally {
      await world.close();
    }
  });
});
