/** Option tables of `runQuery` and `runOne`. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import type { ItemOptions, QueryOptions } from './run-query.ts';

/** Types of the options of one row. */
export const itemOptionTable = {
  transformPlan: option.func,
  scope: option.plainObject,
  customize: option.func,
  timeoutMs: option.duration,
  signal: option.abortSignal,
  onTimings: option.func,
} satisfies OptionTableOf<ItemOptions>;

/** Types of the options of list endpoints. Checking eight rows takes less than a microsecond, so they are checked at every call. */
export const queryOptionTable = {
  ...itemOptionTable,
  cursorScope: option.string,
  customizeScope: option.oneOf('both', 'data', 'count'),
} satisfies OptionTableOf<Omit<QueryOptions, 'explain'>>;

/** Types of the options of `runQuery`. */
export const runOptionTable = {
  ...queryOptionTable,
  explain: option.boolean,
} satisfies OptionTableOf<QueryOptions>;
