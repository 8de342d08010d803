/** Entry file of `src/relational`: compiles plans to SQL and reads their rows, for all adapters. */

export {
  type CompiledPlan,
  type CompiledStatement,
  type StatementParts,
  compilePlan,
  includeAt,
  includeOrderAt,
  scopeAt,
  withCondition,
} from './compile/compile-plan.ts';
export { windowSql } from './compile/page/window.ts';
export type { CompiledChild } from './compile/compile-include.ts';
export type { Dialect } from './compile/dialect.ts';
export {
  type DescribedColumn,
  type DescribedJoin,
  type DescribedTable,
  type DescribedTables,
  type SchemaColumn,
  type SchemaRelation,
  type SchemaTable,
  originOfTables,
  schemaOf,
  storageOfTables,
} from './described-tables.ts';
export { type KindOfType, columnKinds, kindOfType } from './column-kinds.ts';
export { mysql } from './databases/mysql/dialect.ts';
export { postgresql } from './databases/postgresql/dialect.ts';
export { sqlite } from './databases/sqlite/dialect.ts';
export { uuidBytes, uuidText } from './compile/values/uuid-bytes.ts';
export { presentJsonArray } from './read/json-arrays.ts';
export { heldKindsOf } from './compile/values/held-kinds.ts';
export type { LoweringContext } from './compile/model-context.ts';
export { storedPosition } from './compile/values/position-value.ts';
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
export { storageForms } from './compile/physical.ts';
export type { Slot, Sql, StatementInputs, StatementText } from './compile/sql-text.ts';
export { bind, render } from './compile/sql-text.ts';
export { ClassifiedError, type ErrorClass } from './read/driver-error.ts';
export type { CatalogueColumn, CatalogueForeignKey, CatalogueTable } from './catalogue.ts';
export {
  type Bounds,
  type Executor,
  type Rows,
  type RunPair,
  between,
  ownTransaction,
  plainStatement,
  savepoint,
} from './read/executor.ts';
export { Execution, type CancelStatement, type RunStoppable, type Stop } from './read/execution.ts';
export {
  type MysqlSettings,
  coreOf as mysqlCore,
  settingsOf as mysqlSettings,
} from './databases/mysql/foreign.ts';
export { addStartup, takesStartup } from './databases/postgresql/foreign.ts';
export { guardLent, lent } from './databases/postgresql/node-postgres.ts';
export {
  ColumnParsers,
  type NamedRun,
  type TypeParsers,
  arrayText,
  oneTrip,
} from './databases/postgresql/round-trip.ts';
export {
  type NamingClient,
  NamedStatements,
  lendingOf,
  haveNames,
  inOneTrip,
  StatementNames,
} from './databases/postgresql/named-statements.ts';
export { type FamilyNames, families, familyNamed, namesOfAll } from './families.ts';
export type { TimeLimit } from './read/time-limit.ts';
export {
  type Customized,
  RelationalRead,
  relationalSource,
  type AdapterSourceOptions,
  type RelationalSource,
  type RelationalSourceOptions,
  withinServer,
} from './read/relational-read.ts';
export { SourceDescription, type SourceDescriptionOptions } from './read/source-description.ts';
export { keptRows, placedPage } from './read/reader.ts';
