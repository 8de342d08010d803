/** Warns the host of a missing index. The board itself never runs DDL. */

import { adviseIndexes } from '../schema/index-advice.ts';
import type { PgqContext } from './context.ts';

/** A function that looks for the index of the listings, and warns at most once; the warning holds the DDL. */
export function indexWarning({ installation, settings, options }: PgqContext): () => void {
  let checked = false;
  return () => {
    if (checked) return;
    checked = true;
    installation.jobTables().then(
      (tables) => {
        const advice = adviseIndexes(settings.catalogSchema, tables);
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
