/** The next runs of a schedule, computed by pg-boss. */

import type { PgBossInstance } from './pg-boss.ts';

/** Computes the runs of an expression; throws when it cannot be parsed. */
export type Previewer = (expression: string, timezone: string, count: number) => Date[];

/** The previewer of an instance; `undefined` before 12.31. */
export function previewerOf(instance: PgBossInstance): Previewer | undefined {
  if (typeof instance.previewSchedule !== 'function') return undefined;
  return (expression, timezone, count) =>
    instance.previewSchedule?.(expression, { tz: timezone, count }) ?? [];
}

/** Number of runs shown per schedule. */
const runsShown = 5;
/**
 * An expression without runs is computed again after these milliseconds, or after this multiple of its computing time
 * if longer.
 */
const recomputeMs = 60_000;
const recomputeFactor = 100;
/** Milliseconds of computing after which the event loop gets a turn. */
const turnMs = 20;
const maxCached = 2_000;

interface Kept {
  readonly runs: readonly string[];
  /** The time until which the runs are valid. */
  readonly until: number;
}

/** The next runs of the schedules of a board, cached until the first of them has passed. */
export class NextRuns {
  readonly #kept = new Map<string, Kept>();

  /** Up to five times per schedule; empty when they cannot be computed. */
  async of(
    previewer: Previewer | undefined,
    schedules: readonly { readonly expression: string; readonly timezone: string }[],
  ): Promise<string[][]> {
    const found: string[][] = [];
    let turn = performance.now();
    for (const { expression, timezone } of schedules) {
      found.push(previewer ? [...this.#next(previewer, expression, timezone)] : []);
      if (performance.now() - turn > turnMs) {
        await new Promise(setImmediate);
        turn = performance.now();
      }
    }
    return found;
  }

  #next(previewer: Previewer, expression: string, timezone: string): readonly string[] {
    const key = `${timezone}\n${expression}`;
    const now = Date.now();
    const kept = this.#kept.get(key);
    if (kept && now < kept.until) return kept.runs;
    const began = performance.now();
    const runs = runsOf(previewer, expression, timezone);
    const again = Math.max(recomputeMs, (performance.now() - began) * recomputeFactor);
    const first = runs[0];
    this.#kept.delete(key);
    this.#kept.set(key, { runs, until: first ? Date.parse(first) : now + again });
    if (this.#kept.size > maxCached) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    return runs;
  }
}

function runsOf(previewer: Previewer, expression: string, timezone: string): readonly string[] {
  try {
    return previewer(expression, timezone, runsShown).map((run) => run.toISOString());
  } catch {
    return [];
  }
}
