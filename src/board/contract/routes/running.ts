/** The jobs that run now, on which worker and since when, and how long those of their queue usually run. */

import * as z from 'zod';

import { TranslatableMessage } from '../errors.ts';
import { reading, type RouteTable } from './route.ts';

/** The most jobs of a queue in an answer, and the most queues. */
export const [mostRunning, mostRunningQueues] = [50, 50] as const;

/** Finished jobs of a queue that are measured. */
export const measuredJobs = 50;

/**
 * A job that runs. `worker` is the name of its worker, null where it has none or the library does not say. `heartbeat`
 * tells of jobs whose worker has to report, as options of the job say.
 */
const RunningJob = z.object({
  id: z.string(),
  name: z.string().optional(),
  worker: z.string().nullable(),
  startedOn: z.number().nullable(),
  heartbeat: z.object({ everyMs: z.number(), lastOn: z.number().nullable() }).optional(),
  isOrphaned: z.boolean().optional(),
  problem: TranslatableMessage.optional(),
});

/**
 * The jobs of a queue that run, at most 50: those that began first. `active` counts all of them. `usual` is the median
 * of the time that its last jobs ran which have completed and are stored, at most 50; null where none are.
 */
const QueueRunning = z.object({
  queueName: z.string(),
  active: z.number(),
  jobs: z.array(RunningJob),
  usual: z.object({ ms: z.number(), jobs: z.number() }).nullable(),
  problem: TranslatableMessage.optional(),
});
export type QueueRunning = z.output<typeof QueueRunning>;

export const runningRoutes = {
  listRunning: {
    ...reading('shared', 'job.read', 'jobs'),
    path: '/api/running',
    summary: 'Jobs that run now, of all visible queues or of one, and how long they usually run',
    query: z.object({ queueName: z.string().optional() }),
    strict: true,
    response: z.object({
      at: z.number(),
      /** Queues in which jobs run, by name; at most 50. */
      queues: z.array(QueueRunning),
      /** Queues in which jobs run that are not in the answer. */
      others: z.number(),
    }),
  },
} as const satisfies RouteTable;
