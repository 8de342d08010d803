/** Warns the host of a missing index. The board never runs DDL. */

import { type Listing, adviseIndexes } from '../schema/index-advice.ts';
import type { PgqContext } from './context.ts';

/** Creates a function that checks for the index of a listing and warns at most once; the warning contains the DDL. */
export function indexWarning(
  { installation, settings, options }: PgqContext,
  listing: Listing,
): () => void {
  let checked = false;
  return () => {
    if (checked) return;
    checked = true;
    installation.jobTables().then(
      (tables) => {
        const advice = adviseIndexes(settings.catalogSchema, tables, [listing]);
        if (advice.length === 0) return;
        const lines = advice.map(({ ddl }) => `  ${ddl}`);
        options.logger.warn(
          `Listings of jobs read whole tables; an index would serve them:\n${lines.join('\n')}`,
        );
      },
      () => {
        checked = false;
      },
    );
  };
}
