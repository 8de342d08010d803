/** The pg-boss queues of the demo and their workers. */

import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { PgBoss } from 'pg-boss';

import { roll } from '../chance.ts';
import { every } from '../every.ts';

/** Finished jobs are deleted after an hour, so that the demo can run for days. */
const retention = { deleteAfterSeconds: 3_600 };

/** Milliseconds between two rounds. */
const sendEvery = 700;

/** Creates missing queues and schedules. */
export async function makeQueues(boss: PgBoss): Promise<void> {
  await boss.createQueue('orders-failed', retention);
  await boss.createQueue('orders', {
    ...retention,
    deadLetter: 'orders-failed',
    retryLimit: 2,
    retryDelay: 2,
    retryBackoff: true,
  });
  await boss.createQueue('mails', { ...retention, retryLimit: 3, retryDelay: 5 });
  await boss.createQueue('reports', { ...retention, partition: true });
  await boss.createQueue('thumbnails', { ...retention, policy: 'short' });
  // The workers are too slow here: the library warns, and drops jobs that waited for a quarter of an hour.
  await boss.createQueue('imports', { ...retention, warningQueueSize: 20, retentionSeconds: 900 });
  await boss.schedule('mails', '* * * * *', { kind: 'digest' }, { key: 'every-minute' });
  await boss.schedule(
    'reports',
    '0 6 * * 1-5',
    { kind: 'sales' },
    { key: 'weekdays', tz: 'Europe/Berlin' },
  );
  await boss.schedule(
    'reports',
    'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0',
    { kind: 'closing' },
    { key: 'last-friday' },
  );
}

/** Starts the workers. */
export async function startWorkers(boss: PgBoss): Promise<void> {
  const often = { pollingIntervalSeconds: 1 };
  await boss.work('orders', { ...often, batchSize: 2 }, async () => {
    await pause(randomInt(50, 600));
    if (roll(3)) throw new Error('The payment service did not answer.');
    return { shipped: true };
  });
  await boss.work('mails', { ...often, batchSize: 5 }, async () => {
    await pause(randomInt(20, 200));
    if (roll(9)) throw new Error('The mailbox is full.');
  });
  await boss.work('reports', often, async () => {
    await pause(randomInt(1_000, 4_000));
    return { pages: randomInt(1, 40) };
  });
  await boss.work('thumbnails', often, () => pause(randomInt(20, 300)));
  await boss.work('imports', { pollingIntervalSeconds: 5 }, () => pause(randomInt(2_000, 5_000)));
}

/** Sends one round of the jobs of a shop. */
async function sendRound(boss: PgBoss, round: number): Promise<void> {
  const order = { order: round, city: ['Kyoto', 'Lima', 'Zürich', 'Łódź'][round % 4] };
  await boss.send('orders', order, { priority: randomInt(4) });
  await boss.send('mails', { ...order, kind: 'receipt' });
  if (round % 4 === 0) {
    await boss.send('mails', { ...order, kind: 'reminder' }, { startAfter: randomInt(20, 120) });
  }
  if (round % 5 === 0) {
    await boss.send('thumbnails', { image: round }, { singletonKey: `image-${randomInt(3)}` });
  }
  if (round % 2 === 0) await boss.send('imports', { file: `${round}.csv` });
  if (round % 12 === 0) {
    await boss.flow([
      { ref: 'order', name: 'orders', data: order },
      { ref: 'image', name: 'mails', data: { ...order, kind: 'proof' } },
      { ref: 'report', name: 'reports', data: order, dependsOn: ['order', 'image'] },
    ]);
  }
}

/** Sends jobs until it is stopped. */
export function startSending(boss: PgBoss): () => Promise<void> {
  return every(sendEvery, (round) => sendRound(boss, round));
}
