/** The queues of the benchmark, each with 200 jobs and its own connection. */

import { Queue } from 'bullmq';
import type { ConnectionOptions } from 'bullmq';
import { Redis } from 'ioredis';

/** Jobs of each queue. */
export const jobsPerQueue = 200;

/** Creates the queues; `seed` fills them. */
export async function makeQueues(port: number, count: number): Promise<Queue[]> {
  const queues = Array.from({ length: count }, (_, index) => {
    const client = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
    return new Queue(`queue-${index}`, { connection: client as unknown as ConnectionOptions });
  });
  await Promise.all(queues.map((queue) => queue.waitUntilReady()));
  return queues;
}

/** Adds the jobs: waiting, delayed and prioritized ones. */
export async function seed(queues: readonly Queue[], jobs = jobsPerQueue): Promise<void> {
  for (const queue of queues) {
    await queue.addBulk(
      Array.from({ length: jobs }, (_, index) => ({
        name: `job ${index}`,
        data: { index, to: `user${index}@example.org` },
        opts: index % 10 === 0 ? { delay: 3_600_000 } : index % 10 === 1 ? { priority: 5 } : {},
      })),
    );
  }
}
