/** The BullMQ queues of the demo: retention, display options and schedules. */

import { bullmqQueue } from '../../../src/board/index.ts';
import type { BoardQueue, QueueOptions as BoardQueueOptions } from '../../../src/board/index.ts';
import type { Store } from './store.ts';

/** Finished jobs are removed after an hour, so that the demo can run for days. */
const defaultJobOptions = {
  removeOnComplete: { age: 3_600, count: 300 },
  removeOnFail: { age: 3_600, count: 100 },
};

/** Display options of each queue. */
const shown = {
  orders: { description: 'Parents of flows: complete after payment and parcels.' },
  'orders.payments': { description: 'Calls a bank that often fails; two attempts.' },
  'orders.parcels': { description: 'Reports progress and writes logs.' },
  images: { description: 'Priorities: lower numbers run first.' },
  mails: {
    description: 'Rate limit: five in two seconds. Some are delayed, some repeat.',
    jobDataSchema: {
      type: 'object',
      properties: {
        to: { type: 'string', format: 'email' },
        kind: { enum: ['receipt', 'reminder', 'digest'] },
      },
      required: ['kind'],
    },
  },
  reports: { description: 'Scheduled; one at a time.' },
  imports: {
    description: 'Without workers, and read-only on the board.',
    readOnly: true,
  },
} satisfies Readonly<Record<string, BoardQueueOptions>>;

type Name = keyof typeof shown;

/** The queues by name. */
export type Queues = Readonly<Record<Name, ReturnType<Store['queue']>>>;

const names = Object.keys(shown) as readonly Name[];

/** Creates the queues and missing schedules. */
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

/** The queues with their display options. */
export function boardQueues(queues: Queues): BoardQueue[] {
  return names.map((name) => bullmqQueue(queues[name], { delimiter: '.', ...shown[name] }));
}
