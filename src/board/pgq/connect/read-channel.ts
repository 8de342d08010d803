/** How reads reach PostgreSQL: the one interface behind own pools, borrowed pools and instances. */

import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** A Drizzle database, whatever drives it. */
export type ReadDatabase = PgDatabase<PgQueryResultHKT>;

/** One row by column name. */
export interface NamedRow {
  readonly [column: string]: unknown;
}

/** What a read works with. Everything on it is limited in time. */
export interface ReadSession {
  /** For the listings. */
  readonly db: ReadDatabase;
  /** Whether statements may be named, which a pooler in between may not carry. */
  readonly namedStatements: boolean;
  /** For what is no listing: probes, depth, statistics. Values are bound. */
  query(text: string, values: readonly unknown[]): Promise<readonly NamedRow[]>;
}

/** A way to PostgreSQL for reads. Never changes anything, never runs DDL. */
export interface ReadChannel {
  /** Runs the work on a session; several run at the same time. */
  read<Answer>(work: (session: ReadSession) => Promise<Answer>): Promise<Answer>;
  /** Gives back what the channel opened itself. */
  close(): Promise<void>;
}
