/** The metrics history of a board of the demo, on the demo's PostgreSQL, with two days made up before the first start. */

import { randomInt } from 'node:crypto';

import type { MetricsRecorderOptions, MetricsStore } from '../../src/metrics/index.ts';
import {
  MetricsRecorder,
  metricsHistoryProvider,
  sqlMetricsStore,
} from '../../src/metrics/index.ts';
import type { Closer, Databases } from '../databases.ts';

/** Milliseconds between two ticks: short, so that the curves move. */
const intervalMs = 5_000;

/** Thresholds of the boards. */
export const thresholds = {
  failureShare: 0.1,
  oldestJobMs: 120_000,
  backlogWithoutWorkers: 3,
  recorderSilentMs: 60_000,
};

/** Minutes since 1970, from two days ago until now, in steps of ten. */
function pastMinutes(): number[] {
  const now = Math.floor(Date.now() / 60_000);
  return Array.from({ length: 287 }, (_none, index) => now - 2_880 + index * 10);
}

/** Jobs of ten minutes, more of them by day than by night. */
const madeUp = (most: number) => (minute: number) =>
  [
    minute,
    randomInt(Math.ceil(most * (1.2 - Math.cos((minute / 1_440) * 2 * Math.PI))) + 1),
  ] as const;

/** Makes a past up, like the jobs of the demo, unless there is one. */
async function makePast(store: MetricsStore, queues: readonly string[]): Promise<void> {
  if ((await store.lastWrite()) !== null) return;
  const durations = () => {
    const most = [0, 0, 2, 9, 20, 31, 18, 6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    const counts = most.map((each) => randomInt(each + 1));
    return { counts, ms: counts.reduce((sum, count, place) => sum + count * place * 150, 0) };
  };
  const hour = Math.floor(Date.now() / 3_600_000);
  await store.commit({
    holder: 'past',
    leaseMs: 1,
    instance: undefined,
    retention: { minutes: 7, hours: 90, days: 90 },
    writes: queues.map((queue) => ({
      queue,
      completed: pastMinutes().map(madeUp(60)),
      failed: pastMinutes().map(madeUp(4)),
      samples: {
        from: null,
        to: Date.now(),
        hours: Array.from({ length: 48 }, (_none, index) => ({
          hour: hour - 48 + index,
          runtime: durations(),
          waittime: durations(),
        })),
      },
    })),
  });
}

/**
 * Starts recording and returns the provider for the board.
 *
 * @param prefix of the tables
 * @param closers receives a closer after each step
 */
export async function startHistory(
  { pool }: Databases,
  prefix: string,
  recorded: Pick<MetricsRecorderOptions, 'queues' | 'sources'> & {
    readonly past: readonly string[];
  },
  closers: Closer[],
) {
  const store = sqlMetricsStore(pool, { schema: 'sluice_history', prefix, migrate: true });
  const { past, ...sources } = recorded;
  await makePast(store, past);
  const recorder = new MetricsRecorder({
    ...sources,
    store,
    snapshotIntervalMs: intervalMs,
    attempts: { perQueue: 1_000 },
    // During a shutdown, errors are expected.
    onSnapshotError: () => undefined,
  }).start();
  closers.push(() => recorder.stop());
  return { recorder, provider: metricsHistoryProvider(store) };
}
