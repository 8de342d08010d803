/**
 * The cost of recording for BullMQ: jobs per second, and processor time of the worker and of Redis per job, beside a recorder
 * and without one. The worker, the recorder and Redis are processes of their own. Rounds are in pairs, one right after
 * the other; each pair gives a ratio, of which the median is told with its confidence interval.
 */

import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bullmqQueue } from '../../src/board/index.ts';
import { MetricsRecorder, redisMetricsStore } from '../../src/metrics/index.ts';
import { startRedis } from '../board-kvq/redis.ts';
import { figure } from '../markdown.ts';

/** How the recorder of a case ticks: seconds between two ticks, and whether durations are measured. */
interface Recording {
  readonly every: number;
  readonly latency: boolean;
}

/** The cases: jobs of a round, and pairs of rounds. A round of the default has one tick, though it is over in seconds. */
const cases: readonly (Recording & { name: string; jobs: number; pairs: number })[] = [
  { name: 'a tick a second', jobs: 32_000, every: 1, latency: true, pairs: 20 },
  { name: 'a tick a second without durations', jobs: 32_000, every: 1, latency: false, pairs: 20 },
  { name: 'a tick a round', jobs: 150_000, every: 60, latency: true, pairs: 8 },
];

/** The figures of a round. */
interface Round {
  readonly perSecond: number;
  readonly worker: number;
  readonly redis: number;
}

const shown = {
  perSecond: 'jobs per second',
  worker: 'processor time of the worker per job, µs',
  redis: 'processor time of Redis per job, µs',
} as const;

/** Seconds of processor time that a server has used. */
async function used(client: Redis): Promise<number> {
  const info = await client.info('cpu');
  const part = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  return part('used_cpu_user') + part('used_cpu_sys');
}

/**
 * The median with its confidence interval of at least 95 %: the values by rank between which the median of a distribution
 * of any form is, as often as so many tosses of a coin give neither fewer heads nor more.
 */
export function medianWithInterval(values: readonly number[]): [number, number, number] {
  const sorted = values.toSorted((left, right) => left - right);
  const count = sorted.length;
  let [rank, below, chance] = [0, 0, 0.5 ** count];
  while (below + chance <= 0.025) {
    below += chance;
    rank += 1;
    chance *= (count - rank + 1) / rank;
  }
  const at = (place: number): number =>
    sorted[Math.max(0, Math.min(count - 1, place))] ?? Number.NaN;
  const middle = (at(Math.floor((count - 1) / 2)) + at(Math.ceil((count - 1) / 2))) / 2;
  return [middle, at(rank - 1), at(count - rank)];
}

/** Ticks half a second after the start, and then at each interval. */
async function tickUntil(
  recorder: MetricsRecorder,
  seconds: number,
  until: AbortController,
): Promise<void> {
  await pause(500, undefined, until);
  for (;;) {
    await recorder.tick();
    await pause(seconds * 1_000, undefined, until);
  }
}

/** Rows of the figures. */
export async function benchWorkers(): Promise<string[][]> {
  const server = await startRedis();
  const client = new Redis(server.port, { maxRetriesPerRequest: null });
  const queue = new Queue('work', { connection: client as never });
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [String(server.port)]);
  await once(child, 'message');

  const round = async (jobs: number, recording?: Recording): Promise<Round> => {
    for (let added = 0; added < jobs; added += 10_000) {
      const some = Array.from({ length: Math.min(10_000, jobs - added) }, () => ({
        name: 'job',
        data: {},
        // Durations are measured on stored jobs.
        opts: { removeOnComplete: { count: 5_000 } },
      }));
      await queue.addBulk(some);
    }
    const recorder = new MetricsRecorder({
      store: redisMetricsStore(client),
      queues: [bullmqQueue(queue)],
      latency: recording?.latency ?? true,
      latencySafetyMarginMs: 0,
    });
    if (recording) await recorder.tick();
    const before = await used(client);
    const answer = once(child, 'message');
    child.send(jobs);
    const ticking = new AbortController();
    const ticks = recording && tickUntil(recorder, recording.every, ticking).catch(() => undefined);
    const [{ seconds, cpu }] = (await answer) as [{ seconds: number; cpu: number }];
    const after = await used(client);
    ticking.abort();
    await ticks;
    await recorder.stop();
    return {
      perSecond: jobs / seconds,
      worker: (cpu * 1_000) / jobs,
      redis: ((after - before) * 1e6) / jobs,
    };
  };

  const rows: string[][] = [];
  await round(32_000, cases[0]);
  for (const each of cases) {
    const { name, jobs, pairs } = each;
    const taken: { readonly on: Round; readonly off: Round }[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const first = await round(jobs, pair % 2 === 0 ? each : undefined);
      const second = await round(jobs, pair % 2 === 0 ? undefined : each);
      taken.push(pair % 2 === 0 ? { on: first, off: second } : { on: second, off: first });
    }
    const [perSecond] = medianWithInterval(taken.map(({ off }) => off.perSecond));
    rows.push([`BullMQ, ${name}: seconds of a round`, figure(jobs / perSecond)]);
    for (const key of ['perSecond', 'worker', 'redis'] as const) {
      const percent = (value: number): string =>
        `${value > 1 ? '+' : ''}${((value - 1) * 100).toFixed(2)} %`;
      const [ratio, low, high] = medianWithInterval(taken.map(({ on, off }) => on[key] / off[key]));
      const [without] = medianWithInterval(taken.map(({ off }) => off[key]));
      rows.push([
        `BullMQ, ${name}: ${shown[key]} without a recorder; change beside one (95 % interval of ${pairs} pairs)`,
        `${figure(without)}; ${percent(ratio)} (${percent(low)} to ${percent(high)})`,
      ]);
    }
  }
  child.disconnect();
  await queue.close();
  client.disconnect();
  await server.stop();
  return rows;
}
