/** The workers of the BullMQ queues: they report progress, write logs, and sometimes fail. */

import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { Job } from 'bullmq';
import { MetricsTime, UnrecoverableError } from 'bullmq';

import type { WatchedWorker } from '../../../src/metrics/index.ts';
import { oneOf, roll } from '../chance.ts';
import type { Store, Work } from './store.ts';

async function charge(job: Job): Promise<unknown> {
  await job.log('asking the bank');
  await pause(randomInt(100, 900));
  // So often that the queue is beyond the threshold of failures, which a visitor should meet soon.
  if (roll(2)) throw new Error('The bank did not answer within 900 ms.');
  await job.log('charged');
  return { receipt: `R-${String(job.id)}` };
}

async function pack(job: Job): Promise<unknown> {
  const parts = ['picked', 'wrapped', 'labelled'];
  for (const [done, part] of parts.entries()) {
    await pause(randomInt(100, 700));
    await job.log(part);
    await job.updateProgress({ part, done: done + 1, of: parts.length });
  }
  return { parcels: randomInt(1, 4) };
}

async function fulfil(job: Job): Promise<unknown> {
  const results = await job.getChildrenValues();
  await job.log(`${Object.keys(results).length} steps completed`);
  return results;
}

async function resize(job: Job): Promise<unknown> {
  for (let percent = 10; percent <= 100; percent += 10) {
    await pause(randomInt(20, 250));
    await job.updateProgress(percent);
    if (roll(100)) throw new UnrecoverableError('The image format is not supported.');
  }
  return { width: oneOf([320, 640, 1_280]) };
}

async function report(job: Job): Promise<unknown> {
  const pages = randomInt(3, 9);
  for (let page = 1; page <= pages; page += 1) {
    await pause(randomInt(200, 800));
    await job.log(`page ${page} of ${pages}`);
    await job.updateProgress(Math.round((100 * page) / pages));
  }
  return { pages };
}

async function mail(): Promise<unknown> {
  await pause(randomInt(20, 200));
  if (roll(8)) throw new Error(oneOf(['The mailbox is full.', 'No such mailbox.']));
  return { accepted: true };
}

const works: Readonly<Record<string, { readonly work: Work; readonly concurrency: number }>> = {
  orders: { work: fulfil, concurrency: 2 },
  'orders.payments': { work: charge, concurrency: 3 },
  'orders.parcels': { work: pack, concurrency: 2 },
  images: { work: resize, concurrency: 2 },
  reports: { work: report, concurrency: 1 },
};

/** Workers count the jobs of each minute, for the recorder. */
const metrics = { maxDataPoints: MetricsTime.ONE_WEEK };

/** Starts the workers. `imports` has none. */
export function startWorkers(store: Store): WatchedWorker[] {
  const workers = Object.entries(works).map(([name, { work, concurrency }]) =>
    store.worker(name, work, { name: `${name}-worker`, concurrency, metrics }),
  );
  const mails = store.worker('mails', mail, {
    metrics,
    name: 'mails-worker',
    concurrency: 5,
    limiter: { max: 5, duration: 2_000 },
  });
  return [...workers, mails];
}
