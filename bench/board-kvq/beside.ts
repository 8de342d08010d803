/** A host that adds jobs, and the listing of another viewer, while ten readers read what is large, on each datastore. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBoard } from '../../src/board/core/index.ts';
import { NodeAdapter } from '../../src/http/node/board.ts';
import { figure, table } from '../markdown.ts';
import { quantile } from '../measure.ts';
import { type Host, onPgBoss, onPostgresql, onRedis, readers } from './beside-hosts.ts';

/** Milliseconds for which each figure is measured. */
const span = 4_000;

/** Milliseconds between two calls, which begin whether the one before has ended or not. */
const every = 10;

/** Milliseconds of calls, each from the moment at which it was due: a process that is busy begins it late. */
async function timesOf(call: () => Promise<unknown>): Promise<number[]> {
  const began = performance.now();
  const times: Promise<number>[] = [];
  for (let due = began; due < began + span; due += every) {
    const early = due - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    // A timer may end early.
    const from = Math.min(due, performance.now());
    times.push(call().then(() => performance.now() - from));
  }
  return Promise.all(times);
}

/** What ten readers of these paths did while the work ran. */
async function besideReaders<Result>(
  origin: string,
  paths: readonly string[],
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly read: { answers: number; bytes: number } }> {
  const file = new URL('./readers.ts', import.meta.url);
  const child = fork(file, [origin, String(readers), ...paths], { execArgv: [] });
  await once(child, 'message');
  const result = await work();
  child.send('stop');
  const [read] = (await once(child, 'message')) as [{ answers: number; bytes: number }];
  return { result, read };
}

/** Measures one host, and closes it. */
async function benchHost({ name, engine, add, listing, reads, close }: Host): Promise<void> {
  const adapter = new NodeAdapter();
  const board = openBoard(engine, adapter, {}, false);
  const server = createServer(adapter.getListener()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rows: string[][] = [];
  try {
    const list = () => fetch(`${origin}${listing}`).then((answer) => answer.arrayBuffer());
    await timesOf(add);
    const alone = quantile(await timesOf(add), 0.5);
    const seen = quantile(await timesOf(list), 0.5);
    rows.push(['nothing', figure(alone), '1', '', figure(seen), '', '', '']);
    for (const [read, paths] of reads) {
      const { result, read: done } = await besideReaders(origin, paths, async () => ({
        adds: await timesOf(add),
        lists: await timesOf(list),
      }));
      const beside = quantile(result.adds, 0.5);
      rows.push([
        `${readers} readers of ${read}`,
        figure(beside),
        (beside / alone).toFixed(1),
        figure(quantile(result.adds, 0.99)),
        figure(quantile(result.lists, 0.5)),
        figure(quantile(result.lists, 0.99)),
        String(done.answers),
        `${((done.bytes / 1e6 / span) * 500).toFixed(0)} MB/s`,
      ]);
    }
  } finally {
    server.closeAllConnections();
    server.close();
    await board.close();
    await close();
  }
  const head = [name, 'median ms', 'ratio', '99 % ms', 'listing ms', '99 % ms'];
  console.log(table([...head, 'answers', 'read'], rows));
  console.log('');
}

/** Prints a table for each datastore. */
export async function benchBeside(): Promise<void> {
  await benchHost(await onRedis());
  await benchHost(await onPostgresql());
  for (const through of ['own pool', 'instance'] as const) await benchHost(await onPgBoss(through));
}
