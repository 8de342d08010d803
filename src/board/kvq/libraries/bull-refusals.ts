/** Distinguishes refusals of Bull from failures, and finds the job of a change. */

import { DriverRefusal } from '../model/driver.ts';
import type { Refusal } from '../model/driver.ts';
import type { BullJob, BullQueue } from './bull-types.ts';

/** The library has no error codes, so refusals are recognized by their messages. */
const refusals: readonly (readonly [text: RegExp, refusal: Refusal])[] = [
  [/is not in a delayed state|has not failed/, 'state'],
  [/is locked|^Could not remove job|with active jobs/, 'active'],
  [/doesn't exist|^Missing key for job/, 'missing'],
];

/** The result of the work. A refusal of the library is thrown as a {@link DriverRefusal}. */
export async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    const refusal = refusals.find(([pattern]) => pattern.test(text))?.[1];
    throw refusal ? new DriverRefusal(refusal, error) : error;
  }
}

/** A job of the queue. Throws a refusal when it does not exist. */
export async function jobOf(queue: BullQueue, id: string): Promise<BullJob> {
  const job = await queue.getJob(id);
  if (!job) throw new DriverRefusal('missing');
  return job;
}
