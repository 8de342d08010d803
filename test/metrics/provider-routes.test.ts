/** The metrics-history routes over a provider: mounting, parameters, refusals, hidden and read-only queues. */

import { Queue } from 'bullmq';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bullmqQueue } from '../../src/board/kvq/index.ts';
import { HistoryUnavailableError } from '../../src/board/core/index.ts';
import type { HistoryProvider } from '../../src/board/core/index.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { Answer, ServedBoard } from '../board/kvq/http-board.ts';

const tier = { keys: 1, bytes: 10 };
const usageOf = (queue: string) => ({
  queue,
  keys: 3,
  bytes: 30,
  minutes: 2,
  days: ['2026-01-02'],
  tiers: { minute: tier, hour: tier, day: tier },
});

/** A host's provider that notes every question. */
function noting(
  asked: [string, object?][],
): Required<Pick<HistoryProvider, 'source' | 'getHistory' | 'getLatency' | 'getUsage' | 'purge'>> {
  return {
    source: 'recorder',
    async getHistory(query) {
      asked.push(['history', query]);
      return [{ ts: 0, value: query.queue === undefined ? 9 : query.queue.length }];
    },
    async getLatency(query) {
      asked.push(['latency', query]);
      return [{ ts: query.from, count: 1, values: { 50: 10 } }];
    },
    async getUsage() {
      asked.push(['usage']);
      const queues = ['__global__', 'open', 'secret', 'kept'].map(usageOf);
      return { ...usageOf(''), oldestDay: '2026-01-01', newestDay: '2026-01-02', queues };
    },
    async purge(scope) {
      asked.push(['purge', scope]);
      return { keysDeleted: 1, fieldsDeleted: 2 };
    },
  };
}

const asked: [string, object?][] = [];
const provider = noting(asked);
let queues: Queue[];
let guarded: ServedBoard;
let open: ServedBoard;
const since = (): [string, object?][] => asked.splice(0);

beforeAll(async () => {
  // The board asks the provider only; the queues need not connect.
  const options = { connection: { lazyConnect: true }, skipMetasUpdate: true };
  queues = ['open', 'secret', 'kept'].map((name) => new Queue(name, options));
  for (const queue of queues) queue.on('error', () => undefined);
  const [first, second, third] = queues as [Queue, Queue, Queue];
  const all = (hidden: boolean) => [
    bullmqQueue(first),
    bullmqQueue(second, { visibilityGuard: () => !hidden }),
    bullmqQueue(third, { readOnly: hidden }),
  ];
  guarded = await serveBoard(all(true), { historyProvider: provider });
  open = await serveBoard(all(false), { historyProvider: provider });
});

afterAll(async () => {
  await Promise.all([guarded.close(), open.close()]);
  await Promise.all(queues.map((queue) => queue.close()));
});

const refused = (answer: Answer): unknown[] => [answer.status, answer.body.error?.key];

it('mounts a route for each method of the provider', async () => {
  const { getHistory } = provider;
  const board = await serveBoard([], { historyProvider: { getHistory } });
  const paths = ['history?from=0&to=1', 'latency?metric=runtime', 'history/usage'];
  const answers = await Promise.all(paths.map((path) => board.get(`/api/metrics/${path}`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
  expect((await board.send('POST', '/api/metrics/history/purge')).status).toBe(404);
  await board.close();
  const without = await serveBoard([]);
  expect((await without.get('/api/metrics/history?from=0&to=1')).status).toBe(404);
  await without.close();
  const readOnly = await serveBoard([], { historyProvider: provider, readOnly: true });
  expect((await readOnly.send('POST', '/api/metrics/history/purge')).status).toBe(404);
  await readOnly.close();
});

it('passes the parameters on, with their defaults', async () => {
  since();
  const both = await open.get('/api/metrics/history?from=5&to=7');
  expect(both.body).toEqual({
    completed: [{ ts: 0, value: 9 }],
    failed: [{ ts: 0, value: 9 }],
    source: 'recorder',
  });
  expect(since()).toEqual([
    ['history', { from: 5, to: 7, granularity: 'day', metric: 'completed' }],
    ['history', { from: 5, to: 7, granularity: 'day', metric: 'failed' }],
  ]);
  const one = await open.get(
    '/api/metrics/history?from=0&to=0&granularity=hour&metric=queueage&queue=gone',
  );
  expect(Object.keys(one.body)).toEqual(['queueage', 'source']);
  expect(since()).toEqual([
    ['history', { from: 0, to: 0, granularity: 'hour', metric: 'queueage', queue: 'gone' }],
  ]);
  await open.get(
    '/api/metrics/latency?metric=waittime&percentiles=,50,x,101,99.9,50&granularity=y',
  );
  const [[, latency] = []] = since();
  expect(latency).toMatchObject({ metric: 'waittime', percentiles: [50, 99.9], from: 0 });
  expect(latency).toMatchObject({ granularity: 'day', to: expect.any(Number) });
  await open.get('/api/metrics/latency?metric=runtime&from=9&to=3&percentiles=a');
  expect(since()).toMatchObject([['latency', { from: 9, to: 3, percentiles: [50, 95, 99] }]]);
});

it('refuses bad ranges, metrics and granularities', async () => {
  const refusals = {
    'history?to=1': 'INVALID_DATE_RANGE',
    'history?from=2&to=1': 'INVALID_DATE_RANGE',
    'history?from=x&to=1': 'INVALID_DATE_RANGE',
    'history?from=1&to=Infinity': 'INVALID_DATE_RANGE',
    'history?from=&to=1': 'INVALID_DATE_RANGE',
    'history?from=0&to=1&granularity=minute': 'INVALID_GRANULARITY',
    'history?from=0&to=1&metric=created': 'INVALID_METRIC',
    'history?from=0&to=1&groupBy=name': 'INVALID_QUERY_PARAM',
    [`history?from=0&to=${32 * 86_400_000}&granularity=hour&groupBy=queue`]: 'INVALID_DATE_RANGE',
    'latency?metric=age': 'INVALID_METRIC',
    latency: 'INVALID_METRIC',
    'latency?metric=runtime&from=x': 'INVALID_DATE_RANGE',
    'latency?metric=runtime&to=1e999': 'INVALID_DATE_RANGE',
  };
  for (const [path, key] of Object.entries(refusals)) {
    const answer = await open.get(`/api/metrics/${path}`);
    expect([path, ...refused(answer)]).toEqual([path, 400, `ERRORS.${key}`]);
  }
  const purges = {
    INVALID_BEFORE_DATE: [{ before: 'yesterday' }, { before: 1 }, { before: '2026-1-1' }],
    INVALID_QUEUE: [{ queue: 7 }],
  };
  for (const [key, bodies] of Object.entries(purges)) {
    for (const body of bodies) {
      const answer = await open.send('POST', '/api/metrics/history/purge', body);
      expect(refused(answer)).toEqual([400, `ERRORS.${key}`]);
    }
  }
  since();
});

it('gives a series for every visible queue', async () => {
  const path = '/api/metrics/history?from=0&to=1&groupBy=queue&metric=completed';
  const names = ({ body }: Answer): unknown =>
    body.queues.map(({ queue, completed }: { queue: string; completed: unknown[] }) => [
      queue,
      completed.length,
    ]);
  expect(names(await open.get(path))).toEqual([
    ['open', 1],
    ['secret', 1],
    ['kept', 1],
  ]);
  expect(names(await guarded.get(path))).toEqual([
    ['open', 1],
    ['kept', 1],
  ]);
  expect(names(await guarded.get(`${path}&queue=secret`))).toEqual([]);
  since();
});

it('refuses more hours or days of many queues than a response has', async () => {
  const options = { connection: { lazyConnect: true }, skipMetasUpdate: true };
  const many = Array.from({ length: 169 }, (_none, index) => new Queue(`many-${index}`, options));
  for (const queue of many) queue.on('error', () => undefined);
  const board = await serveBoard(
    many.map((queue) => bullmqQueue(queue)),
    {
      historyProvider: {
        ...provider,
        // All days that were asked for.
        getHistoryByQueue: async ({ from, to, granularity, queues: names }) => {
          const days = granularity === 'day' ? Math.floor((to - from) / 86_400_000) : 0;
          const points = Array.from({ length: days }, (_none, ts) => ({ ts, value: 0 }));
          return new Map(names.map((name) => [name, points]));
        },
      },
    },
  );
  const grouped = `/api/metrics/history?from=0&to=${31 * 86_400_000}&groupBy=queue`;
  const refusal = [400, 'ERRORS.INVALID_DATE_RANGE'];
  expect(refused(await board.get(`${grouped}&granularity=hour`))).toEqual(refusal);
  const fewer = [`${grouped}&granularity=hour&metric=failed`, `${grouped}&granularity=day`];
  for (const path of [...fewer, `${grouped}&granularity=hour&queue=many-1`]) {
    expect((await board.get(path)).status).toBe(200);
  }
  const days = (count: number) =>
    board.get(`/api/metrics/history?from=0&to=${count * 86_400_000}&groupBy=queue`);
  expect((await days(739)).status).toBe(200);
  expect(refused(await days(740))).toEqual(refusal);
  await board.close();
  await Promise.all(many.map((queue) => queue.close()));
});

it('counts no hidden queue, and does not tell it from a missing one', async () => {
  since();
  await guarded.get('/api/metrics/history?from=0&to=1&metric=failed');
  await guarded.get('/api/metrics/latency?metric=runtime');
  expect(since()).toMatchObject([
    ['history', { queues: ['open', 'kept'] }],
    ['latency', { queues: ['open', 'kept'] }],
  ]);
  for (const queue of ['secret', 'missing', '__global__']) {
    const history = await guarded.get(`/api/metrics/history?from=0&to=1&queue=${queue}`);
    expect(history.body).toMatchObject({ completed: [], failed: [] });
    expect((await guarded.get(`/api/metrics/latency?metric=runtime&queue=${queue}`)).body).toEqual(
      [],
    );
    const purge = await guarded.send('POST', '/api/metrics/history/purge', { queue });
    expect(purge.body).toEqual({ keysDeleted: 0, fieldsDeleted: 0 });
  }
  expect(since()).toEqual([]);
  const { body } = await guarded.get('/api/metrics/history/usage');
  expect(body).toMatchObject({ keys: 6, minutes: 4, oldestDay: '2026-01-02' });
  expect(body.queues.map(({ queue }: { queue: string }) => queue)).toEqual(['open', 'kept']);
});

it('asks for nothing where the sender may see no queue', async () => {
  const hidden = queues.map((queue) => bullmqQueue(queue, { visibilityGuard: () => false }));
  const board = await serveBoard(hidden, { historyProvider: provider });
  since();
  const history = await board.get('/api/metrics/history?from=0&to=1');
  expect(history.body).toMatchObject({ completed: [], failed: [] });
  expect((await board.get('/api/metrics/latency?metric=runtime')).body).toEqual([]);
  const grouped = await board.get('/api/metrics/history?from=0&to=1&groupBy=queue');
  expect(grouped.body).toMatchObject({ queues: [] });
  expect(since()).toEqual([]);
  await board.close();
});

it('purges what may be written', async () => {
  since();
  const purge = (board: ServedBoard, body?: object): Promise<Answer> =>
    board.send('POST', '/api/metrics/history/purge', body);
  expect((await purge(open)).body).toEqual({ keysDeleted: 1, fieldsDeleted: 2 });
  await purge(open, { queue: 'gone', before: '2026-02-30' });
  await purge(guarded, { before: '2026-01-01' });
  expect(since()).toEqual([
    ['purge', {}],
    ['purge', { queue: 'gone', before: '2026-02-30' }],
    ['purge', { queue: 'open', before: '2026-01-01' }],
  ]);
  expect(refused(await purge(guarded, { queue: 'kept' }))).toEqual([405, 'ERRORS.QUEUE_READ_ONLY']);
  // Without a hidden queue, those that may be written are still purged one by one.
  const [queue, , kept] = queues as [Queue, Queue, Queue];
  const partly = await serveBoard([bullmqQueue(queue), bullmqQueue(kept, { readOnly: true })], {
    historyProvider: provider,
  });
  since();
  expect((await purge(partly)).body).toEqual({ keysDeleted: 1, fieldsDeleted: 2 });
  expect(since()).toEqual([['purge', { queue: 'open' }]]);
  await partly.close();
  const board = await serveBoard([], { historyProvider: provider });
  board.registry.add(bullmqQueue(queue, { readOnly: true }));
  expect(refused(await purge(board))).toEqual([405, 'ERRORS.QUEUE_READ_ONLY']);
  const page = await (await fetch(`${board.url}/`)).text();
  expect(page).toContain('"canPurgeHistory":false');
  expect(await (await fetch(`${open.url}/`)).text()).toContain('"canPurgeHistory":true');
  await board.close();
  const fixed = await serveBoard([bullmqQueue(queue, { readOnly: true })], {
    historyProvider: provider,
  });
  expect((await purge(fixed)).status).toBe(404);
  await fixed.close();
});

it('responds with 503 while the store is away, and tells nothing of a failure', async () => {
  let thrown: Error = new HistoryUnavailableError(new Error('secret host'));
  const board = await serveBoard([], {
    historyProvider: { getHistory: () => Promise.reject(thrown) },
  });
  const away = await board.get('/api/metrics/history?from=0&to=1');
  expect(refused(away)).toEqual([503, 'ERRORS.KV_UNAVAILABLE']);
  thrown = new Error('secret host');
  const failed = await board.get('/api/metrics/history?from=0&to=1');
  expect([failed.status, JSON.stringify(failed.body)]).toEqual([
    500,
    expect.not.stringContaining('secret'),
  ]);
  await board.close();
});
