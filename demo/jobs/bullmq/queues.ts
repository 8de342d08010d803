/** The demo's BullMQ queues: how they keep jobs, how the board shows them, and their schedules. */

import { bullmqQueue } from '../../../src/board/index.ts';
import type { BoardQueue, QueueOptions as BoardQueueOptions } from '../../../src/board/index.ts';
import type { Store } from './store.ts';

/** Jobs that are done stay for an hour at most, so that the demo can run for days. */
const defaultJobOptions = {
  removeOnComplete: { age: 3_600, count: 300 },
  removeOnFail: { age: 3_600, count: 100 },
};

/** How the board shows each queue. */
const shown = {
  orders: { description: 'Parents of flows: done when payment and parcels are.' },
  'orders.payments': { description: 'Asks a bank that is often busy; two attempts.' },
  'orders.parcels': { description: 'Tells in logs and progress how far it is.' },
  images: { description: 'The lower the number, the sooner it is done.' },
  mails: {
    description: 'Five in two seconds; some later, some again and again.',
    jobDataSchema: {
      type: 'object',
      properties: {
        to: { type: 'string', format: 'email' },
        kind: { enum: ['receipt', 'reminder', 'digest'] },
      },
      required: ['kind'],
    },
  },
  reports: { description: 'One at a time, on schedules.' },
  imports: {
    description: 'Nobody works on it: the board may look, not touch.',
    readOnly: true,
  },
} satisfies Readonly<Record<string, BoardQueueOptions>>;

type Name = keyof typeof shown;

/** The queues by name. */
export type Queues = Readonly<Record<Name, ReturnType<Store['queue']>>>;

const names = Object.keys(shown) as readonly Name[];

/** Makes the queues, and the schedules where they are not there yet. */
export async function makeQueues(store: Store): Promise<Queues> {
  const made = names.map((name) => [name, store.queue(name, { defaultJobOptions })] as const);
  const queues = Object.fromEntries(made) as Queues;
  await queues.reports.setGlobalConcurrency(1);
  await queues.mails.upsertJobScheduler(
    'digest',
    { every: 30_000 },
    { name: 'digest', data: { kind: 'digest' } },
  );
  await queues.reports.upsertJobScheduler(
    'sales',
    { pattern: '0 6 * * 1-5', tz: 'Europe/Berlin' },
    { name: 'sales', data: { region: 'Europe' }, opts: { attempts: 2 } },
  );
  await queues.reports.upsertJobScheduler(
    'stock',
    { pattern: '*/2 * * * *' },
    { name: 'stock', data: { warehouse: 'Lima' } },
  );
  return queues;
}

/** The queues as the board shows them. */
export function boardQueues(queues: Queues): BoardQueue[] {
  return names.map((name) => bullmqQueue(queues[name], { delimiter: '.', ...shown[name] }));
}
