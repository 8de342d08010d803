/**
 * The member of `bullmq` that its types keep private, as 5.16 to 6.7 have it: the function that computes the next run of a
 * schedule. Without it, schedules are shown without their next runs, and none can be created through a board.
 */

import { DriverRefusal } from '../../model/driver.ts';
import type { BullMqQueue } from '../bullmq-types.ts';
import { memberOf, methodOf } from '../record.ts';

/** Computes the run of a schedule after a time; `undefined` or `null` when there is none. */
type RepeatStrategy = (after: number, schedule: object, name: string) => Promise<unknown>;

/**
 * The strategy of a queue whose connection is ready.
 *
 * @throws {DriverRefusal} unsupported when the library has none
 */
export async function repeatStrategyOf(queue: BullMqQueue): Promise<RepeatStrategy> {
  const strategy = methodOf(await memberOf(queue, 'jobScheduler'), 'repeatStrategy');
  if (!strategy) throw new DriverRefusal('unsupported');
  return strategy;
}
