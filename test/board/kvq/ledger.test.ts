/** Errors, timelines and filters against the ledger of jobs that workers have ended; 100,000 jobs in a long run. */

import { expect } from 'vitest';
import { everything } from '../../seed.ts';
import {
  type Entry,
  type JobData,
  attemptsOf,
  dataOf,
  expectLedger,
  jobsOfQueue,
  nameOf,
  queueNames,
  work,
} from '../ledger/jobs.ts';
import type { TestQueue } from './cell.ts';
import { cells } from './cells.ts';
import { serveBoard } from './http-board.ts';
import { suiteOf, until } from './suite.ts';
import type { Suite } from './suite.ts';

/** Adds the jobs of a queue, lets two workers end them, and reads them by the library. */
async function ended(queue: TestQueue): Promise<Entry[]> {
  const ids = new Map<number, string>();
  const jobs = Array.from({ length: jobsOfQueue }, (_none, n) => ({
    name: nameOf(n),
    data: dataOf(n),
    opts: { attempts: attemptsOf(n) },
  }));
  await queue.addBulk(jobs);
  const process = async ({ id, data }: { readonly id: string; readonly data: unknown }) => {
    ids.set((data as JobData).n, id);
    work(data as JobData);
  };
  const stops = [await queue.work(process), await queue.work(process)];
  await until(async () => {
    const { completed = 0, failed = 0 } = await queue.counts();
    return completed + failed === jobsOfQueue;
  });
  await Promise.all(stops.map((stop) => stop()));
  const entries: Entry[] = [];
  for (const [n, id] of ids) {
    const job = await queue.described(id);
    entries.push({
      queueName: queue.name,
      id,
      name: nameOf(n),
      data: dataOf(n),
      added: Number(job['timestamp']),
      started: Number(job['processedOn']),
      finished: Number(job['finishedOn']),
      attempts: Number(job['attemptsMade']),
    });
  }
  return entries;
}

function ledgerSuite({ test, world }: Suite): void {
  test(
    'errors, timelines and filters are those of the ledger',
    async () => {
      const queues = await Promise.all(queueNames.map((name) => world().queue(name)));
      const board = await serveBoard(queues.map((queue) => queue.boardQueue()));
      try {
        const ledger: Entry[] = [];
        for (const queue of queues) ledger.push(...(await ended(queue)));
        await expectLedger(
          {
            get: (path) => board.get(path),
            send: (method, path, body) => board.send(method, path, body),
            stateName: 'status',
            searchOf: (queueName) => `/api/queues/${queueName}/search?`,
            idsOf: (body) =>
              (body as { jobs: readonly { job: { id: string } }[] }).jobs.map(({ job }) => job.id),
            hasNames: true,
          },
          ledger,
        );
        expect(board.errors).toEqual([]);
      } finally {
        await board.close();
      }
    },
    everything ? 1_800_000 : 240_000,
  );
}

for (const cell of cells) suiteOf(cell, ledgerSuite);
