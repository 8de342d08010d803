/** The dashboard in a browser beside bull-board's, on the same changing queues; see bench/dashboard.md. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { Queue } from 'bullmq';
import type { ConnectionOptions } from 'bullmq';
import { Redis } from 'ioredis';
import type { Browser } from 'playwright-core';
import { findChromium, launch } from '../../test/demo/chromium.ts';
import { seed } from '../board-kvq/queues.ts';
import { startRedis } from '../board-kvq/redis.ts';
import { figure, table } from '../markdown.ts';
import { quantile } from '../measure.ts';
import { visitDemo } from './demo.ts';
import { usableAfter, visit } from './visit.ts';
import type { Place, Visit } from './visit.ts';

interface Contender {
  readonly name: string;
  /** Its port, by the name that the server process gives it. */
  readonly server: 'shared' | 'peer';
  readonly overview: Place;
  /** The delayed jobs of the first queue, as many as its page may have. */
  readonly jobs: Place;
}

const contenders: readonly Contender[] = [
  {
    name: 'Sluice',
    server: 'shared',
    overview: { path: '/', link: 'tbody a[href*="/queue/"]' },
    jobs: {
      path: '/queue/queue-0?state=delayed&size=1000',
      link: 'tbody a[href*="/queue/queue-0/"]',
    },
  },
  {
    name: 'bull-board',
    server: 'peer',
    overview: { path: '/', link: 'a[href*="/queue/"]' },
    jobs: {
      path: '/queue/queue-0?status=delayed',
      link: 'a[href*="/queue/queue-0/"]',
      // The most that its API gives.
      storage: { 'board-settings': '{"state":{"jobsPerPage":300},"version":2}' },
    },
  },
];

const jobs = 1_000;

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;

type Rows = readonly (readonly [string, (visit: Visit) => string])[];

const loading: Rows = [
  ['JavaScript of the first load (at most 120 kB)', (each) => kilobytes(each.scriptBytes)],
  ['everything of the first load', (each) => kilobytes(each.allBytes)],
];

const working: Rows = [
  ['usable after (at most 1 s)', (each) => `${each.usable.toFixed(0)} ms`],
  ['lines in the document', (each) => String(each.lines)],
  ['polls: work per 1/60 s', (each) => `${figure(each.polls.perMoment)} ms`],
  [
    'polls: script, style and layout per drawn frame (at most 6 ms)',
    (each) => `${figure(each.polls.scripting)} ms`,
  ],
  ['polls: all work per drawn frame', (each) => `${figure(each.polls.perFrame)} ms`],
  ['polls: most work for a frame', (each) => `${figure(each.polls.most)} ms`],
  ['polls: drawn frames', (each) => String(each.polls.frames)],
  ['polls: tasks over 50 ms (none)', (each) => String(each.polls.long)],
  ['polls: longest task', (each) => `${figure(each.polls.longest)} ms`],
  ['polls: work in all', (each) => `${figure(each.polls.total)} ms`],
  ['polls: layout shift (none)', (each) => figure(each.shift)],
  ['polls: changed nodes per second', (each) => figure(each.mutations)],
  [
    'scrolling: script, style and layout per drawn frame',
    (each) => `${figure(each.scroll.scripting)} ms`,
  ],
  ['scrolling: all work per drawn frame', (each) => `${figure(each.scroll.perFrame)} ms`],
  ['scrolling: tasks over 50 ms (none)', (each) => String(each.scroll.long)],
];

function tell(title: string, rows: Rows, visits: readonly Visit[]): void {
  const cells = rows.map(([label, print]) => [label, ...visits.map((each) => print(each))]);
  const load = loadavg()[0]?.toFixed(1);
  const names = contenders.map(({ name }) => name);
  console.log(`${table([`${title}, load ${load}`, ...names], cells)}\n`);
}

const later = { delay: 3_600_000 };

/** Boards of both on some queues, of which a tenth changes each second, while the work runs. */
async function onQueues(
  count: number,
  work: (originOf: (contender: Contender) => string) => Promise<void>,
): Promise<void> {
  const redis = await startRedis();
  const client = new Redis({ port: redis.port, host: '127.0.0.1', maxRetriesPerRequest: null });
  const connection = client as unknown as ConnectionOptions;
  // The names of those of the server.
  const queues = Array.from(
    { length: count },
    (_, index) => new Queue(`queue-${index}`, { connection }),
  );
  await seed(queues, 20);
  await queues[0]?.addBulk(
    Array.from({ length: jobs }, (_, at) => ({ name: 'later', data: { at }, opts: later })),
  );
  const server = fork(
    new URL('../board-kvq/server.ts', import.meta.url),
    [String(redis.port), String(count)],
    { env: { ...process.env, NODE_ENV: 'production' } },
  );
  // A tenth of the queues changes each second, and the first one gets a job that runs before the others.
  let next = 0;
  const changing = setInterval(() => {
    void queues[0]?.add('sooner', { at: next }, { delay: 1_800_000 });
    for (let step = 0; step < count / 10; step += 1) {
      void queues[(next += 7) % count]?.add('later', { at: next }, later);
    }
  }, 1_000);
  try {
    const [ports] = (await once(server, 'message')) as [Record<Contender['server'], number>];
    await work(({ server: name }) => `http://127.0.0.1:${ports[name]}`);
  } finally {
    clearInterval(changing);
    server.kill();
    client.disconnect();
    await redis.stop();
  }
}

/** @param seconds the length of the polls that are traced, per contender */
const traceQueues = (browser: Browser, count: number, seconds: number): Promise<void> =>
  onQueues(count, async (originOf) => {
    const visits = async (place: (contender: Contender) => Place): Promise<Visit[]> => {
      const made: Visit[] = [];
      for (const each of contenders) {
        made.push(await visit(browser, originOf(each), place(each), seconds));
      }
      return made;
    };
    tell(`${count} queues`, [...loading, ...working], await visits(({ overview }) => overview));
    if (count > 300) return;
    tell(`list of ${jobs} jobs (bull-board: 300)`, working, await visits((each) => each.jobs));
  });

/** The processor of somebody's old machine. */
const slower = 4;

/** Tells when the overview is usable on a slower processor: the middle of five visits. */
async function visitSlower(browser: Browser): Promise<void> {
  const rows: string[][] = [];
  for (const [count, most] of [
    [30, '1.5 s'],
    [500, '3 s'],
  ] as const) {
    await onQueues(count, async (originOf) => {
      const row = [`${count} queues (at most ${most})`];
      for (const each of contenders) {
        const times: number[] = [];
        for (let time = 0; time < 5; time += 1) {
          times.push(await usableAfter(browser, originOf(each), each.overview, slower));
        }
        row.push(`${quantile(times, 0.5).toFixed(0)} ms`);
      }
      rows.push(row);
    });
  }
  const names = contenders.map(({ name }) => name);
  const load = (loadavg()[0] ?? 0).toFixed(1);
  console.log(
    `${table([`usable at a processor ${slower} times slower, load ${load}`, ...names], rows)}\n`,
  );
}

/** @param seconds the length of the polls that are traced, per contender */
export async function runDashboard(seconds: number): Promise<void> {
  const executable = findChromium();
  if (!executable) throw new Error('This benchmark needs Chromium: install it.');
  const browser = await launch(executable);
  try {
    await visitDemo(browser);
    await visitSlower(browser);
    for (const count of [300, 1_000]) await traceQueues(browser, count, seconds);
  } finally {
    await browser.close();
  }
}
