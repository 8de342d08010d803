/** Door of `src/adapters/relational`: plans to SQL, shared by the adapters. */

export { assertOrders } from './assert-orders.ts';
export {
  type CompiledPlan,
  type CompiledStatement,
  type StatementParts,
  compilePlan,
  windowSql,
} from './compile-plan.ts';
export type { CompiledChild } from './compile-include.ts';
export type { Dialect } from './dialect.ts';
export { driverError, timeoutError } from './driver-error.ts';
export { mysql } from './dialects/mysql.ts';
export { postgresql } from './dialects/postgresql.ts';
export { sqlite } from './dialects/sqlite.ts';
export { heldForms } from './held-forms.ts';
export { keptPlans } from './kept-plans.ts';
export type { LoweringContext } from './model-context.ts';
export { type RowChannel, type SelectColumn, columnAlias, rowArrays } from './row-channel.ts';
export { type JoinPart, joinsSql } from './scope.ts';
export type {
  ColumnCodec,
  PhysicalColumn,
  PhysicalHop,
  PhysicalModel,
  PhysicalRelation,
  PhysicalSchema,
  RowRestriction,
  StorageForm,
  TableRef,
} from './physical.ts';
export { planShape, whereShape } from './plan-shape.ts';
export { conditionValues } from './predicate.ts';
export { type ReadStatement, readPage } from './read-page.ts';
export type { Slot, Sql, StatementInputs, StatementText } from './sql-text.ts';
export { bind, render } from './sql-text.ts';
export { type LimitedChannel, type RunOn, type TimeLimit, timeLimit } from './time-limit.ts';
export { Watch } from './watch.ts';
