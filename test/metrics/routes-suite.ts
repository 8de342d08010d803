/** The suite of the history routes over HTTP on a store: every route and parameter, and what is refused. */

import { Queue } from 'bullmq';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { metricsRoutes } from '../../src/board/contract/index.ts';
import { bullmqQueue } from '../../src/board/kvq/index.ts';
import { metricsHistoryProvider } from '../../src/metrics/index.ts';
import { hoursOf } from '../../src/metrics/model/samples.ts';
import { dayMs, dayOf, hourMs, isoDay, minuteMs } from '../../src/metrics/model/time.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { Answer, ServedBoard } from '../board/kvq/http-board.ts';
import type { StoreWorld } from './worlds.ts';

type Operation = keyof typeof metricsRoutes;

/** Noon of yesterday, so that a test does not cross midnight. */
const day = (dayOf(Date.now()) - 1) * dayMs;
const noon = day + dayMs / 2;
const whole = `from=${day}&to=${day + dayMs - 1}`;

/** The parameters that the contract has for an operation, each with its name. */
function parametersOf(operation: Operation): string[] {
  const route = metricsRoutes[operation];
  const shapes = [
    'query' in route ? route.query.shape : {},
    'body' in route ? route.body.shape : {},
  ];
  return shapes.flatMap((shape) => Object.keys(shape).map((name) => `${operation}.${name}`));
}

export function routesSuite(name: string, open: () => Promise<StoreWorld | null>): void {
  describe(`the history routes on ${name}`, () => {
    const asked = new Set<string>();
    let world: StoreWorld | null = null;
    let queues: Queue[] = [];
    let board: ServedBoard;

    /** Asks; an answer is the one of the contract, and has nothing that the contract does not name. */
    async function ask(operation: Operation, query = '', body?: object): Promise<Answer> {
      const { method, path, response } = metricsRoutes[operation];
      const names = [...new URLSearchParams(query).keys(), ...Object.keys(body ?? {})];
      asked.add(operation);
      for (const each of names) asked.add(`${operation}.${each}`);
      const answer = await board.send(method, query === '' ? path : `${path}?${query}`, body);
      if (answer.status === 200) expect(response.parse(answer.body)).toEqual(answer.body);
      return answer;
    }
    const read = async (operation: Operation, query?: string) => {
      const { status, body } = await ask(operation, query);
      expect([operation, query, status]).toEqual([operation, query, 200]);
      return body;
    };

    beforeAll(async () => {
      world = await open();
      if (!world) return;
      // The board asks the provider only; the queues need not connect.
      const options = { connection: { lazyConnect: true }, skipMetasUpdate: true };
      queues = ['mail', 'other'].map((each) => new Queue(each, options));
      for (const queue of queues) queue.on('error', () => undefined);
      board = await serveBoard(
        queues.map((queue) => bullmqQueue(queue)),
        { historyProvider: metricsHistoryProvider(world.store) },
      );
    });
    afterAll(async () => {
      await board?.close();
      await Promise.all(queues.map((queue) => queue.close()));
      await world?.close();
    });
    beforeEach(async (context) => {
      if (!world) return context.skip(`${name} is not available`);
      const { store, empty } = world;
      await empty();
      const jobs = [40, 40, 2_000].map((ran, at) => ({ finished: noon + at, ran, waited: 7 }));
      const [minute, retention] = [noon / minuteMs, { minutes: 7, hours: 90, days: 90 }];
      await store.commit({
        holder: 'one',
        leaseMs: 1_000,
        instance: undefined,
        retention,
        writes: [
          {
            queue: 'mail',
            completed: [
              [minute, 5],
              [minute + 61, 4],
            ],
            failed: [[minute, 1]],
            age: { at: noon, value: 700 },
            samples: { from: null, to: noon + hourMs, hours: hoursOf(jobs, jobs.length) },
          },
          { queue: 'other', completed: [[minute, 10]], failed: [], age: { at: noon, value: 900 } },
        ],
      });
      const attempt = { job: '1', attempt: 1, at: noon, ms: 5, reason: 'order 17 is unknown' };
      await store.addAttempts(new Map([['mail', [attempt, { ...attempt, attempt: 2 }]]]), 10);
    });

    it('serve counts and ages', async () => {
      const one = (value: number, ts = day) => [{ ts, value }];
      const source = 'recorder';
      expect(await read('getMetricsHistory', whole)).toEqual({
        completed: one(19),
        failed: one(1),
        source,
      });
      const hours = `${whole}&granularity=hour`;
      expect(await read('getMetricsHistory', `${hours}&metric=completed`)).toEqual({
        completed: [...one(15, noon), ...one(4, noon + hourMs)],
        source,
      });
      expect(await read('getMetricsHistory', `${hours}&metric=failed&queue=other`)).toEqual({
        failed: [],
        source,
      });
      expect(await read('getMetricsHistory', `${hours}&metric=queueage`)).toEqual({
        queueage: one(900, noon),
        source,
      });
      // A range begins with the hour that `from` is in, and ends with that of `to`.
      const within = `granularity=hour&metric=completed&queue=mail`;
      const ends = [
        [noon + 1, noon + 2, one(5, noon)],
        [noon - 1, noon - 1, []],
        [noon + hourMs, noon + hourMs, one(4, noon + hourMs)],
        [0, 8.64e15, [...one(5, noon), ...one(4, noon + hourMs)]],
        [-1e300, 1e300, [...one(5, noon), ...one(4, noon + hourMs)]],
        [noon + 0.5, noon + 0.5, one(5, noon)],
      ] as const;
      for (const [from, to, completed] of ends) {
        const answer = await read(
          'getMetricsHistory',
          `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}&${within}`,
        );
        expect([from, to, answer.completed]).toEqual([from, to, completed]);
      }
      expect(await read('getMetricsHistory', `${whole}&groupBy=queue`)).toEqual({
        queues: [
          { queue: 'mail', completed: one(9), failed: one(1) },
          { queue: 'other', completed: one(10), failed: [] },
        ],
        source,
      });
      const grouped = `${hours}&groupBy=queue&queue=other&metric=queueage`;
      expect(await read('getMetricsHistory', grouped)).toEqual({
        queues: [{ queue: 'other', queueage: one(900, noon) }],
        source,
      });
    });

    it('serve percentiles', async () => {
      const metric = 'metric=runtime';
      const [point] = await read('getMetricsLatency', `${metric}&${whole}`);
      expect(point).toMatchObject({ ts: day, count: 3, values: { 50: 44, 95: 2_275, 99: 2_455 } });
      const hours = `metric=waittime&${whole}&granularity=hour&percentiles=0,50,100`;
      const waits = [{ ts: noon, count: 3, values: { 0: 0, 50: 5, 100: 10 } }];
      expect(await read('getMetricsLatency', hours)).toEqual(waits);
      expect(await read('getMetricsLatency', `${hours}&queue=mail`)).toEqual(waits);
      expect(await read('getMetricsLatency', `${hours}&queue=other`)).toEqual([]);
      const [range] = await read('getMetricsLatency', `${metric}&${whole}&granularity=range`);
      expect(range).toMatchObject({ ts: day, count: 3 });
      const long = `from=${day - 40 * dayMs}&to=${day + dayMs}`;
      const [merged] = await read('getMetricsLatency', `${metric}&${long}&granularity=range`);
      expect(merged).toMatchObject({ ts: day - 40 * dayMs, count: 3 });
      expect(await read('getMetricsLatency', `${metric}&from=${day}&to=${day - 1}`)).toEqual([]);
      expect(await read('getMetricsLatency', metric)).toHaveLength(1);
    });

    it('serve failed attempts, and the storage', async () => {
      const errors = (await read('listMetricsErrors', `from=${day}&to=${noon}&queue=mail`)).errors;
      expect(errors).toMatchObject([{ error: 'order <n> is unknown', count: 2, lastAt: noon }]);
      expect((await read('listMetricsErrors', `from=${noon + 1}`)).errors).toEqual([]);
      expect((await read('listMetricsErrors', `to=${noon - 1}`)).errors).toEqual([]);
      const { attempts } = await read('listMetricsAttempts', 'queue=mail&job=1');
      expect(attempts.map((each: { attempt: number }) => each.attempt)).toEqual([1, 2]);
      expect((await read('listMetricsAttempts', 'queue=mail&job=2')).attempts).toEqual([]);
      const usage = await read('getMetricsHistoryUsage');
      expect(usage).toMatchObject({ oldestDay: isoDay(day / dayMs), newestDay: usage.oldestDay });
      expect(usage.queues.map(({ queue }: { queue: string }) => queue).toSorted()).toEqual([
        '__global__',
        'mail',
        'other',
      ]);
      expect(usage.bytes).toBeGreaterThan(0);
    });

    it('purge', async () => {
      const completed = async () =>
        (await read('getMetricsHistory', `${whole}&metric=completed`)).completed;
      const purge = (body?: object) => ask('purgeMetricsHistory', '', body);
      expect((await purge({ before: isoDay(day / dayMs) })).body).toEqual({
        keysDeleted: 0,
        fieldsDeleted: 0,
      });
      expect((await purge({ queue: 'mail' })).body.keysDeleted).toBeGreaterThan(0);
      expect(await completed()).toEqual([{ ts: day, value: 10 }]);
      expect((await read('listMetricsErrors', `from=${day}`)).errors).toEqual([]);
      await purge({ before: isoDay(day / dayMs + 1) });
      expect(await completed()).toEqual([]);
      expect((await purge()).status).toBe(200);
      expect(await read('getMetricsHistoryUsage')).toMatchObject({ keys: 0, queues: [] });
    });

    it('refuse bad ranges and values', async () => {
      const key = async (operation: Operation, query: string, body?: object): Promise<unknown> => {
        const answer = await ask(operation, query, body);
        return [query, answer.status, answer.body.error?.key];
      };
      const refusals: [Operation, string, string][] = [
        ['getMetricsHistory', `to=${noon}`, 'INVALID_DATE_RANGE'],
        ['getMetricsHistory', `from=${noon}`, 'INVALID_DATE_RANGE'],
        ['getMetricsHistory', `from=${noon}&to=${day}`, 'INVALID_DATE_RANGE'],
        ['getMetricsHistory', 'from=NaN&to=1', 'INVALID_DATE_RANGE'],
        ['getMetricsHistory', 'from=0&to=1e999', 'INVALID_DATE_RANGE'],
        ['getMetricsHistory', 'from=0&from=1&to=2', 'INVALID_DATE_RANGE'],
        ['getMetricsHistory', `${whole}&granularity=minute`, 'INVALID_GRANULARITY'],
        ['getMetricsHistory', `${whole}&metric=waiting`, 'INVALID_METRIC'],
        [
          'getMetricsHistory',
          `from=0&to=${noon}&granularity=hour&groupBy=queue`,
          'INVALID_DATE_RANGE',
        ],
        ['getMetricsLatency', whole, 'INVALID_METRIC'],
        ['getMetricsLatency', 'metric=runtime&from=yesterday', 'INVALID_DATE_RANGE'],
        ['listMetricsErrors', 'to=1e999', 'INVALID_DATE_RANGE'],
      ];
      for (const [operation, query, expected] of refusals) {
        expect(await key(operation, query)).toEqual([query, 400, `ERRORS.${expected}`]);
      }
      const purge = (body: object) => key('purgeMetricsHistory', '', body);
      expect(await purge({ before: '1 May' })).toEqual(['', 400, 'ERRORS.INVALID_BEFORE_DATE']);
      expect(await purge({ queue: ['mail'] })).toEqual(['', 400, 'ERRORS.INVALID_QUEUE']);
      expect((await read('getMetricsHistory', whole)).completed).toEqual([{ ts: day, value: 19 }]);
    });

    it('have been asked with every parameter of the contract', () => {
      const operations = (Object.keys(metricsRoutes) as Operation[]).filter(
        (operation) => !['listAttention', 'listDeployments'].includes(operation),
      );
      const all = operations.flatMap((operation) => [operation, ...parametersOf(operation)]);
      expect(all.filter((each) => !asked.has(each))).toEqual([]);
      expect([...asked].filter((each) => !all.includes(each))).toEqual([]);
      expect(board.errors).toEqual([]);
    });
  });
}
