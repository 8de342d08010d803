/** The activity of queues: workers, waiting jobs, and jobs finished per minute, for many queues at once. */

import * as z from 'zod';

import { integerParam } from './json.ts';
import { TranslatableMessage } from './errors.ts';

/**
 * The activity of a queue. `oldestWaiting`: milliseconds that the oldest job has waited since it could first run; 0 if
 * none waits. `perMinute`: jobs finished in the last full minute, as the library has counted them (`metrics`); otherwise
 * those of the last 60 seconds that are still stored (`jobs`). `minutes`: the counts of the last full minutes, newest
 * first, as far back as the library keeps them. Anything that is not known is null.
 */
export const QueueActivity = z.object({
  queueName: z.string(),
  workers: z.number().nullable(),
  oldestWaiting: z.number().nullable(),
  perMinute: z
    .object({
      completed: z.number(),
      failed: z.number(),
      source: z.enum(['metrics', 'jobs']),
    })
    .nullable(),
  minutes: z
    .object({ completed: z.array(z.number()), failed: z.array(z.number()) })
    .nullable()
    .optional(),
  /** Why the queue could not be read. */
  problem: TranslatableMessage.optional(),
});
export type QueueActivity = z.output<typeof QueueActivity>;

/** At most this many minutes of a queue in one response. */
const mostMinutes = 1_440;

/** `minutes`: how many full minutes to count one by one; 0 for none. Without `queueName`, all visible queues. */
export const ListActivityQuery = z.object({
  queueName: z.string().optional(),
  minutes: integerParam(0, mostMinutes, 0),
});

/** `at`: the time of the read in milliseconds. */
export const ListActivityResponse = z.object({
  at: z.number(),
  queues: z.array(QueueActivity),
});
