/** The jobs of one part of a run: those that it may change, and their change. */

import { type ErrorKey, seenById } from '../../contract/index.ts';
import { type JobAction, changeJobs, removeRefs } from './change-jobs.ts';
import { type LockedJob, awaitedElsewhere } from './locked-jobs.ts';
import { allowedStates } from './change-jobs.ts';
import type { Run } from './run-jobs.ts';
import { forgetUnchanged, keepJobs } from './undo.ts';
import type { CommandStep } from './writable-schemas.ts';

type Refused = Partial<Record<ErrorKey, number>>;

/** Jobs by their ids, as the client has seen them. */
export type Seen = ReturnType<typeof seenById>;

/** The jobs that the command may change, and the counts of all. */
export function sortOut<Job extends Pick<LockedJob, 'id' | 'state'>>(
  action: JobAction,
  ids: readonly string[],
  found: readonly Job[],
  seen: Seen,
  edited: ReadonlySet<string>,
) {
  const unchanged = found.filter(
    ({ id, state }) => (seen.get(id)?.expectedState ?? state) === state && !edited.has(id),
  );
  const jobs = unchanged.filter(({ state }) => allowedStates[action].includes(state));
  const refused: Refused = {
    JOB_NOT_FOUND: ids.length - found.length,
    JOB_CHANGED: found.length - unchanged.length,
    PGQ_JOB_STATE_CONFLICT: unchanged.length - jobs.length,
  };
  return { jobs, counts: { examined: ids.length, matched: found.length, refused } };
}

/**
 * Changes the jobs that a transaction holds, all of them in states that allow the command.
 *
 * @param keeps the run that keeps what is taken from the jobs
 */
export async function changeLocked(
  step: CommandStep,
  { queueName, action }: Run,
  jobs: readonly LockedJob[],
  keeps: string | undefined,
): Promise<{ changed: number; refused: Refused }> {
  if (action !== 'delete') {
    const since = keeps === undefined ? null : await keepJobs(step, keeps, queueName, jobs);
    const { affected, refused } = await changeJobs(step, action, queueName, jobs);
    if (keeps !== undefined && affected < jobs.length) {
      await forgetUnchanged(step, keeps, since, queueName, jobs);
    }
    return { changed: affected, refused: { PGQ_POLICY_CONFLICT: refused } };
  }
  const awaited = await awaitedElsewhere(step, queueName, jobs);
  const refs = jobs.filter(({ id }) => !awaited.has(id)).map(({ id }) => ({ queueName, id }));
  const changed = await removeRefs(step, refs);
  return { changed, refused: { PGQ_JOB_HAS_DEPENDENTS: awaited.size } };
}
