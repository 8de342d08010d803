/** An executor over a plain connection: the interface of all executors, with the properties that a source reads. */

import type { DatabaseFamily } from '../../../rules/index.ts';
import type { Executor, RowChannel } from '../../../relational/index.ts';

/** A row as an object by column name. */
export interface NamedRow {
  readonly [column: string]: unknown;
}

/** An executor that was made from a connection. */
export interface SqlExecutor extends Executor {
  readonly family: DatabaseFamily;
  /** The row format of the driver. Default: arrays, with every value exact. */
  readonly channel?: RowChannel | undefined;
  /**
   * Runs a statement and returns rows as objects, which the profile check needs. Default: the profile cannot be
   * checked.
   */
  named?(text: string, values: readonly unknown[]): Promise<readonly NamedRow[]>;
}
