/** How rows are selected from a client that gives them as objects. */

import { type RowChannel, families } from '../../relational/index.ts';
import type { DatabaseFamily } from '../../rules/index.ts';

/**
 * The channel of a client that gives rows as objects, with values parsed in its own way: columns are called `c0`, `c1` and
 * so on, and cast in the statement where parsing would lose digits.
 */
export function objectRows(family: DatabaseFamily): RowChannel {
  return families[family].objectRows;
}
