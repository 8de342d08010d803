/** The jobs that a run has refused, by the answer that the command on a single job would have. */

import type { ErrorKey } from '../../contract/index.ts';
import type { BulkProgress } from '../../core/index.ts';
import type { BulkSelection, Refusal } from '../model/driver.ts';

type Act = BulkSelection['act'];

/** The answer for a job in the wrong state, as of the command on a single job. */
const stateKeys: Readonly<Record<Act, ErrorKey>> = {
  retry: 'JOB_NOT_RETRIABLE',
  promote: 'JOB_NOT_DELAYED',
  remove: 'JOB_CHANGED',
};

/** The answer for each other refusal. */
const keys: Readonly<Record<Exclude<Refusal, 'state'>, ErrorKey>> = {
  missing: 'JOB_NOT_FOUND',
  active: 'JOB_IS_ACTIVE',
  changed: 'JOB_CHANGED',
  scheduled: 'JOB_BELONGS_TO_JOB_SCHEDULER',
  taken: 'JOB_CHANGED',
  unsupported: 'JOB_EDIT_NOT_SUPPORTED',
  parent: 'JOB_PARENT_PROTECTED',
  child: 'QUEUE_READ_ONLY',
  exists: 'JOB_SCHEDULER_EXISTS',
  started: 'JOB_STARTED_SINCE',
  awaited: 'JOB_AWAITED_AGAIN',
};

/** The keys of all answers of a command. */
export const reasonsOf = (act: Act): Readonly<Record<Refusal, ErrorKey>> => ({
  ...keys,
  state: stateKeys[act],
});

/** The number of jobs by the key of the answer. */
export function refusedBy(
  act: Act,
  refused: Partial<Record<Refusal, number>>,
): BulkProgress['refused'] {
  const reasons = reasonsOf(act);
  const counts: Partial<Record<ErrorKey, number>> = {};
  for (const [refusal, count] of Object.entries(refused) as [Refusal, number][]) {
    counts[reasons[refusal]] = (counts[reasons[refusal]] ?? 0) + count;
  }
  return counts;
}
