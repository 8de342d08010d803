/** An executor over a plain connection: the interface of all executors, and the facts that a source reads from one. */

import type { DatabaseFamily } from '../../../rules/index.ts';
import type { Executor, RowChannel } from '../../../relational/index.ts';

/** An executor that was made from a connection. */
export interface SqlExecutor extends Executor {
  readonly family: DatabaseFamily;
  /** How rows come. Default: as arrays, with every value exact. */
  readonly channel?: RowChannel | undefined;
}
