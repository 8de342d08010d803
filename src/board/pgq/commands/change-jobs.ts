/** Changes jobs that a transaction holds through the methods of pg-boss, as far as the policy of the queue allows. */

import { sqlState } from '../../../lib/index.ts';
import type { LockedJob, JobRef } from './locked-jobs.ts';
import type { JobState } from '../schema/tables.ts';
import type { CommandStep } from './writable-schemas.ts';

/** A command on jobs by id. */
export type JobAction = 'retry' | 'cancel' | 'resume' | 'delete';

/** The states in which each is allowed. */
export const allowedStates: { readonly [Action in JobAction]: readonly JobState[] } = {
  retry: ['failed'],
  cancel: ['created', 'retry', 'active'],
  resume: ['cancelled'],
  delete: ['created', 'retry', 'completed', 'cancelled', 'failed'],
};

/** The method of the library for each command. */
export const methods = {
  retry: 'retry',
  cancel: 'cancel',
  resume: 'resume',
  delete: 'deleteJob',
} as const;

/** unique_violation: the policy of the queue allows one such job, and it exists already. */
const uniqueViolation = '23505';

/** The outcome of a command on jobs that allow it. */
export interface ChangedJobs {
  readonly affected: number;
  /** Jobs that the policy of the queue does not allow to change. */
  readonly refused: number;
}

function affectedOf(result: unknown): number {
  const affected = (result as { affected?: unknown } | null)?.affected;
  return typeof affected === 'number' ? affected : 0;
}

/** Removes jobs of any queue; the number that was removed. */
export async function removeRefs(
  { instance, transaction }: CommandStep,
  refs: readonly JobRef[],
): Promise<number> {
  let affected = 0;
  for (const [queueName, group] of Map.groupBy(refs, (ref) => ref.queueName)) {
    const ids = group.map(({ id }) => id);
    affected += affectedOf(await instance.deleteJob?.(queueName, ids, transaction));
  }
  return affected;
}

/** Runs the method; `undefined`, without a change, when the policy of the queue refuses the jobs. */
async function tryOut(
  { instance, transaction }: CommandStep,
  action: JobAction,
  queueName: string,
  jobs: readonly LockedJob[],
): Promise<number | undefined> {
  const { db } = transaction;
  const run = async (): Promise<number> => {
    const ids = jobs.map(({ id }) => id);
    return affectedOf(await instance[methods[action]]?.(queueName, ids, transaction));
  };
  // Only these enter a state that a policy limits.
  if (action !== 'retry' && action !== 'resume') return run();
  await db.executeSql('savepoint changing');
  try {
    const affected = await run();
    await db.executeSql('release savepoint changing');
    return affected;
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error;
    await db.executeSql('rollback to savepoint changing');
    return undefined;
  }
}

/** The first job of each key, and the number of the others, of which none is allowed beside it. */
function firstOfEachKey(jobs: readonly LockedJob[]): LockedJob[] {
  const met = new Set<string>();
  return jobs.filter(({ exclusiveKey: key }) => {
    if (key === null) return true;
    if (met.has(key)) return false;
    met.add(key);
    return true;
  });
}

/**
 * Changes the jobs. If the policy of the queue refuses them together, one job of each key remains, and halves are tried
 * until the refused jobs are found. Stops between two tries when the client disconnects.
 */
export async function changeJobs(
  step: CommandStep,
  action: JobAction,
  queueName: string,
  jobs: readonly LockedJob[],
  signal?: AbortSignal,
): Promise<ChangedJobs> {
  if (jobs.length === 0 || signal?.aborted) return { affected: 0, refused: 0 };
  const together = await tryOut(step, action, queueName, jobs);
  if (together !== undefined) return { affected: together, refused: 0 };
  if (jobs.length === 1) return { affected: 0, refused: 1 };
  const firsts = firstOfEachKey(jobs);
  const others = jobs.length - firsts.length;
  const middle = Math.ceil(firsts.length / 2);
  const parts = others > 0 ? [firsts] : [firsts.slice(0, middle), firsts.slice(middle)];
  let affected = 0;
  let refused = others;
  for (const part of parts) {
    const found = await changeJobs(step, action, queueName, part, signal);
    affected += found.affected;
    refused += found.refused;
  }
  return { affected, refused };
}
