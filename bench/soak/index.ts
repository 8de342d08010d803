/** Fifty polling clients for a minute on one board: no error, and stable memory. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { figure, table } from '../markdown.ts';
import { quantile } from '../measure.ts';
import { startTraffic } from './traffic.ts';

const pollers = 50;
const database = 'sluice_soak';
/** Milliseconds between memory samples. */
const sampleEvery = 5_000;
/** The greatest ratio of the heap at the end to the heap after the first sixth. */
const maxGrowth = 1.15;

const paths = [
  'queues',
  'queues',
  'queues/orders/jobs?limit=20',
  'queues/mails/jobs?state=completed',
  'queues/orders/counts',
  'queues/reports/depth?range=1h',
  'warnings',
  'schedules',
  'info',
];

async function makeDatabase(): Promise<string> {
  const server =
    process.env['SLUICE_BENCH_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`drop database if exists ${database} with (force)`);
  await client.query(`create database ${database} lc_collate 'C' lc_ctype 'C' template template0`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

interface Memory {
  readonly heapUsed: number;
  readonly rss: number;
}

/** Prints the results of the clients and the memory of the server; false if a target is missed. */
export async function runSoak(seconds: number): Promise<boolean> {
  const url = await makeDatabase();
  const traffic = await startTraffic(url);
  const child = fork(fileURLToPath(new URL('server.ts', import.meta.url)), [url], {
    execArgv: ['--expose-gc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const memory = async (): Promise<Memory> => {
    child.send('memory');
    const [found] = (await once(child, 'message')) as [Memory];
    return found;
  };
  const times: number[] = [];
  const failures = new Map<string, number>();
  const until = performance.now() + seconds * 1000;
  const poll = async (first: number): Promise<void> => {
    for (let n = first; performance.now() < until; n += 1) {
      const path = paths[n % paths.length] ?? 'queues';
      const begun = performance.now();
      const outcome = await fetch(`http://127.0.0.1:${port}/api/pgq/${path}`)
        .then(async (response) => (await response.text()) && String(response.status))
        .catch((error: Error) => error.message);
      times.push(performance.now() - begun);
      const failure = `${path}: ${outcome}`;
      if (outcome !== '200') failures.set(failure, (failures.get(failure) ?? 0) + 1);
    }
  };
  const polling = Promise.all(Array.from({ length: pollers }, (_none, index) => poll(index)));
  const samples: Memory[] = [];
  while (performance.now() < until - sampleEvery / 2) {
    await pause(sampleEvery);
    samples.push(await memory());
  }
  await polling;
  samples.push(await memory());
  child.send('stop');
  await once(child, 'exit');
  await traffic.stop();
  const mebibytes = ({ heapUsed }: Memory): number => heapUsed / 2 ** 20;
  const settled = samples[Math.floor(samples.length / 6)] as Memory;
  const growth = mebibytes(samples.at(-1) as Memory) / mebibytes(settled);
  console.log(
    table(
      ['soak', 'figure'],
      [
        [`requests of ${pollers} clients in ${seconds} s`, String(times.length)],
        ['p50 ms', figure(quantile(times, 0.5))],
        ['p95 ms', figure(quantile(times, 0.95))],
        ['errors', String([...failures.values()].reduce((sum, count) => sum + count, 0))],
        ['heap, MiB, every 5 s', samples.map((sample) => figure(mebibytes(sample))).join(' ')],
        [`heap at the end to settled heap (target ${maxGrowth})`, growth.toFixed(2)],
      ],
    ),
  );
  for (const [failure, count] of failures) console.log(`${failure} (${count})`);
  return failures.size === 0 && growth <= maxGrowth;
}
