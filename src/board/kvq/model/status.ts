/** The states of jobs per library, in display order. */

import type { JobStatus } from './types.ts';

/** States of BullMQ; the last one exists only up to version 5. */
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

/** States of BullMQ from version 6, in which paused queues keep their jobs as waiting. */
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

/** States whose jobs Redis keeps in a list; those of the others are in a set with scores. */
export const listStatuses: ReadonlySet<JobStatus> = new Set(['active', 'waiting', 'paused']);

/** States of jobs that have ended: in Redis, their score is the time at which they did. */
export const finishedStatuses: ReadonlySet<JobStatus> = new Set(['completed', 'failed']);

/** Name of the Redis key of a state, after the queue prefix. */
export function keyOfStatus(status: JobStatus): string {
  return status === 'waiting' ? 'wait' : status;
}
