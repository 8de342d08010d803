/** What a run of the migration may be told, and what it tells. */

/** How far one table is. */
export interface CompanionProgress {
  readonly model: string;
  readonly table: string;
  /** Rows looked at so far. Never falls. */
  readonly scanned: number;
  /** Rows written so far. */
  readonly updated: number;
  /** Rows to look at, as counted at the start; grows when rows arrive meanwhile. */
  readonly total: number;
}

/** Options of `runCompanions` and `printCompanions`. */
export interface CompanionOptions {
  /** Rows of one read and one update. Default 1000. */
  readonly batch?: number;
  /** Compare the companions that are there as well, and correct those that differ. Default `false`. */
  readonly recheck?: boolean;
  /** Index each companion column once it is filled. Default `false`. */
  readonly index?: boolean;
  /** How long one attempt to alter a table waits for it, in milliseconds. Default 2000. */
  readonly lockTimeoutMs?: number;
  /** Called after each batch. */
  readonly onProgress?: (progress: CompanionProgress) => void;
  /** Stops between two batches. What is filled stays filled; the next run goes on from there. */
  readonly signal?: AbortSignal;
}

/** Values that are none of their field's kind, and so have no order key. */
export interface RefusedValues {
  readonly path: string;
  readonly rows: number;
  /** Primary keys of the first few, for looking them up. */
  readonly keys: readonly (readonly string[])[];
}

/** What happened to one table. */
export interface CompanionTableReport {
  readonly model: string;
  readonly table: string;
  /** Columns added. */
  readonly added: readonly string[];
  /** Rows written. */
  readonly updated: number;
  /** Indexes created. */
  readonly indexed: readonly string[];
  /** Rows left without an order key because of their value, by field. */
  readonly refused: readonly RefusedValues[];
  /** Rows that other writers changed each time they were to be filled; run again for them. */
  readonly unsettled: number;
}
