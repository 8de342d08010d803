/** Describes the storage of a registry's models from their Drizzle tables. */

import { getTableColumns } from 'drizzle-orm';
import type { Column, Table } from 'drizzle-orm';
import type { DatabaseFamily } from '../../rules/index.ts';
import { Refusals, configurationError, relationNamed } from '../../schema/index.ts';
import type {
  FieldDescriptor,
  QuerySchema,
  RelationDescriptor,
  SchemaRegistry,
} from '../../schema/index.ts';
import type {
  PhysicalColumn,
  PhysicalModel,
  PhysicalRelation,
  PhysicalSchema,
} from '../../relational/index.ts';
import { families, nativeMembers } from '../../relational/index.ts';
import { familyOfTables, primaryKeyOf, tableRefOf, uniqueKeysOf } from './describe-metadata.ts';
import type { ColumnNaming, DrizzleTables } from './describe-metadata.ts';
import { overrideOf } from './describe-overrides.ts';
import type { DrizzleOverrides } from './describe-overrides.ts';
import { kindOfColumn } from './describe-kinds.ts';
import { describeRelations } from './describe-relations.ts';
import type { DescribedRelation, DrizzleRelations } from './describe-relations.ts';
import { sqlTypeOf, storageOf } from './describe-storage.ts';

/** Options in addition to tables, relations and registry. */
interface DescribeOptions {
  /** Column names in the database. Default: their names in the table. */
  readonly columnName?: ColumnNaming | undefined;
  /** Overrides that the registry was derived with; none for schemas declared by hand. */
  readonly overrides?: DrizzleOverrides | undefined;
}

interface DescribeContext {
  readonly schema: QuerySchema;
  readonly table: Table;
  readonly family: DatabaseFamily;
  readonly overrides: DrizzleOverrides | undefined;
  readonly columnName: ColumnNaming;
}

/**
 * The storage of each model that has a table. The registry decides kinds and which columns and relations are used;
 * others are ignored.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a field has no column, a column cannot hold the declared kind
 * or differs in nullability, or a relation is not among `relations`, has another target or another cardinality there;
 * it names each model and path.
 */
export function describeTables(
  tables: DrizzleTables,
  relations: DrizzleRelations,
  registry: SchemaRegistry,
  options: DescribeOptions = {},
): PhysicalSchema {
  const family = familyOfTables(tables);
  const columnName = options.columnName ?? ((column: Column) => column.name);
  const described = describeRelations(
    tables,
    relations,
    (model, path) => declaredRelation(registry, model, path) ?? false,
  );
  const models = new Map<string, PhysicalModel>();
  const refusals = new Refusals();
  for (const [model, table] of Object.entries(tables)) {
    const schema = registry.get(model);
    if (!schema) continue;
    const context = { schema, table, family, overrides: options.overrides, columnName };
    models.set(model, {
      model,
      table: tableRefOf(table),
      columns: fitting(schema.fields, refusals, (field) => physicalColumn(context, field)),
      relations: fitting(schema.relations, refusals, (relation) =>
        physicalRelation(context, relation, described.get(model)?.get(relation.path)),
      ),
      hidden: hiddenColumns(context),
      uniqueKeys: uniqueKeysOf(table).map((key) => key.map(context.columnName)),
    });
  }
  refusals.throwAll();
  return models;
}

/** Maps each part, by its path. */
function fitting<Part extends { readonly path: string }, Made>(
  parts: readonly Part[],
  refusals: Refusals,
  make: (part: Part) => Made,
): ReadonlyMap<string, Made> {
  const made = new Map<string, Made>();
  for (const part of parts) {
    const found = refusals.attempt(() => make(part));
    if (found !== undefined) made.set(part.path, found);
  }
  return made;
}

function declaredRelation(registry: SchemaRegistry, model: string, path: string) {
  const schema = registry.get(model);
  return schema && relationNamed(schema, path);
}

function physicalColumn(context: DescribeContext, field: FieldDescriptor): PhysicalColumn {
  const { path, kind } = field;
  const columns = getTableColumns(context.table);
  const column = Object.hasOwn(columns, path) ? columns[path] : undefined;
  if (!column) {
    refuse(context, path, 'the Drizzle table has no such property; correct the path or the table.');
  }
  const said = context.overrides && overrideOf(context.overrides, context.schema.model, path);
  if (!context.overrides) checkNullable(context, field, column);
  const storage = (said && said.storage) || storageOf(context.family, column, kind);
  if (!storage) {
    refuse(
      context,
      path,
      `a column of type ${column.getSQLType()} does not hold kind ${kind}; declare the kind it holds.`,
    );
  }
  const sqlType = sqlTypeOf(column);
  const { dialect } = families[context.family];
  const members = nativeMembers(dialect, sqlType, field, column.enumValues);
  const { primaryKey } = context.schema;
  const keepsNull =
    primaryKey.includes(path) &&
    !column.notNull &&
    dialect.keyKeepsNull(sqlType, primaryKey.length === 1);
  const name = context.columnName(column);
  return { path, name, kind, storage, sqlType, ...members, ...(keepsNull && { keepsNull }) };
}

/** Columns of the table without a field in the schema; a column without a kind is read in the driver's form. */
function hiddenColumns({
  schema,
  table,
  columnName,
  family,
}: DescribeContext): PhysicalModel['hidden'] {
  const fields = new Set(schema.fields.map(({ path }) => path));
  const hidden = new Map<string, PhysicalColumn>();
  for (const [path, column] of Object.entries(getTableColumns(table))) {
    if (fields.has(path)) continue;
    const [name, own] = [columnName(column), kindOfColumn(column)];
    const kind = own === 'opaque' ? 'string' : own;
    const wide = kind === 'integer' && families[family].dialect.wideIntegers ? 'bigint' : kind;
    hidden.set(name, { path, name, kind: wide, storage: 'native', sqlType: sqlTypeOf(column) });
  }
  return hidden;
}

function checkNullable(context: DescribeContext, field: FieldDescriptor, column: Column): void {
  const { path } = field;
  const nullable = !column.notNull && !primaryKeyOf(context.table).includes(path);
  if (field.nullable === nullable) return;
  refuse(
    context,
    path,
    `declared nullable: ${field.nullable}, but the Drizzle column is ${nullable ? '' : 'not '}nullable; correct one of them.`,
  );
}

function physicalRelation(
  context: DescribeContext,
  declared: RelationDescriptor,
  described: DescribedRelation | undefined,
): PhysicalRelation {
  const { path, target, cardinality } = declared;
  if (!described) {
    refuse(
      context,
      path,
      'no relations() or manyToMany() result declares it; pass the one that does.',
    );
  }
  if (described.cardinality !== cardinality) {
    refuse(context, path, `declared ${cardinality}, but Drizzle says ${described.cardinality}.`);
  }
  const hops = described.hops.map(({ from, table, to }) => ({
    table: tableRefOf(table),
    from: from.map(context.columnName),
    to: to.map(context.columnName),
  }));
  return { path, target, cardinality, hops };
}

function refuse({ schema }: DescribeContext, path: string, message: string): never {
  throw configurationError(`${schema.model}.${path}: ${message}`, { model: schema.model, path });
}
