/** The `pgq` board on a million jobs; see bench/README.md. */

import { benchHttp } from './http.ts';
import { benchListing } from './listing.ts';
import { benchSearch } from './search.ts';
import { seed } from './seed.ts';

/** Runs all parts. `iterations` is the number of requests per contender. */
export async function runBoardPgq(iterations: number, reseed: boolean): Promise<void> {
  await seed(reseed);
  await benchListing(iterations);
  await benchHttp(iterations);
  await benchSearch(iterations);
}
