/** The index that the listings of jobs need and pg-boss does not make: where it is missing, and its DDL. */

import type { JobTable } from './schema-probe.ts';

/** One missing index. The board says so and never creates it. */
export interface IndexAdvice {
  readonly table: string;
  readonly ddl: string;
}

/** Suffix of the index's name after that of its table; the whole is cut to 63 bytes. */
function indexName(table: string): string {
  const suffix = '_listing';
  return `${table.slice(0, 63 - suffix.length)}${suffix}`;
}

/** Advice for every table of jobs that lacks the index. */
export function adviseIndexes(schema: string, tables: readonly JobTable[]): IndexAdvice[] {
  return tables
    .filter((table) => !table.indexed)
    .map(({ name }) => ({
      table: `${schema}.${name}`,
      ddl:
        `CREATE INDEX CONCURRENTLY "${indexName(name)}" ON "${schema}"."${name}" ` +
        '(name, state, created_on DESC, id DESC);',
    }));
}
