/** The dashboard in a browser beside bull-board's, on the same changing queues; see bench/README.md. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { Queue } from 'bullmq';
import type { ConnectionOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { findChromium, launch } from '../../test/demo/chromium.ts';
import { seed } from '../board-kvq/queues.ts';
import { startRedis } from '../board-kvq/redis.ts';
import { figure, table } from '../markdown.ts';
import { visit } from './visit.ts';
import type { Visit } from './visit.ts';

const contenders = [
  { name: 'Sluice', path: '/shared/', link: 'tbody a[href*="/queue/"]' },
  { name: 'bull-board', path: '/peer/', link: 'a[href*="/queue/"]' },
] as const;

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;

const rows: readonly (readonly [string, (visit: Visit) => string])[] = [
  ['JavaScript of the first load (at most 140 kB)', (each) => kilobytes(each.scriptBytes)],
  ['everything of the first load', (each) => kilobytes(each.allBytes)],
  ['usable after (at most 1 s)', (each) => `${each.usable.toFixed(0)} ms`],
  ['polls: work per 1/60 s (at most 6 ms)', (each) => `${figure(each.polls.perMoment)} ms`],
  ['polls: work per drawn frame', (each) => `${figure(each.polls.perFrame)} ms`],
  ['polls: most work for a frame', (each) => `${figure(each.polls.most)} ms`],
  ['polls: tasks over 50 ms (none)', (each) => String(each.polls.long)],
  ['polls: longest task', (each) => `${figure(each.polls.longest)} ms`],
  ['polls: work in all', (each) => `${figure(each.polls.total)} ms`],
  ['polls: layout shift (none)', (each) => figure(each.shift)],
  ['polls: commits of React per second', (each) => figure(each.commits)],
  ['polls: changed nodes per second', (each) => figure(each.mutations)],
  ['scrolling: work per drawn frame', (each) => `${figure(each.scroll.perFrame)} ms`],
  ['scrolling: tasks over 50 ms (none)', (each) => String(each.scroll.long)],
];

/** @param seconds the length of the polls that are traced, per contender */
export async function runDashboard(seconds: number): Promise<void> {
  const executable = findChromium();
  if (!executable) throw new Error('This benchmark needs Chromium: install it.');
  for (const count of [300, 1_000]) {
    const redis = await startRedis();
    const client = new Redis({ port: redis.port, host: '127.0.0.1', maxRetriesPerRequest: null });
    const connection = client as unknown as ConnectionOptions;
    // The names of those of the server.
    const queues = Array.from(
      { length: count },
      (_, index) => new Queue(`queue-${index}`, { connection }),
    );
    await seed(queues, 20);
    const server = fork(
      new URL('../board-kvq/server.ts', import.meta.url),
      [String(redis.port), String(count)],
      { env: { ...process.env, NODE_ENV: 'production' } },
    );
    // A tenth of the queues changes each second.
    let next = 0;
    const changing = setInterval(() => {
      for (let step = 0; step < count / 10; step += 1) {
        void queues[(next += 7) % count]?.add('later', { at: next }, { delay: 3_600_000 });
      }
    }, 1_000);
    const browser = await launch(executable);
    try {
      const [{ board }] = (await once(server, 'message')) as [{ board: number }];
      const visits: Visit[] = [];
      for (const { path, link } of contenders) {
        visits.push(await visit(browser, `http://127.0.0.1:${board}${path}`, link, seconds));
      }
      const cells = rows.map(([label, print]) => [label, ...visits.map((each) => print(each))]);
      const load = loadavg()[0]?.toFixed(1);
      console.log(
        `${table([`${count} queues, load ${load}`, ...contenders.map(({ name }) => name)], cells)}\n`,
      );
    } finally {
      clearInterval(changing);
      await browser.close();
      server.kill();
      client.disconnect();
      await redis.stop();
    }
  }
}
