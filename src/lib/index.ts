/** Door of `src/lib`: primitives that every other folder may use. It imports nothing. */

export { BoundedCache } from './bounded-cache.ts';
export { checkOptions } from './check-options.ts';
export type {
  OptionPath,
  OptionRow,
  OptionTable,
  OptionTableOf,
  RefuseOption,
} from './check-options.ts';
export { isRecord } from './is-record.ts';
export { editDistance, nearestName } from './nearest-name.ts';
/** Types of options, for the tables of `checkOptions`. */
export * as option from './option-rows.ts';
export { codeOf, errorCauses } from './error-causes.ts';
export { isNetworkError, isNetworkFailure } from './network-errors.ts';
export {
  type PostgresqlErrorClass,
  classOfSqlState,
  isLostConnection,
  postgresqlErrorClass,
  sqlState,
} from './postgresql-errors.ts';
export { sleep } from './sleep.ts';
