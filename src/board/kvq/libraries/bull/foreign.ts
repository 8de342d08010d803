/**
 * The private parts of `bull`, as 4.5 to 4.16 have them: the default options of a queue's jobs, and the members of a queue
 * that `nextRepeatableJob` uses. Without the latter, schedules are shown without their next runs, and none can be created
 * through a board.
 */

import { DriverRefusal } from '../../model/driver.ts';
import type { BullQueue } from '../bull-types.ts';
import { isRecord, memberOf } from '../record.ts';

/** The default options of a queue's jobs. */
export function defaultOptionsOf(queue: BullQueue): Readonly<Record<string, unknown>> {
  const options = memberOf(queue, 'defaultJobOptions');
  return isRecord(options) ? options : {};
}

/**
 * The next run of a repeatable job, and its key: the library computes both only on the way to storing them, so it is
 * given a client that notes them instead. `null` when the job does not repeat any more.
 */
export function dryRun(
  queue: BullQueue,
  name: string,
  options: object,
): { readonly at: number; readonly key: string } | null {
  const compute = memberOf(queue, 'nextRepeatableJob');
  if (typeof compute !== 'function') throw new DriverRefusal('unsupported');
  const noted: { at: number; key: string }[] = [];
  const zadd = (_index: unknown, at: unknown, key: unknown) => {
    noted.push({ at: Number(at), key: String(key) });
    return new Promise<never>(() => undefined);
  };
  Reflect.apply(compute, { client: { zadd }, keys: {} }, [name, {}, options, true]);
  return noted[0] ?? null;
}

/** @throws {DriverRefusal} unsupported when the library computes no run of a schedule that has one */
export function assertDryRuns(queue: BullQueue): void {
  if (!dryRun(queue, 'sluice', { repeat: { every: 1000 } })) throw new DriverRefusal('unsupported');
}
