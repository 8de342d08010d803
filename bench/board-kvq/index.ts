/** The `kvq` board: its listing compared with bull-board and a plain reference, and bulk operations; see bench/README.md. */

import { benchBulk } from './bulk.ts';
import { benchHeavy } from './heavy.ts';
import { benchListing } from './listing.ts';
import { benchRuns } from './runs.ts';

/** Numbers of queues in the listing. */
const sizes = [10, 100, 300, 1_000];

/** Number of jobs in the bulk operations, and in those of each database, where jobs are changed one by one. */
const [bulkJobs, bulkRows] = [1_000_000, 20_000];

/** Runs all parts. `iterations` is the number of requests per contender. */
export async function runBoardKvq(iterations: number): Promise<void> {
  for (const size of sizes) await benchListing(size, iterations);
  await benchHeavy();
  await benchBulk(bulkJobs);
  await benchRuns(bulkJobs, bulkRows);
}
