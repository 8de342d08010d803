/** The states a job can be listed in, per library, in the order the board shows them. */

import type { JobStatus } from './types.ts';

/** States of BullMQ; the last one exists only up to its fifth major. */
export const currentStatuses = [
  'active',
  'waiting',
  'waiting-children',
  'prioritized',
  'completed',
  'failed',
  'delayed',
  'paused',
] as const satisfies readonly JobStatus[];

/** States of BullMQ from its sixth major, whose paused queues keep their jobs waiting. */
export const currentStatusesWithoutPaused = currentStatuses.filter((status) => status !== 'paused');

/** States of Bull. */
export const legacyStatuses = [
  'active',
  'waiting',
  'completed',
  'failed',
  'delayed',
  'paused',
] as const satisfies readonly JobStatus[];

/** Name of the Redis key that holds a state, after the queue's own prefix. */
export function keyOfStatus(status: JobStatus): string {
  return status === 'waiting' ? 'wait' : status;
}
