/** `sqlSource`: a source of rows from a connection and declared tables. */

import * as option from '../../lib/option-rows.ts';
import { type OptionTableOf, oncePer } from '../../lib/index.ts';
import {
  type AdapterSourceOptions,
  type RelationalSource,
  type RowChannel,
  SourceDescription,
  families,
  originOfTables,
  relationalSource,
  storageOfTables,
} from '../../relational/index.ts';
import type { DatabaseFamily, RowOf } from '../../rules/index.ts';
import {
  type RegistryShape,
  type SchemaRegistry,
  checkConfiguration,
  unknownModel,
} from '../../schema/index.ts';
import { checkTables } from './check-tables.ts';
import { type SqlCustomize, customizedStatement } from './customize.ts';
import { describeTables } from './describe-tables.ts';
import type { SqlExecutor } from './executors/executor.ts';
import { type SqlConnection, executorOf } from './executors/recognise.ts';
import type { SqlRow } from './registry-shape.ts';
import type { SqlTables } from './tables.ts';

/** Options of `sqlSource`. */
export interface SqlSourceOptions<
  Tables extends SqlTables,
  Model extends string,
  Shape extends RegistryShape = RegistryShape,
> extends AdapterSourceOptions {
  /** A pool, a connection, a transaction, or a custom executor. */
  readonly connection: SqlConnection;
  /** Registry of the models, made from the same tables. */
  readonly registry: SchemaRegistry<Shape>;
  /** Tables by model name, for every model that the rules reach. */
  readonly tables: Tables;
  /** The model whose rows are listed. */
  readonly model: Model;
  /**
   * Whether recurring statements get a name on PostgreSQL, so that the server keeps their plan. Default: where the
   * connection leads to the server itself. Use `true` behind a pooler that supports named statements.
   */
  readonly namedStatements?: boolean | undefined;
}

const options = {
  // A connection that is missing is refused with the list of those that are supported.
  connection: option.anything,
  registry: option.required(option.withMethods('a schema registry', 'get', 'has')),
  tables: option.required(option.plainObject),
  model: option.required(option.string),
  namedStatements: option.boolean,
  strict: option.boolean,
} satisfies OptionTableOf<SqlSourceOptions<SqlTables, string>>;

/** A source over a plain connection. */
export type SqlSource<Row, Model = unknown> = RelationalSource<
  Row,
  SqlCustomize,
  SqlExecutor,
  Model
>;

/** The rows of a source: those of the registry, which may have computed fields; of the tables where it is not typed. */
type SourceRow<
  Tables extends SqlTables,
  Model extends string,
  Shape extends RegistryShape,
> = string extends keyof Shape ? SqlRow<Tables, Model> : RowOf<Shape, Model>;

/**
 * Creates a source over a plain connection. This is cheap, because compiled statements are cached per registry and
 * tables: a source may be made per request, on a transaction for example.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option does not exist or has the wrong type, the connection
 * is not of a supported type, or tables and registry do not fit
 */
export function sqlSource<
  const Tables extends SqlTables,
  const Model extends Extract<keyof Tables, string>,
  Shape extends RegistryShape,
>(
  given: SqlSourceOptions<Tables, Model, Shape>,
): SqlSource<SourceRow<Tables, Model, Shape>, Model> {
  checkConfiguration('sqlSource', given, options);
  const { connection, registry, tables, model, namedStatements } = given;
  if (!Object.hasOwn(tables, model) || !registry.has(model)) {
    throw unknownModel(model, tables, registry);
  }
  const execute = executorOf(connection, { namedStatements });
  const describe = description(tables, registry, execute.family, execute.channel);
  describe.assertStrict(given.strict);
  const source = relationalSource<
    SourceRow<Tables, Model, Shape>,
    SqlCustomize,
    SqlExecutor,
    Model
  >({
    model,
    describe,
    execute,
    customized: customizedStatement,
  });
  // An executor of the host may look at rows.
  return source;
}

/** The description of tables for a row format. */
const description = oncePer(
  (
    tables: SqlTables,
    registry: SchemaRegistry,
    family: DatabaseFamily,
    channel: RowChannel | undefined,
  ) => {
    checkTables(tables);
    const { dialect } = families[family];
    const described = describeTables(tables);
    const physical = storageOfTables(described, registry, dialect);
    const origin = originOfTables(described, dialect);
    return new SourceDescription({ family, registry, physical, channel, origin });
  },
);

/**
 * The row format of a client that returns rows as objects, with values parsed in its own way: columns are named `c0`,
 * `c1` and so on, and are cast in the statement where parsing would lose digits. The executor returns the values of each
 * object, in the order of its columns.
 */
export function objectRows(family: DatabaseFamily): RowChannel {
  return families[family].objectRows;
}
