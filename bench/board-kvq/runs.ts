/** Runs by filter over many jobs: time, memory above idle, the longest turn of the event loop, and how fast one is cancelled. */

import { setTimeout as pause } from 'node:timers/promises';
import { figure, table } from '../markdown.ts';
import { watchTurns } from '../turns.ts';
import { type RunStore, onPgBoss, onPostgreSql, onRedis } from './run-stores.ts';

/** Jobs of a run before each that is measured. */
const warmUp = 1_000;

interface Run {
  readonly id: string;
  readonly state: string;
  readonly matched: number;
  readonly changed: number;
}

/** Prints the table of a datastore. */
async function benchStore(
  { name: store, board, works, fill }: RunStore,
  jobs: number,
): Promise<void> {
  const ask = async (method: string, path: string, value?: object): Promise<Run> => {
    const answer = await board.fetch(
      new Request(`http://board.local${path}`, {
        method,
        ...(value && {
          body: JSON.stringify(value),
          headers: { 'content-type': 'application/json' },
        }),
      }),
    );
    const body = (await answer.json()) as { run: Run };
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body.run;
  };
  const start = (body: object): Promise<Run> =>
    ask('POST', '/api/bulk', { queueName: 'runs', ...body });
  const ended = async ({ id }: Run): Promise<Run> => {
    for (;;) {
      const run = await ask('GET', `/api/bulk/${id}`);
      if (run.state !== 'running') return run;
      await pause(50);
    }
  };
  const rows: string[][] = [];
  for (const [name, state, body] of works) {
    // The first run of a process loads and compiles code, here from TypeScript.
    await fill(state, Math.min(warmUp, jobs));
    await ended(await start(body));
    await fill(state, jobs);
    globalThis.gc?.();
    const rest = watchTurns();
    await pause(3_000);
    const atRest = rest();
    const idle = process.memoryUsage().rss;
    let peak = idle;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const turns = watchTurns();
    const began = performance.now();
    const run = await ended(await start(body));
    const seconds = (performance.now() - began) / 1_000;
    const { cpu, wall } = turns();
    clearInterval(watch);
    const above = (peak - idle) / 2 ** 20;
    rows.push([
      `${name} (${above < 150 && cpu < 50 ? 'met' : 'not met'}: 150 MB, 50 ms)`,
      figure(seconds),
      figure(above),
      figure(cpu),
      figure(wall),
      figure(atRest.wall),
      `${run.state}: ${run.matched} matched, ${run.changed} changed`,
    ]);
  }
  await fill('failed', jobs);
  const cancelled = await start({ action: 'retry', filter: { error: 'broken' } });
  const began = performance.now();
  await ask('POST', `/api/bulk/${cancelled.id}/cancel`, {});
  const { state, changed } = await ended(cancelled);
  const took = performance.now() - began;
  rows.push([
    `cancel (${took < 1_000 ? 'met' : 'not met'}: 1 s)`,
    figure(took / 1_000),
    '',
    '',
    '',
    '',
    `${state}: ${changed} changed`,
  ]);
  console.log(
    table(
      [
        `${store}, ${jobs} jobs`,
        's',
        'MB above idle',
        'longest turn, CPU ms',
        'loop delayed ms',
        'delayed at rest ms',
        'run',
      ],
      rows,
    ),
  );
  console.log('');
}

/** Jobs with large data, and the characters of it. */
const [largeJobs, largeSize] = [500, 300_000];

/** Prints a table per datastore; `inDatabases` is the number of jobs in each database. */
export async function benchRuns(jobs: number, inDatabases: number): Promise<void> {
  for (const [open, count] of [
    [onRedis, jobs],
    [() => onRedis(largeSize), largeJobs],
    [onPostgreSql, inDatabases],
    [onPgBoss, inDatabases],
  ] as const) {
    const store = await open();
    try {
      await benchStore(store, count);
    } finally {
      await store.close();
    }
  }
}
