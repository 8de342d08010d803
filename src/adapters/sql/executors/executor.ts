/** An executor over a plain connection: the interface of all executors, with the properties that a source reads. */

import type { DatabaseFamily } from '../../../rules/index.ts';
import type { Executor, RowChannel } from '../../../relational/index.ts';

/** An executor that was made from a connection. */
export interface SqlExecutor extends Executor {
  /** Database family of the connection. */
  readonly family: DatabaseFamily;
  /** The row format of the driver. Default: arrays, with every value exact. */
  readonly channel?: RowChannel | undefined;
}
