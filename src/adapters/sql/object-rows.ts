/** The row format of a client that returns rows as objects. */

import { type RowChannel, families } from '../../relational/index.ts';
import type { DatabaseFamily } from '../../rules/index.ts';

/**
 * The row format of a client that returns rows as objects, with values parsed in its own way: columns are named `c0`,
 * `c1` and so on, and are cast in the statement where parsing would lose digits. The executor returns the values of each
 * object, in the order of its columns.
 */
export function objectRows(family: DatabaseFamily): RowChannel {
  return families[family].objectRows;
}
