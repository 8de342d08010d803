/**
 * Counts the files, functions and calls of `src` that one warm list request (a counted page on `pg`, under Express) and
 * one warm poll of the queues of kvq pass, by V8's precise coverage. Usage: `node tools/count-calls.ts [--files]`; it
 * needs PostgreSQL and Redis on their usual local ports.
 */

import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { makeQueues } from '../bench/board-kvq/queues.ts';
import { listingQuery } from '../bench/board-kvq/query.ts';
import { listenerOf, servers, targetOf } from '../bench/http/contenders.ts';
import { cursorRows } from '../bench/lists/cursor-rows.ts';
import { variants } from '../bench/lists/requests.ts';
import { seedPostgres } from '../bench/lists/seed-pg.ts';
import { seedSqlite } from '../bench/lists/seed-sqlite.ts';
import { openBoard } from '../src/board/core/index.ts';
import { bullmqQueue, kvqEngine } from '../src/board/kvq/index.ts';
import { NodeAdapter } from '../src/http/node/board.ts';

const showsFiles = process.argv.includes('--files');
const sources = new URL('../src/', import.meta.url).href;
/** Requests before the counted one, so that all that happens once has happened. */
const warmUps = 50;

const session = new Session();
session.connect();
await session.post('Profiler.enable');

async function print(title: string, listener: RequestListener, target: string): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${target}`;
  const request = async (): Promise<void> => {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${title}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  for (let count = 0; count < warmUps; count += 1) await request();
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await request();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const files = result
    .filter(({ url: file }) => file.startsWith(sources))
    .map(({ url: file, functions }) => {
      const counts = functions.map(({ ranges: [range] }) => range?.count ?? 0).filter(Boolean);
      const calls = counts.reduce((sum, count) => sum + count, 0);
      return { file: file.slice(sources.length), functions: counts.length, calls };
    })
    .filter(({ calls }) => calls > 0)
    .toSorted((left, right) => right.calls - left.calls);
  const sumOf = (key: 'calls' | 'functions'): number =>
    files.reduce((sum, each) => sum + each[key], 0);
  console.log(
    `${title}: ${files.length} files, ${sumOf('functions')} functions, ${sumOf('calls')} calls`,
  );
  if (showsFiles) {
    for (const { file, functions, calls } of files) {
      console.log(`${String(calls).padStart(6)} ${String(functions).padStart(4)}  ${file}`);
    }
  }
  server.close();
}

await seedPostgres(false);
seedSqlite('milliseconds', false);
const values = variants(cursorRows());
const list = servers['Express, Sluice on the driver'];
const contender = await list.open(values);
const target = targetOf(contender, 'Q0', 0);
await print('A list request', await listenerOf(list, contender, values), target);

const queues = await makeQueues(6379, 10);
const adapter = new NodeAdapter();
const engine = kvqEngine({ queues: queues.map((queue) => bullmqQueue(queue)), snapshotMs: 0 });
openBoard(engine, adapter, {}, false);
await print('A poll of kvq, 10 queues', adapter.getListener(), listingQuery);
process.exit();
