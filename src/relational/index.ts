/** Door of `src/relational`: plans to SQL, shared by the adapters. */

export { assertOrders } from './compile/assert-orders.ts';
export {
  type CompiledPlan,
  type CompiledStatement,
  type StatementParts,
  compilePlan,
  windowSql,
} from './compile/compile-plan.ts';
export type { CompiledChild } from './compile/compile-include.ts';
export type { Dialect } from './compile/dialect.ts';
export { driverError } from './read/driver-error.ts';
export { mysql } from './databases/mysql/dialect.ts';
export { postgresql } from './databases/postgresql/dialect.ts';
export { sqlite } from './databases/sqlite/dialect.ts';
export { type StorageClass, heldForms } from './compile/held-forms.ts';
export { heldKindsOf } from './compile/held-kinds.ts';
export { keptPlans } from './compile/kept-plans.ts';
export type { LoweringContext } from './compile/model-context.ts';
export {
  type RowChannel,
  type SelectColumn,
  columnAlias,
  rowArrays,
} from './compile/row-channel.ts';
export { type JoinPart, joinsSql } from './compile/scope.ts';
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
} from './compile/physical.ts';
export { planShape, whereShape } from './compile/plan-shape.ts';
export { conditionValues } from './compile/predicate.ts';
export type { Slot, Sql, StatementInputs, StatementText } from './compile/sql-text.ts';
export { bind, render } from './compile/sql-text.ts';
export { type Executor, type Rows, plainStatement } from './read/executor.ts';
export { Execution } from './read/execution.ts';
export { families } from './families.ts';
export { planInputs } from './read/plan-inputs.ts';
export { readPage } from './read/read-page.ts';
export { keptRows, placedPage } from './read/window.ts';
export { type Customized, RelationalRead } from './read/relational-read.ts';
export { SourceDescription, type SourceDescriptionOptions } from './read/source-description.ts';
export {
  type RelationalSource,
  type RelationalSourceOptions,
  relationalSource,
} from './relational-source.ts';
export { type LimitedChannel, type TimeLimit, timeLimit } from './read/limited-channel.ts';
export { Watch } from './read/watch.ts';
