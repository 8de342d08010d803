/** The actions that a host may allow or refuse: each route of a board has one. */

import * as z from 'zod';

/**
 * An action, as `noun.verb`. `job` is one job, `jobs` are many at once. Actions of `board` and `history` concern the
 * board as a whole, all others one queue.
 */
export const BoardAction = z.enum([
  'board.read',
  'history.read',
  'history.purge',
  'queue.read',
  'queue.pause',
  'queue.configure',
  'queue.obliterate',
  'job.read',
  'job.add',
  'job.edit',
  'job.retry',
  'job.promote',
  'job.release',
  'job.cancel',
  'job.resume',
  'job.remove',
  'jobs.retry',
  'jobs.promote',
  'jobs.cancel',
  'jobs.resume',
  'jobs.remove',
  'schedule.read',
  'schedule.write',
  'schedule.run',
  'schedule.remove',
]);
export type BoardAction = z.output<typeof BoardAction>;

/** Part of a listing: the actions that the sender may do; absent where the host restricts none. */
export const allowed = { allowed: z.array(BoardAction).optional() };

/** Whether the action only reads. */
export const isReadAction = (action: BoardAction): boolean => action.endsWith('.read');

/** Whether the action concerns the board as a whole, and not one queue. */
export const isBoardAction = (action: BoardAction): boolean => /^(?:board|history)\./.test(action);
