/** The times at which schedules fire, computed by their libraries. */

import { lastMoment } from '../../contract/index.ts';
import type { RunFinder, Schedule } from '../model/driver.ts';
import type { SchedulerRecord } from '../model/store.ts';

interface Series {
  readonly name: string;
  readonly schedule: Schedule;
  /** The first run, where it is known; otherwise the first from now on. */
  readonly first?: number;
  /** The most runs to find. */
  readonly most: number;
}

/**
 * Finds runs one by one.
 *
 * @param turn runs each computation
 * @param isEnough ends the series early
 */
export async function runsOf(
  find: RunFinder,
  { name, schedule, first, most }: Series,
  turn: <Result>(work: () => Promise<Result>) => Promise<Result> = (work) => work(),
  isEnough: () => boolean = () => false,
): Promise<number[]> {
  const { limit = Infinity, count = 0 } = schedule;
  // A library may have stored any number.
  if (first !== undefined && !(Math.abs(first) <= lastMoment)) return [];
  const wanted = Math.min(most, limit - count);
  const runs = first === undefined || wanted < 1 ? [] : [first];
  while (runs.length < wanted && !isEnough()) {
    const last = runs.at(-1) ?? null;
    // The turn may come late.
    const run = await turn(async () => (isEnough() ? null : find(name, schedule, last)));
    // A strategy of the host may return anything.
    if (run === null || run > lastMoment || (last !== null && run <= last)) break;
    runs.push(run);
  }
  return runs;
}

/** The stored schedule; the next run counts towards the limit when it has run. */
export function storedSchedule(scheduler: SchedulerRecord): Schedule {
  const { pattern, every, tz, limit, startDate, endDate, iterationCount } = scheduler;
  return {
    ...(pattern !== null && { pattern }),
    ...(pattern === null && every !== null && { every }),
    ...(tz !== null && { tz }),
    ...(limit !== null && { limit }),
    ...(startDate !== null && { startDate }),
    ...(endDate !== null && { endDate }),
    count: Math.max(0, (iterationCount ?? 1) - 1),
  };
}
