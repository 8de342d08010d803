/** Cleans a state in steps, although the library examines only the first jobs of a state. */

import { bulkSize } from '../model/driver.ts';
import type { BulkStep } from '../model/driver.ts';

/** Maximum number of jobs examined per step. */
const maxWindow = 100_000;

/**
 * Jobs that must stay (too young, or awaited by a scheduler) may precede jobs to remove. After a step that removes
 * nothing, the next step examines more jobs, up to {@link maxWindow}.
 */
export function cleanInWindows(clean: (limit: number) => Promise<number>): BulkStep {
  let window = bulkSize;
  return async () => {
    if ((await clean(window)) > 0) {
      window = bulkSize;
      return true;
    }
    if (window >= maxWindow) return false;
    window *= 10;
    return true;
  };
}
