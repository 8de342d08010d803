/** Errors, timelines and filters against the ledger of jobs that workers have ended; 100,000 jobs in a long run. */

import { afterEach, expect, it } from 'vitest';
import { everything } from '../../seed.ts';
import {
  type Entry,
  type JobData,
  attemptsOf,
  dataOf,
  expectLedger,
  jobsOfQueue,
  queueNames,
  work,
} from '../ledger/jobs.ts';
import { newestLibrary, oldestLibrary } from './libraries.ts';
import { type World, makeWorld } from './world.ts';

let world: World | undefined;

afterEach(() => world?.close());

/** Takes jobs until there are none, and ends each as its data says. */
async function drain({ boss }: World, queueName: string): Promise<void> {
  for (;;) {
    const jobs = await boss.fetch<JobData>(queueName, { batchSize: 50 });
    if (jobs.length === 0) return;
    for (const { id, data } of jobs) {
      try {
        work(data);
        await boss.complete(queueName, id);
      } catch (error) {
        await boss.fail(queueName, id, error as Error);
      }
    }
  }
}

/** Adds the jobs of a queue, lets eight workers end them, and reads them by SQL. */
async function ended(made: World, queueName: string): Promise<Entry[]> {
  const { boss, admin } = made;
  await boss.createQueue(queueName);
  await boss.insert(
    queueName,
    Array.from({ length: jobsOfQueue }, (_none, n) => ({
      data: dataOf(n),
      retryLimit: attemptsOf(n) - 1,
      retryDelay: 0,
      retryBackoff: false,
    })),
  );
  await Promise.all(Array.from({ length: 8 }, () => drain(made, queueName)));
  const milliseconds = (moment: string) => `(extract(epoch from ${moment}) * 1000)::float8`;
  const { rows } = await admin.query(
    `select id, data, retry_count + 1 as attempts, ${milliseconds('created_on')} as added,
       ${milliseconds('started_on')} as started, ${milliseconds('completed_on')} as finished
     from pgboss.job where name = $1`,
    [queueName],
  );
  return rows.map((row): Entry => ({ ...row, queueName, name: '' }));
}

it.each([newestLibrary, oldestLibrary])(
  'errors, timelines and filters are those of the ledger ($name)',
  async (library) => {
    const made = await makeWorld(library, 'pgq_ledger');
    world = made;
    const ledger: Entry[] = [];
    for (const queueName of queueNames) ledger.push(...(await ended(made, queueName)));
    const board = await made.board();
    await expectLedger(
      {
        get: (path) => board.get(path),
        send: (method, path, body) => board.send(method, path, body),
        stateName: 'state',
        searchOf: (queueName) => `/api/pgq/search?queues=${queueName}`,
        idsOf: (body) => (body as { jobs: readonly { id: string }[] }).jobs.map(({ id }) => id),
        hasNames: false,
      },
      ledger,
    );
    expect(board.log).toEqual([]);
  },
  everything ? 1_800_000 : 240_000,
);
