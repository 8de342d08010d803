/** Runs of a board: how many at a time, how long results are kept, and their end when the board closes. */

import { afterEach, expect, it, vi } from 'vitest';
import { BoardError } from '../../../src/board/core/index.ts';
import { BoardEvents } from '../../../src/board/core/events.ts';
import { BulkRuns } from '../../../src/board/core/bulk/runs.ts';
import type { BulkControl, BulkWork } from '../../../src/board/core/bulk/runs.ts';

afterEach(() => vi.useRealTimers());

const silent = { error: () => undefined, warn: () => undefined };

const create = (): BulkRuns =>
  new BulkRuns(new BoardEvents(undefined, silent), () => new BoardError('INTERNAL_SERVER_ERROR'));

/** Works until it is stopped. */
const endless = ({ signal }: BulkControl): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

const work = (queueName: string, run: BulkWork['run'], dryRun = false): BulkWork => ({
  queueName,
  action: 'retry',
  dryRun,
  run,
});

it('are eight at most, and one per queue', async () => {
  const runs = create();
  const started = Array.from({ length: 8 }, (_, index) =>
    runs.start(work(`queue ${index}`, endless)),
  );
  expect(() => runs.start(work('queue 0', endless))).toThrow('BULK_RUNNING');
  expect(() => runs.start(work('another', endless))).toThrow('BULK_LIMIT');
  const [first] = started;
  runs.cancel(first?.id ?? '');
  await runs.settled(first?.id ?? '', 10_000);
  expect(runs.find(first?.id ?? '')?.state).toBe('cancelled');
  expect(runs.start(work('another', endless)).state).toBe('running');
  await runs.close();
  expect(new Set(runs.all().map(({ state }) => state))).toEqual(new Set(['cancelled']));
  expect(() => runs.start(work('late', endless))).toThrow('BULK_LIMIT');
});

it('that only count are beside the others, one per queue and eight as well', async () => {
  const runs = create();
  for (let index = 0; index < 8; index += 1) {
    expect(runs.start(work(`queue ${index}`, endless)).state).toBe('running');
    expect(runs.start(work(`queue ${index}`, endless, true)).state).toBe('running');
  }
  for (const dryRun of [false, true]) {
    expect(() => runs.start(work('queue 0', endless, dryRun))).toThrow('BULK_RUNNING');
    expect(() => runs.start(work('another', endless, dryRun))).toThrow('BULK_LIMIT');
  }
  await runs.close();
});

it('keep their result for an hour, also of a failure', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const runs = create();
  const { id } = runs.start(
    work('mail', async ({ report, expect: total }) => {
      total(2);
      report({ examined: 1, matched: 1, refused: { JOB_NOT_FOUND: 1 } });
      throw new Error('away');
    }),
  );
  await runs.settled(id, 10_000);
  expect(runs.find(id)).toMatchObject({
    state: 'failed',
    total: 2,
    examined: 1,
    refused: [{ count: 1, reason: { key: 'ERRORS.JOB_NOT_FOUND' } }],
    problem: { key: 'ERRORS.INTERNAL_SERVER_ERROR' },
  });
  vi.setSystemTime(Date.now() + 3_599_000);
  expect(runs.find(id)).toBeDefined();
  vi.setSystemTime(Date.now() + 2_000);
  expect(runs.find(id)).toBeUndefined();
});
