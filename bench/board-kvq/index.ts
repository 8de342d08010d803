/** The `kvq` board: its listing compared with bull-board and a plain reference, and bulk operations; see bench/README.md. */

import { benchBeside } from './beside.ts';
import { benchBulk } from './bulk.ts';
import { benchFailures } from './failures.ts';
import { benchHeavy } from './heavy.ts';
import { benchLarge } from './large.ts';
import { benchListing } from './listing.ts';
import { benchRuns } from './runs.ts';

/** Numbers of queues in the listing. */
const sizes = [10, 100, 300, 1_000];

/** The parts of this benchmark. */
export const kvqParts = [
  'listing',
  'heavy',
  'beside',
  'failures',
  'bulk',
  'runs',
  'large',
] as const;

/**
 * Runs the parts. `iterations` is the number of requests per contender, `jobs` that of the jobs of bulk operations; in
 * databases, where jobs are changed one by one, it is a fiftieth.
 */
export async function runBoardKvq(
  parts: readonly (typeof kvqParts)[number][],
  iterations: number,
  jobs: number,
  withPeer: boolean,
  isKept: boolean,
): Promise<void> {
  const has = (part: (typeof kvqParts)[number]): boolean => parts.includes(part);
  if (has('listing')) for (const size of sizes) await benchListing(size, iterations, withPeer);
  if (has('heavy')) await benchHeavy();
  if (has('beside')) await benchBeside();
  if (has('failures')) await benchFailures();
  if (has('bulk')) await benchBulk(jobs);
  if (has('runs')) await benchRuns(jobs, jobs / 50);
  if (has('large')) await benchLarge(jobs, isKept);
}
