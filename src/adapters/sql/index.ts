/** Entry file of `sluice/sql`: list queries over a plain connection, and the interfaces for adding an ORM. */

export { sqlTables } from './check-tables.ts';
export type {
  SqlColumn,
  SqlColumnOptions,
  SqlMany,
  SqlOne,
  SqlRelation,
  SqlTable,
  SqlTables,
  SqlThrough,
} from './tables.ts';
export { sqlRegistry } from './registry.ts';
export type { NativeSqlShape, SqlRow, SqlShape } from './registry-shape.ts';
export { withComputedFields } from '../../schema/index.ts';
export type { ComputedField, ComputedFields, WithComputedFields } from '../../schema/index.ts';
export { checkProfile, enforceProfile } from '../../relational/profile/index.ts';
export type {
  EnforceOptions,
  ProfiledSource,
  ProfileRule,
  ProfileViolation,
} from '../../relational/profile/index.ts';
export { introspect } from './introspect.ts';
export type { FirstRow, IntrospectOptions, IntrospectedRegistry } from './introspect.ts';
export type { SkippedPart } from '../../schema/index.ts';
export { sqlSource, objectRows } from './source.ts';
export type { SqlSource, SqlSourceOptions } from './source.ts';
export { bunSqlite, nodeSqlite } from './executors/sqlite.ts';
export type {
  BunSqliteDatabase,
  BunSqliteStatement,
  NodeSqliteDatabase,
  NodeSqliteStatement,
} from './executors/sqlite.ts';
export { d1 } from './executors/d1.ts';
export type { D1Binding, D1Statement } from './executors/d1.ts';
export { libsql } from './executors/libsql.ts';
export type { LibsqlClient } from './executors/libsql.ts';
export { mariadb } from './executors/mariadb.ts';
export type { MariadbHandle } from './executors/mariadb.ts';
export { pglite } from './executors/pglite.ts';
export type { PgliteDatabase } from './executors/pglite.ts';
export { postgresJs } from './executors/postgres-js.ts';
export type { PostgresJsSql } from './executors/postgres-js.ts';
export type { SqlConnection } from './executors/recognise.ts';
export type { SqlCustomize, SqlStatement } from './customize.ts';
export type { SqlExecutor } from './executors/executor.ts';
export { SourceDescription, relationalSource, rowArrays } from '../../relational/index.ts';
export type {
  Executor,
  PhysicalColumn,
  PhysicalHop,
  PhysicalModel,
  PhysicalRelation,
  PhysicalSchema,
  RelationalSource,
  RelationalSourceOptions,
  RowChannel,
  Rows,
  Sql,
  SourceDescriptionOptions,
  StatementText,
  Stop,
  TableRef,
} from '../../relational/index.ts';
