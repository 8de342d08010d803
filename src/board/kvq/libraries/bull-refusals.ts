/** Tells what Bull refuses from what fails, and finds the job that a change is about. */

import { DriverRefusal } from '../model/driver.ts';
import type { Refusal } from '../model/driver.ts';
import type { BullJob, BullQueue } from './bull-types.ts';

/** The library has no codes; its texts tell refusals from failures. */
const refusals: readonly (readonly [text: RegExp, refusal: Refusal])[] = [
  [/is not in a delayed state|has not failed/, 'state'],
  [/is locked|^Could not remove job|with active jobs/, 'active'],
  [/doesn't exist|^Missing key for job/, 'missing'],
];

/** The result of some work; what the library refuses is a {@link DriverRefusal}. */
export async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    const refusal = refusals.find(([pattern]) => pattern.test(text))?.[1];
    throw refusal ? new DriverRefusal(refusal, error) : error;
  }
}

/** A job of the queue; refuses when it has gone. */
export async function jobOf(queue: BullQueue, id: string): Promise<BullJob> {
  const job = await queue.getJob(id);
  if (!job) throw new DriverRefusal('missing');
  return job;
}
