/** The part of a `pg` pool that the board uses; the pool is the library's or the host's own. */

/** Rows of a statement. */
export interface SqlRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** A pool of PostgreSQL connections whose search path leads to the library's tables. */
export interface SqlPool {
  query(text: string, values?: unknown[]): Promise<SqlRows>;
}
