/** The indexes that job listings need and pg-boss does not create: where they are missing, and their DDL. */

import type { JobTable } from './schema-probe.ts';

/** A missing index. The board reports it and never creates it. */
interface IndexAdvice {
  readonly table: string;
  readonly ddl: string;
}

/** The listings that an index serves: of one queue, and of all queues. */
export type Listing = 'queue' | 'all';

/** The columns, the suffix of the name, and where the index exists. */
const indexes: {
  readonly [Name in Listing]: {
    readonly columns: string;
    readonly suffix: string;
    readonly exists: (table: JobTable) => boolean;
  };
} = {
  queue: {
    columns: 'name, state, created_on DESC, id DESC',
    suffix: '_listing',
    exists: ({ indexed }) => indexed,
  },
  all: {
    columns: 'created_on DESC, id DESC',
    suffix: '_by_time',
    exists: ({ byTime }) => byTime,
  },
};

/** Advice for every job table that lacks the index of one of the listings. */
export function adviseIndexes(
  schema: string,
  tables: readonly JobTable[],
  listings: readonly Listing[],
): IndexAdvice[] {
  return listings.flatMap((listing) => {
    const { columns, suffix, exists } = indexes[listing];
    return tables
      .filter((table) => !exists(table))
      .map(({ name }) => ({
        table: `${schema}.${name}`,
        // Names are truncated to 63 bytes.
        ddl: `CREATE INDEX CONCURRENTLY "${name.slice(0, 63 - suffix.length)}${suffix}" ON "${schema}"."${name}" (${columns});`,
      }));
  });
}
