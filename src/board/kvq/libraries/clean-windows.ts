/** Cleans a state in steps, although a library looks only at the first jobs of it. */

import { bulkSize } from '../model/driver.ts';
import type { BulkStep } from '../model/driver.ts';

/** Most jobs one step looks at. */
const maxWindow = 100_000;

/**
 * Jobs that must stay (too young, or awaited by a scheduler) may stand in front of those that must go. A step
 * that removes nothing is followed by one that looks further, up to {@link maxWindow}.
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
