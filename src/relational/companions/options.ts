/** Options, progress and report of the migration. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';

/** Progress of one table. */
export interface CompanionProgress {
  /** Name of the model. */
  readonly model: string;
  /** Name of the table. */
  readonly table: string;
  /** Rows read so far; never decreases. */
  readonly scanned: number;
  /** Rows written so far. */
  readonly updated: number;
  /** Rows to read, counted at the start; grows with concurrent inserts. */
  readonly total: number;
}

/** Options of `runCompanions` and `printCompanions`. */
export interface CompanionOptions {
  /** Number of rows of one read and one update. Default 1000. */
  readonly batch?: number;
  /** Also compares companions that are already filled, and corrects those that differ. Default `false`. */
  readonly recheck?: boolean;
  /** Creates an index on each companion column after it is filled. Default `false`. */
  readonly index?: boolean;
  /** Lock timeout of one attempt to alter a table, in milliseconds. Default 2000. */
  readonly lockTimeoutMs?: number;
  /** Called after each batch. Default: none. */
  readonly onProgress?: (progress: CompanionProgress) => void;
  /** Stops the migration between two batches. Filled rows stay filled; the next run continues from there. Default: none. */
  readonly signal?: AbortSignal;
}

export const companionOptionTable = {
  batch: option.wholeNumber(1),
  recheck: option.boolean,
  index: option.boolean,
  lockTimeoutMs: option.wholeNumber(1),
  onProgress: option.func,
  signal: option.abortSignal,
} satisfies OptionTableOf<CompanionOptions>;

/** Values that do not fit the kind of their field and therefore have no order key. */
export interface RefusedValues {
  /** Path of the field. */
  readonly path: string;
  /** Number of rows with such values. */
  readonly rows: number;
  /** Primary keys of the first five such rows. */
  readonly keys: readonly (readonly string[])[];
}

/** Result of the migration for one table. */
export interface CompanionTableReport {
  /** Name of the model. */
  readonly model: string;
  /** Name of the table. */
  readonly table: string;
  /** Names of the added columns. */
  readonly added: readonly string[];
  /** Number of rows written. */
  readonly updated: number;
  /** Names of the created indexes. */
  readonly indexed: readonly string[];
  /** Rows without an order key because of an invalid value, by field. */
  readonly refused: readonly RefusedValues[];
  /** Number of rows not filled because of concurrent writes in every pass. Another run fills them. */
  readonly unsettled: number;
}
