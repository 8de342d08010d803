/** The index that job listings need and pg-boss does not create: where it is missing, and its DDL. */

import type { JobTable } from './schema-probe.ts';

/** A missing index. The board reports it and never creates it. */
export interface IndexAdvice {
  readonly table: string;
  readonly ddl: string;
}

/** Suffix of the index name after the table name; the whole name is truncated to 63 bytes. */
function indexName(table: string): string {
  const suffix = '_listing';
  return `${table.slice(0, 63 - suffix.length)}${suffix}`;
}

/** Advice for every job table that lacks the index. */
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
