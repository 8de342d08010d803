/** An executor over a plain connection: the interface of all executors, and the facts that a source reads from one. */

import type { DatabaseFamily } from '../../../rules/index.ts';
import type { Executor, RowChannel } from '../../../relational/index.ts';

/** A row by the names of its columns. */
export interface NamedRow {
  readonly [column: string]: unknown;
}

/** An executor that was made from a connection. */
export interface SqlExecutor extends Executor {
  readonly family: DatabaseFamily;
  /** How rows come. Default: as arrays, with every value exact. */
  readonly channel?: RowChannel | undefined;
  /**
   * Runs a statement whose rows are read by the names of their columns, which the check of the profile does.
   * Default: the profile cannot be checked.
   */
  named?(text: string, values: readonly unknown[]): Promise<readonly NamedRow[]>;
}
