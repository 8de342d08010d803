/** Warns the host of a missing index. The board never runs DDL. */

import { adviseIndexes } from '../schema/index-advice.ts';
import type { PgqContext } from './context.ts';

/** Creates a function that checks for the listing index and warns at most once; the warning contains the DDL. */
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
