/** The `pgq` board on a million jobs; see bench/README.md. */

import { benchHttp } from './http.ts';
import { benchListing } from './listing.ts';
import { benchPurge } from './purge.ts';
import { benchSearch } from './search.ts';
import { seed } from './seed.ts';

/** The parts of this benchmark; the last one, a purge of a million jobs, runs where it is asked for. */
export const pgqParts = ['reads', 'purge', 'million'] as const;

/** Runs the parts. `iterations` is the number of requests per contender. */
export async function runBoardPgq(
  parts: readonly (typeof pgqParts)[number][],
  iterations: number,
  reseed: boolean,
): Promise<void> {
  if (parts.includes('purge')) await benchPurge([50_000, 300_000]);
  if (parts.includes('million')) await benchPurge([1_000_000]);
  if (!parts.includes('reads')) return;
  await seed(reseed);
  await benchListing(iterations);
  await benchHttp(iterations);
  await benchSearch(iterations);
}
