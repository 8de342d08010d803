/** The computation of the runs of a schedule by pg-boss. */

import type { PgBossInstance } from './pg-boss.ts';

/** Computes the runs of an expression; throws when it cannot be parsed. */
export type Previewer = (expression: string, timezone: string, count: number) => Date[];

/** The previewer of an instance; `undefined` before 12.31. */
export function previewerOf(instance: PgBossInstance): Previewer | undefined {
  if (typeof instance.previewSchedule !== 'function') return undefined;
  return (expression, timezone, count) =>
    instance.previewSchedule?.(expression, { tz: timezone, count }) ?? [];
}
