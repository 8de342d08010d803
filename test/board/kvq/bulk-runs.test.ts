/** Runs over many jobs: by ids and by filter, counted and changed once, cancelled, and refused. */

import { expect } from 'vitest';
import type { BoardEvent } from '../../../src/board/core/index.ts';
import { serveBoard } from './http-board.ts';
import type { Answer, ServedBoard } from './http-board.ts';
import { keyOf, until, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

function bulkRunsSuite({ cell, start, test, current }: Suite): void {
  const numbered = (count: number, opts: object = {}) =>
    Array.from({ length: count }, (_, index) => ({
      name: index % 2 === 0 ? 'even' : 'odd',
      data: { index, kind: index % 3 === 0 ? 'third' : 'other' },
      opts,
    }));

  /** The run when it has ended. */
  async function ended(board: ServedBoard, answer: Answer): Promise<Answer['body']> {
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    let { run } = answer.body;
    await until(async () => {
      ({ run } = (await board.get(`/api/bulk/${run.id}`)).body);
      return run.state !== 'running';
    }, 60_000);
    return run;
  }

  const begin = (board: ServedBoard, body: object) => board.send('POST', '/api/bulk', body);

  test('counts, then retries the jobs that a filter accepts, each once', async () => {
    const { queue, board, runJobs, listed } = await start();
    await queue.addBulk(numbered(450));
    await runJobs(true);
    const body = {
      queueName: queue.name,
      action: 'retry',
      filter: { name: 'even', path: 'kind', value: 'third' },
    };
    const counted = await ended(board, await begin(board, { ...body, dryRun: true }));
    expect(counted).toMatchObject({ state: 'completed', matched: 75, changed: 0, dryRun: true });
    const runs = new Map<string, number>();
    const stop = await queue.work(async ({ id }) => {
      runs.set(id, (runs.get(id) ?? 0) + 1);
      throw new Error('again');
    });
    const run = await ended(board, await begin(board, body));
    expect(run).toMatchObject({ state: 'completed', matched: 75, changed: 75, refused: [] });
    expect(run.endedAt).toBeGreaterThanOrEqual(run.startedAt);
    await until(async () => runs.size === 75, 30_000);
    await stop();
    expect(Math.max(...runs.values())).toBe(1);
    expect((await listed()).counts.failed).toBe(450);
    const { runs: kept } = (await board.get('/api/bulk')).body;
    expect(kept.map(({ id }: { id: string }) => id)).toEqual([run.id, counted.id]);
  });

  test('removes and promotes the jobs that a filter accepts, and leaves the others', async () => {
    const { queue, board, listed } = await start();
    await queue.addBulk(numbered(60, { timestamp: Date.now() - 60_000 }));
    const body = {
      queueName: queue.name,
      action: 'remove',
      filter: { status: 'waiting', name: 'odd' },
    };
    expect(await ended(board, await begin(board, body))).toMatchObject({
      matched: 30,
      changed: 30,
    });
    expect((await listed()).counts.waiting).toBe(30);
    expect(new Set(await queue.names('waiting'))).toEqual(new Set(['even']));
    await queue.addBulk(numbered(20, { delay: 600_000 }));
    const promoted = { queueName: queue.name, action: 'promote', filter: { name: 'odd' } };
    expect(await ended(board, await begin(board, promoted))).toMatchObject({ changed: 10 });
    expect((await listed()).counts).toMatchObject({ waiting: 40, delayed: 10 });
  });

  test('changes nothing where the library does not have the status', async () => {
    const { queue, board, listed } = await start();
    await queue.addBulk(numbered(3));
    for (const status of ['paused', 'prioritized']) {
      for (const dryRun of [true, false]) {
        const body = { queueName: queue.name, action: 'remove', filter: { status }, dryRun };
        const run = await ended(board, await begin(board, body));
        expect(run).toMatchObject({ state: 'completed', examined: 0, matched: 0, changed: 0 });
      }
    }
    expect((await listed()).counts.waiting).toBe(3);
  });

  test('takes a blank condition for a mistake, and no condition only with `all`', async () => {
    const { queue, board, listed, runJobs } = await start();
    await queue.addBulk(numbered(3, { timestamp: Date.now() - 60_000 }));
    await runJobs(true);
    await queue.addBulk(numbered(4, { timestamp: Date.now() - 60_000 }));
    const { name: queueName } = queue;
    const names = ['name', 'error', 'from', 'to', 'path', 'status'];
    const status = 'waiting';
    const filters: readonly unknown[] = [
      {},
      ...names.flatMap((name) => [{ [name]: '' }, { status, [name]: '' }, { status, [name]: ' ' }]),
      ...['value', 'contains', 'min', 'max'].flatMap((name) => [
        { status, path: 'index', [name]: '' },
        { status, path: 'index', [name]: '\t' },
      ]),
      { ignoreCase: 'true' },
      { status, ignoreCase: '' },
      { status, name: ['even'] },
      { status, name: null },
      JSON.parse('{"status":"waiting","__proto__":"x"}') as object,
      [],
      null,
    ];
    const wide = ['remove', 'retry', 'promote'].map((action) => ({ queueName, action }));
    const bodies: object[] = wide.flatMap((body) => [
      body,
      { ...body, all: false },
      { ...body, ids: ['1'], all: true },
      ...filters.map((filter) => ({ ...body, filter })),
      { ...body, filter: { status: 'failed', name: '' }, all: true },
    ]);
    for (const body of bodies.flatMap((each) => [each, { ...each, dryRun: true }])) {
      expect([body, keyOf(await begin(board, body))]).toEqual([body, '400 INVALID_REQUEST_BODY']);
    }
    expect((await listed()).counts).toMatchObject({ waiting: 4, failed: 3 });
    const retry = { queueName, action: 'retry', all: true };
    expect(await ended(board, await begin(board, { ...retry, dryRun: true }))).toMatchObject({
      matched: 3,
    });
    expect(await ended(board, await begin(board, retry))).toMatchObject({ changed: 3 });
    const removal = { queueName, action: 'remove', filter: { status }, all: true };
    expect(await ended(board, await begin(board, removal))).toMatchObject({ changed: 7 });
  });

  test('changes jobs by their ids, and tells why others were not changed', async () => {
    const { queue, board, listed, runJobs } = await start();
    await queue.addBulk(numbered(210));
    const ids: string[] = [];
    for (const page of [1, 2, 3]) {
      const { jobs } = await listed(`&status=waiting&jobsPerPage=100&page=${page}`);
      ids.push(...jobs.map(({ id }: { id: string }) => id));
    }
    await runJobs(true);
    const fresh = await queue.add('fresh', {});
    const body = { queueName: queue.name, action: 'retry', ids: [...ids, fresh, 'none', 'none'] };
    const counted = await ended(board, await begin(board, { ...body, dryRun: true }));
    expect(counted).toMatchObject({ matched: 211, changed: 0, total: 212 });
    const run = await ended(board, await begin(board, body));
    expect(run).toMatchObject({ matched: 211, changed: 210, examined: 212 });
    expect(new Set(run.refused)).toEqual(
      new Set([
        { count: 1, reason: { key: 'ERRORS.JOB_NOT_FOUND' } },
        { count: 1, reason: { key: 'ERRORS.JOB_NOT_RETRIABLE' } },
      ]),
    );
    expect((await listed()).counts.waiting).toBe(211);
  });

  test('changes selected jobs only while they are in the state in which they were seen', async () => {
    const { queue, board, listed, runJobs } = await start();
    await queue.addBulk(numbered(30));
    const ids = (await listed('&status=waiting&jobsPerPage=30')).jobs.map(
      ({ id }: { id: string }) => id,
    );
    await runJobs(true);
    const body = { queueName: queue.name, action: 'retry', ids };
    for (const expectedState of [['failed'], 'created', 'broken']) {
      expect(keyOf(await begin(board, { ...body, expectedState }))).toBe(
        '400 INVALID_REQUEST_BODY',
      );
    }
    const unseen = { queueName: queue.name, action: 'retry', filter: {}, expectedState: 'failed' };
    expect(keyOf(await begin(board, unseen))).toBe('400 INVALID_REQUEST_BODY');
    const removal = { ...body, action: 'remove', expectedState: ids.map(() => 'waiting') };
    for (const dryRun of [true, false]) {
      expect(await ended(board, await begin(board, { ...removal, dryRun }))).toMatchObject({
        matched: 30,
        changed: 0,
        refused: [{ count: 30, reason: { key: 'ERRORS.JOB_CHANGED' } }],
      });
    }
    // Jobs that one board retries complete at once; the other one must not run them again.
    const runs = new Map<string, number>();
    const stop = await queue.work(async ({ id }) => runs.set(id, (runs.get(id) ?? 0) + 1));
    const other = await serveBoard([queue.boardQueue()]);
    const retry = { ...body, expectedState: 'failed' };
    const both = await Promise.all(
      [board, other].map(async (each) => {
        let answer: Answer;
        // A queue has one run, whichever board has started it.
        do answer = await begin(each, retry);
        while (answer.status === 409);
        return ended(each, answer);
      }),
    );
    await until(async () => runs.size === 30);
    await stop();
    await other.close();
    expect(both.reduce((sum, { changed }) => sum + changed, 0)).toBe(30);
    const refused = both.flatMap((run) => run.refused);
    expect(new Set(refused.map(({ reason }) => reason.key))).toEqual(
      new Set(['ERRORS.JOB_CHANGED']),
    );
    expect(refused.reduce((sum, { count }) => sum + count, 0)).toBe(30);
    expect(Math.max(...runs.values())).toBe(1);
  });

  test('changes jobs with given versions only while they are as they were seen', async () => {
    const { queue, board, listed } = await start();
    const ids: string[] = [];
    for (const index of [0, 1, 2, 3]) ids.push(await queue.add('job', { index }));
    const path = (id: string): string => `/api/queues/${queue.name}/${id}`;
    const versions = await Promise.all(
      ids.map(async (id) => (await board.get(path(id))).body.version as string),
    );
    const [edited = '', , unseen = ''] = ids;
    for (const id of [edited, unseen]) {
      const answer = await board.send('PATCH', `${path(id)}/update-data`, { jobData: { new: 1 } });
      expect(answer.status).toBe(200);
    }
    const body = { queueName: queue.name, action: 'remove', ids };
    const wrong: readonly object[] = [
      { ifUnchanged: versions.slice(1) },
      { ifUnchanged: versions[0] },
      { ifUnchanged: [...versions.slice(1), 'x'.repeat(101)] },
      { ifUnchanged: [...versions.slice(1), 5] },
      { ids: undefined, filter: { status: 'waiting' }, ifUnchanged: [] },
    ];
    for (const more of wrong) {
      const answer = await begin(board, { ...body, ...more });
      expect([more, keyOf(answer)]).toEqual([more, '400 INVALID_REQUEST_BODY']);
    }
    const odd = versions.map((_version, index) => (index === 2 ? '\ud800' : 'a\0b'));
    expect(await ended(board, await begin(board, { ...body, ifUnchanged: odd }))).toMatchObject({
      changed: 0,
      refused: [{ count: 4, reason: { key: 'ERRORS.JOB_CHANGED' } }],
    });
    const ifUnchanged = versions.map((version, index) => (index === 2 ? null : version));
    const refused = [{ count: 1, reason: { key: 'ERRORS.JOB_CHANGED' } }];
    expect(
      await ended(board, await begin(board, { ...body, ifUnchanged, dryRun: true })),
    ).toMatchObject({ matched: 4, changed: 0, refused });
    expect(await ended(board, await begin(board, { ...body, ifUnchanged }))).toMatchObject({
      matched: 4,
      changed: 3,
      refused,
    });
    const { jobs } = await listed('&status=waiting');
    expect(jobs.map(({ id }: { id: string }) => id)).toEqual([edited]);
  });

  test('runs one at a time per queue, on when its client leaves, and until it is cancelled', async () => {
    const { queue } = await start();
    await queue.addBulk(numbered(3_000, { timestamp: Date.now() - 60_000 }));
    const events: BoardEvent[] = [];
    const board = await serveBoard([queue.boardQueue()], {
      onEvent: (event) => {
        events.push(event);
        throw new Error('of the host');
      },
    });
    const body = {
      queueName: queue.name,
      action: 'remove',
      filter: { status: 'waiting', path: 'index' },
    };
    const leaving = new AbortController();
    const left = fetch(`${board.url}/api/bulk`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      signal: leaving.signal,
    }).catch(() => undefined);
    await until(async () => events.length > 0);
    leaving.abort();
    await left;
    const id = events[0]?.run.id ?? '';
    const second = await begin(board, body);
    if (second.status === 409) {
      expect(second.body.error).toEqual({ key: 'ERRORS.BULK_RUNNING', options: { id } });
    }
    const cancelled = await board.send('POST', `/api/bulk/${id}/cancel`, {});
    expect(cancelled.status).toBe(200);
    await until(async () => events.some(({ type, run }) => type === 'bulk.ended' && run.id === id));
    const { run } = (await board.get(`/api/bulk/${id}`)).body;
    expect(['cancelled', 'completed']).toContain(run.state);
    const { waiting = 0 } = (await board.get(`/api/queues?activeQueue=${queue.name}`)).body
      .queues[0].counts;
    if (second.status === 409) expect(waiting).toBe(3_000 - run.changed);
    board.errors.length = 0;
    await board.close();
  }, 120_000);

  test('refuses what a queue does not allow, and unusable requests', async () => {
    const { queue, board } = await start();
    const { name: queueName } = queue;
    const filter = { status: 'failed' };
    for (const [body, answer] of [
      [{ queueName: 'none', action: 'retry', filter }, '404 QUEUE_NOT_FOUND'],
      [{ queueName, action: 'cancel', filter }, '400 BULK_ACTION_NOT_SUPPORTED'],
      [{ queueName, action: 'fly', filter }, '400 INVALID_REQUEST_BODY'],
      [{ queueName, action: 'retry' }, '400 INVALID_REQUEST_BODY'],
      [{ queueName, action: 'retry', ids: [] }, '400 INVALID_REQUEST_BODY'],
      [{ queueName, action: 'retry', filter, ids: ['1'] }, '400 INVALID_REQUEST_BODY'],
      [{ queueName, action: 'retry', filter: { status: 'delayed' } }, '400 INVALID_REQUEST_BODY'],
      [{ queueName, action: 'remove', filter: {} }, '400 INVALID_REQUEST_BODY'],
      [{ queueName, action: 'retry', filter: { nam: 'x' } }, '400 INVALID_REQUEST_BODY'],
      [{ queueName, action: 'retry', filter: { limit: '5' } }, '400 INVALID_REQUEST_BODY'],
      [{ queueName, action: 'retry', filter: { value: '5' } }, '400 INVALID_REQUEST_BODY'],
      [{ queueName, action: 'retry', filter, extra: 1 }, '400 INVALID_REQUEST_BODY'],
    ] as const) {
      expect([body, keyOf(await begin(board, body))]).toEqual([body, answer]);
    }
    if (!current) {
      const completed = { queueName, action: 'retry', filter: { status: 'completed' } };
      expect(keyOf(await begin(board, completed))).toBe('405 COMPLETED_RETRIES_DISABLED');
    }
    expect(keyOf(await board.get('/api/bulk/none'))).toBe('404 BULK_NOT_FOUND');
    expect(keyOf(await board.send('POST', '/api/bulk/none/cancel', {}))).toBe('404 BULK_NOT_FOUND');
    const closed = await serveBoard([queue.boardQueue({ readOnly: true })]);
    expect(keyOf(await begin(closed, { queueName, action: 'retry', filter }))).toBe(
      '405 QUEUE_READ_ONLY',
    );
    await closed.close();
    const redacted = await serveBoard([queue.boardQueue().setFormatter('data', () => ({}))]);
    const guess = {
      queueName,
      action: 'retry',
      dryRun: true,
      filter: { path: 'card', value: '4' },
    };
    expect(keyOf(await begin(redacted, guess))).toBe('400 SEARCH_FIELD_CLOSED');
    await redacted.close();
    expect(cell.name).not.toBe('');
  });

  test('obeys permissions and visibility', async () => {
    const { queue } = await start();
    const { name: queueName } = queue;
    await queue.add('one', {}, { timestamp: Date.now() - 60_000 });
    let isHidden = false;
    let allowed: readonly ('*.read' | '*')[] = ['*.read'];
    const board = await serveBoard([queue.boardQueue().setVisibilityGuard(() => !isHidden)], {
      permissions: () => allowed,
    });
    const body = { queueName, action: 'remove', filter: { status: 'waiting' } };
    expect((await begin(board, body)).body).toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
      error: { options: { action: 'jobs.remove' } },
    });
    allowed = ['*'];
    const run = await ended(board, await begin(board, body));
    expect(run).toMatchObject({ changed: 1 });
    allowed = ['*.read'];
    expect((await board.get(`/api/bulk/${run.id}`)).status).toBe(200);
    expect(keyOf(await board.send('POST', `/api/bulk/${run.id}/cancel`, {}))).toBe(
      '403 ACTION_NOT_ALLOWED',
    );
    isHidden = true;
    expect(keyOf(await board.get(`/api/bulk/${run.id}`))).toBe('404 BULK_NOT_FOUND');
    expect((await board.get('/api/bulk')).body).toEqual({ runs: [] });
    await board.close();
  });
}

for (const cell of cells) suiteOf(cell, bulkRunsSuite);
