/** The `kvq` board: its listing beside bull-board and a plain reference, and work on a million jobs; see bench/README.md. */

import { benchBulk } from './bulk.ts';
import { benchListing } from './listing.ts';

/** Queues of the listing. */
const sizes = [10, 100, 300];

/** Jobs of the work in bulk. */
const bulkJobs = 1_000_000;

/** Runs both parts. `iterations` is the number of requests per contender. */
export async function runBoardKvq(iterations: number): Promise<void> {
  for (const size of sizes) await benchListing(size, iterations);
  await benchBulk(bulkJobs);
}
