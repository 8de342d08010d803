/** `drizzleSource`: a source of rows from a Drizzle database and a model. */

import type { Table } from 'drizzle-orm';
import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import {
  type RegistryShape,
  type SchemaRegistry,
  checkConfiguration,
  configurationError,
  unknownModel,
} from '../../schema/index.ts';
import {
  type AdapterSourceOptions,
  type RelationalSource,
  SourceDescription,
  relationalSource,
} from '../../relational/index.ts';
import { familyOfTables } from './describe/describe-metadata.ts';
import type { DrizzleRelations } from './describe/describe-relations.ts';
import { describeSource } from './describe/describe-tables.ts';
import { DrizzleExecutor } from './executor.ts';
import { columnNamingOf, hasSession, renamingOf } from './foreign.ts';
import { originOf } from './describe/registry.ts';
import type { DrizzleRow } from './describe/row-type.ts';
import { type DrizzleCustomize, customizedStatement } from './select-builder.ts';
import { StatementCache, statementCache } from './statement-cache.ts';
import { type DrizzleSchema, tablesAmong } from './describe/schema-module.ts';

/** Options of `drizzleSource`. */
export interface DrizzleSourceOptions<
  Db extends object,
  Tables extends DrizzleSchema,
  Model extends Extract<keyof Tables, string>,
  Shape extends RegistryShape = RegistryShape,
> extends AdapterSourceOptions {
  /** A Drizzle database or a transaction, with any driver of the three families. */
  readonly db: Db;
  /** Registry of the models, made from the same tables. */
  readonly registry: SchemaRegistry<Shape>;
  /** Tables and views by model name, for every model that the rules reach; other exports of a schema are ignored. */
  readonly tables: Tables;
  /** The model whose rows are listed. */
  readonly model: Model;
  /** Results of `relations()` and `manyToMany()`. Default: those passed to `drizzleRegistry`. */
  readonly relations?: DrizzleRelations | undefined;
  /**
   * Whether recurring statements get a name on PostgreSQL, so that the server keeps their plan. Default: where the
   * connection leads to the server itself. Use `true` behind a pooler that supports named statements.
   */
  readonly namedStatements?: boolean | undefined;
}

const optionTable = {
  db: option.required(option.anything),
  registry: option.required(option.withMethods('a schema registry', 'get', 'has')),
  tables: option.required(option.plainObject),
  model: option.required(option.string),
  relations: option.listOf(option.anything),
  namedStatements: option.boolean,
  strict: option.boolean,
} satisfies OptionTableOf<DrizzleSourceOptions<object, DrizzleSchema, string>>;

/** A source on Drizzle tables. */
export type DrizzleSource<Row, Customize, Model = unknown> = RelationalSource<
  Row,
  Customize,
  DrizzleExecutor,
  Model
>;

/**
 * Creates a source on Drizzle tables. This is cheap, because compiled statements are cached per registry, tables and relations: a
 * source may be made per request, on a transaction for example.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when tables, relations and registry do not fit
 */
export function drizzleSource<
  Db extends object,
  const Tables extends DrizzleSchema,
  const Model extends Extract<keyof Tables, string>,
  Shape extends RegistryShape,
>(
  options: DrizzleSourceOptions<Db, Tables, Model, Shape>,
): DrizzleSource<DrizzleRow<Tables, Model, Shape>, DrizzleCustomize<Db>, Model> {
  type Row = DrizzleRow<Tables, Model, Shape>;
  type Customize = DrizzleCustomize<Db>;
  checkConfiguration('drizzleSource', options, optionTable);
  const { db, registry, model, relations, namedStatements } = options;
  const tables = tablesAmong(options.tables);
  if (!Object.hasOwn(tables, model) || !registry.has(model)) {
    throw unknownModel(model, tables, registry);
  }
  const family = familyOfTables(tables);
  if (!hasSession(db)) {
    throw configurationError('"db" must be a Drizzle database or transaction');
  }
  const naming = columnNamingOf(db);
  const settings = { namedStatements, renaming: renamingOf(db) };
  const key = { tables, relations: relations ?? {}, settings };
  const statements = statementCache(registry, key, () => {
    const derived = relations ? undefined : originOf(registry);
    const from = derived ?? { tables, relations: relations ?? [] };
    const { physical, origin } = describeSource(from, registry, naming);
    const describe = new SourceDescription({ family, registry, physical, origin });
    return new StatementCache(describe, namedStatements);
  });
  statements.describe.assertStrict(options.strict);
  const source = relationalSource<Row, Customize, DrizzleExecutor, Model>({
    model,
    describe: statements.describe,
    execute: new DrizzleExecutor(db, statements),
    customized: (input) => customizedStatement(input, options.tables[model] as Table),
  });
  return source;
}
