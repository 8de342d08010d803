/** The next runs of the schedules of a board, computed by their libraries and cached until the first has passed. */

import { Turns } from '../turns.ts';

/** Number of runs shown per schedule, unless a request names another. */
export const runsShown = 5;

/** The most schedules of requests that wait for their computation; the computation of one may take long. */
export const mostComputed = 50;

/**
 * A schedule without runs is computed again after these milliseconds, or after this multiple of its computing time if
 * longer.
 */
const recomputeMs = 60_000;
const recomputeFactor = 100;
const maxCached = 2_000;

/** A time as both engines show the next runs of schedules. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** A schedule. */
export interface AskedRuns {
  /** Equal for schedules that run at the same times. */
  readonly key: string;
  /** The next runs in milliseconds since 1970; may throw when they cannot be computed. */
  compute(): readonly number[] | Promise<readonly number[]>;
}

interface Kept {
  readonly runs: readonly number[];
  /** The time until which the runs are valid. */
  readonly until: number;
}

async function runsOf({ compute }: AskedRuns): Promise<readonly number[]> {
  try {
    return await compute();
  } catch {
    return [];
  }
}

/** The cache of a board. */
export class NextRuns {
  readonly #kept = new Map<string, Kept>();

  /** The runs of each schedule; empty when they cannot be computed. */
  async of(schedules: readonly AskedRuns[]): Promise<(readonly number[])[]> {
    const found: (readonly number[])[] = [];
    const turns = new Turns();
    for (const schedule of schedules) {
      found.push(await this.#next(schedule));
      await turns.pause();
    }
    return found;
  }

  async #next(asked: AskedRuns): Promise<readonly number[]> {
    const { key } = asked;
    const now = Date.now();
    const kept = this.#kept.get(key);
    if (kept && now < kept.until) return kept.runs;
    const began = performance.now();
    const runs = await runsOf(asked);
    const again = Math.max(recomputeMs, (performance.now() - began) * recomputeFactor);
    const [first] = runs;
    this.#kept.delete(key);
    this.#kept.set(key, { runs, until: first ?? now + again });
    if (this.#kept.size > maxCached) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    return runs;
  }
}

/** Whether the runtime knows the time zone; some libraries accept any text and fail later. */
export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
