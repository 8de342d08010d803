/** The board over HTTP: near and far pages of jobs, five hundred queues, and a comparison with pg-boss's dashboard. */

import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';
import { openBoard } from '../../src/board/core/index.ts';
import { pgqEngine } from '../../src/board/pgq/index.ts';
import { ExpressAdapter } from '../../src/http/express/board.ts';
import { figure, table } from '../markdown.ts';
import { type Measured, measure } from '../measure.ts';
import { completedJobs } from './pages.ts';
import { benchUrl, bigQueue } from './seed.ts';

/** Rows per page, as in the dashboard. */
const limit = 50;

interface Page {
  readonly jobs: readonly { readonly id: string }[];
  readonly nextCursor: string | null;
}

/** One persistent connection, as in a browser. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function asText(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = get(url, { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'));
        else reject(new Error(`${url}: ${response.statusCode}`));
      });
    });
    outgoing.on('error', reject);
  });
}

/** The cursor of the last page, found through the first page of the reverse order. */
async function lastPage(jobs: string): Promise<string> {
  let path = `${jobs}&order=desc`;
  const oldest = JSON.parse(await asText(`${jobs}&order=asc`)) as Page;
  const target = oldest.jobs.at(-1)?.id;
  // A client gets this cursor by following the listing to its end.
  for (;;) {
    const page = JSON.parse(await asText(path)) as Page;
    if (page.nextCursor === null || page.jobs.some(({ id }) => id === target)) return path;
    path = `${jobs}&order=desc&cursor=${page.nextCursor}`;
  }
}

/** Address of the dashboard's last page, if a dashboard runs on the benchmark's database. */
const dashboard = process.env['SLUICE_BENCH_PGBOSS_DASHBOARD'];

/** Prints the table. */
export async function benchHttp(iterations: number): Promise<void> {
  const adapter = new ExpressAdapter();
  const board = openBoard(pgqEngine({ connection: benchUrl() }), adapter);
  const app = express();
  app.use('/', adapter.getRouter());
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/pgq`;
  const pool = new pg.Pool({ connectionString: benchUrl(), max: 1 });
  try {
    const pages = Math.ceil((await completedJobs(pool)) / limit);
    const jobs = `${origin}/queues/${bigQueue}/jobs?state=completed&limit=${limit}`;
    // Cursors are valid for every page size; large pages need fewer steps.
    const walked = await lastPage(jobs.replace(`limit=${limit}`, 'limit=100'));
    const far = walked.replace('limit=100', `limit=${limit}`);
    const runners = [
      { name: 'jobs, first page', run: () => asText(jobs) },
      { name: 'jobs, last page', run: () => asText(far) },
      { name: 'jobs of all states', run: () => asText(jobs.replace('state=completed&', '')) },
      { name: '500 queues', run: () => asText(`${origin}/queues`) },
      { name: 'counts of a queue', run: () => asText(`${origin}/queues/${bigQueue}/counts`) },
    ];
    const options = { iterations, rounds: 20, warmup: 20, budget: 60_000 };
    const measured = await measure(runners, options);
    const rows = measured.map(({ name, p50, p95 }) => [name, figure(p50), figure(p95)]);
    if (dashboard) {
      const url = dashboard.replace('{page}', String(pages));
      const [theirs] = await measure([{ name: 'dashboard', run: () => asText(url) }], {
        iterations: 20,
        rounds: 5,
        warmup: 2,
        budget: 60_000,
      });
      const ours = measured.find(({ name }) => name === 'jobs, last page') as Measured;
      const ratio = (theirs?.p50 ?? Number.NaN) / ours.p50;
      rows.push([
        `pg-boss dashboard, last page (${ratio.toFixed(0)} times ours; ${ratio >= 200 ? 'met' : 'not met'}: 200)`,
        figure(theirs?.p50 ?? Number.NaN),
        figure(theirs?.p95 ?? Number.NaN),
      ]);
    }
    console.log(table(['over HTTP', 'p50 ms', 'p95 ms'], rows));
    if (!dashboard) {
      console.log(
        '\nNo dashboard to compare with: run one on the same database and set SLUICE_BENCH_PGBOSS_DASHBOARD to its last page.',
      );
    }
  } finally {
    await board.close();
    server.close();
    agent.destroy();
    server.closeAllConnections();
    await pool.end();
  }
}
