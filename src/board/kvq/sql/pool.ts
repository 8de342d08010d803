/** The part of a `pg` pool that the board uses; the library or the host owns the pool. */

/** Rows of a statement. */
export interface SqlRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** A pool of PostgreSQL connections whose search path contains the tables of the library. */
export interface SqlPool {
  /** The settings of the pool. */
  readonly options?: { readonly max?: number | undefined } | undefined;
  query(text: string, values?: unknown[]): Promise<SqlRows>;
}
