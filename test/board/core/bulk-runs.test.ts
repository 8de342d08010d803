/** Runs of a board: how many at a time, how long results are kept, and their end when the board closes. */

import { afterEach, expect, it, vi } from 'vitest';
import { BoardError, datastoreUnavailable, memoryRunStore } from '../../../src/board/core/index.ts';
import type { RunStore } from '../../../src/board/core/index.ts';
import { BoardEvents } from '../../../src/board/core/events.ts';
import { BulkRuns } from '../../../src/board/core/bulk/runs.ts';
import type { BulkControl, PreparedRun } from '../../../src/board/core/bulk/runs.ts';

afterEach(() => vi.useRealTimers());

const silent = { error: () => undefined, warn: () => undefined };

type Work = (control: BulkControl) => Promise<void>;

/** Runs that do the given work, kept in memory if nowhere else. */
function create(work: Work, store: RunStore = memoryRunStore(), mayContinue = true) {
  const runs = new BulkRuns(
    {
      stores: () => [store],
      storeOf: () => store,
      mayContinue: async () => mayContinue,
      work: (_run, control) => work(control),
    },
    {
      events: new BoardEvents(undefined, silent),
      problemOf: (error) =>
        error instanceof BoardError ? error : new BoardError('INTERNAL_SERVER_ERROR'),
      warn: () => undefined,
    },
  );
  const find = async (id: string) => (await runs.list(id))[0];
  return { runs, find };
}

/** Works until it is stopped. */
const endless: Work = ({ signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

const on = (queueName: string, dryRun = false): PreparedRun => ({
  queueName,
  action: 'retry',
  dryRun,
  spec: {},
});

it('are eight at most, and one per queue', async () => {
  const { runs, find } = create(endless);
  const started = [];
  for (let index = 0; index < 8; index += 1) started.push(await runs.start(on(`queue ${index}`)));
  await expect(runs.start(on('queue 0'))).rejects.toThrow('BULK_RUNNING');
  await expect(runs.start(on('another'))).rejects.toThrow('BULK_LIMIT');
  const [{ id, queueName } = { id: '', queueName: '' }] = started;
  await runs.cancel({ id, queueName });
  await runs.settled(id, 10_000);
  expect((await find(id))?.state).toBe('cancelled');
  expect((await runs.start(on('another'))).state).toBe('running');
  await runs.close();
  expect(new Set((await runs.list()).map(({ state }) => state))).toEqual(new Set(['cancelled']));
  await expect(runs.start(on('late'))).rejects.toThrow('BULK_LIMIT');
});

it('that only count are beside the others, one per queue and eight as well', async () => {
  const { runs } = create(endless);
  for (let index = 0; index < 8; index += 1) {
    expect((await runs.start(on(`queue ${index}`))).state).toBe('running');
    expect((await runs.start(on(`queue ${index}`, true))).state).toBe('running');
  }
  for (const dryRun of [false, true]) {
    await expect(runs.start(on('queue 0', dryRun))).rejects.toThrow('BULK_RUNNING');
    await expect(runs.start(on('another', dryRun))).rejects.toThrow('BULK_LIMIT');
  }
  await runs.close();
});

it('keep their result for an hour, also of a failure', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { runs, find } = create(async ({ report, expect: total }) => {
    await total(2);
    await report({ examined: 1, matched: 1, refused: { JOB_NOT_FOUND: 1 } });
    throw new Error('away');
  });
  const { id } = await runs.start(on('mail'));
  await runs.settled(id, 10_000);
  expect(await find(id)).toMatchObject({
    state: 'failed',
    total: 2,
    examined: 1,
    refused: [{ count: 1, reason: { key: 'ERRORS.JOB_NOT_FOUND' } }],
    problem: { key: 'ERRORS.INTERNAL_SERVER_ERROR' },
  });
  vi.setSystemTime(Date.now() + 3_599_000);
  expect(await find(id)).toBeDefined();
  vi.setSystemTime(Date.now() + 2_000);
  expect(await find(id)).toBeUndefined();
});

/** A store that gives a released run to the next one who asks. */
function lending(): RunStore {
  const memory = memoryRunStore();
  const released = new Set<string>();
  const store: RunStore = {
    ...memory,
    waiting: async () => [...released].map((id) => ({ id, queueName: 'mail' })),
    async claim(id) {
      released.delete(id);
      const [run] = await memory.list(id);
      return (
        run && {
          id,
          fence: 1,
          marks: false as const,
          keeps: false,
          run,
          spec: '{}',
          position: undefined,
        }
      );
    },
    async write(claim, { release, ...change }) {
      if (release) released.add(claim.id);
      return memory.write(claim, release ? {} : change);
    },
  };
  return store;
}

it('continue after errors of their datastore, and fail when twenty tries have done nothing', async () => {
  vi.useFakeTimers();
  let tries = 0;
  const { runs, find } = create(async ({ report }) => {
    tries += 1;
    if (tries <= 10) await report({ examined: 1 });
    throw datastoreUnavailable();
  }, lending());
  runs.takeOver();
  const { id } = await runs.start(on('mail'));
  await vi.advanceTimersByTimeAsync(300_000);
  expect(await find(id)).toMatchObject({
    state: 'failed',
    examined: 10,
    problem: { key: 'ERRORS.KV_UNAVAILABLE' },
  });
  expect(tries).toBe(10 + 21);
  await runs.close();
});

it('fail with an error of their datastore where only this process has them', async () => {
  const { runs, find } = create(async () => {
    throw datastoreUnavailable();
  });
  const { id } = await runs.start(on('mail'));
  await runs.settled(id, 10_000);
  expect(await find(id)).toMatchObject({
    state: 'failed',
    problem: { key: 'ERRORS.KV_UNAVAILABLE' },
  });
});

it('stop before their store has noted it, whose row or key a part may hold', async () => {
  let note = (): void => undefined;
  const noted = new Promise<void>((resolve) => (note = resolve));
  const memory = memoryRunStore();
  const store: RunStore = { ...memory, cancel: (id) => noted.then(() => memory.cancel(id)) };
  let parts = 0;
  const { runs, find } = create(async ({ signal, report }) => {
    while (!signal.aborted) {
      await report({ examined: 1 });
      parts += 1;
      await new Promise(setImmediate);
    }
  }, store);
  const { id, queueName } = await runs.start(on('mail'));
  const cancelled = runs.cancel({ id, queueName });
  await runs.settled(id, 10_000);
  expect(await find(id)).toMatchObject({ state: 'cancelled', examined: parts });
  note();
  await cancelled;
});

it('are given back when the board closes, and taken over by another that may write', async () => {
  vi.useFakeTimers();
  const store = lending();
  const closed = create(endless, store);
  const { id } = await closed.runs.start(on('mail'));
  await closed.runs.close();
  expect(await store.waiting()).toEqual([{ id, queueName: 'mail' }]);
  expect(await closed.find(id)).toMatchObject({ state: 'running', endedAt: null });
  const worked: boolean[] = [];
  const instance = (mayContinue: boolean) =>
    create(async () => void worked.push(mayContinue), store, mayContinue);
  const reader = instance(false);
  reader.runs.takeOver();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([worked, (await reader.find(id))?.state]).toEqual([[], 'running']);
  const writer = instance(true);
  writer.runs.takeOver();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([worked, (await reader.find(id))?.state]).toEqual([[true], 'completed']);
  await Promise.all([reader.runs.close(), writer.runs.close()]);
});

it('do nothing more once they are cancelled, also where nobody works on them then', async () => {
  vi.useFakeTimers();
  const store = lending();
  const closed = create(endless, store);
  const { id } = await closed.runs.start(on('mail'));
  // Another instance cancels it, of which this one does not hear before it closes.
  await store.cancel(id);
  await closed.runs.close();
  expect(await closed.find(id)).toMatchObject({ state: 'running' });
  let parts = 0;
  const next = create(async ({ signal }) => {
    if (!signal.aborted) parts += 1;
  }, store);
  next.runs.takeOver();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([parts, (await next.find(id))?.state]).toEqual([0, 'cancelled']);
  await next.runs.close();
});
