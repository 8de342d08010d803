/** Describes Drizzle tables with their relations and the corrections of the host. */

import { getTableColumns, type Column, type Table } from 'drizzle-orm';
import type { DatabaseFamily, SourceOrigin } from '../../../rules/index.ts';
import {
  Refusals,
  type SchemaRegistry,
  configurationError,
  relationNamed,
} from '../../../schema/index.ts';
import {
  type DescribedColumn,
  type DescribedJoin,
  type DescribedTable,
  type DescribedTables,
  type PhysicalSchema,
  families,
  originOfTables,
  storageOfTables,
} from '../../../relational/index.ts';
import { kindOfColumn, memberOf } from './describe-kinds.ts';
import { familyOfTables, primaryKeyOf, tableRefOf, uniqueKeysOf } from './describe-metadata.ts';
import type { ColumnNaming, DrizzleTables } from './describe-metadata.ts';
import { overrideOf, type DrizzleOverrides } from './describe-overrides.ts';
import { describeRelations } from './describe-relations.ts';
import type { DescribedRelations, DrizzleRelations } from './describe-relations.ts';
import { heldKinds, sqlTypeOf, storageOf } from './describe-storage.ts';

/** The inputs of a description. */
export interface DescribedFrom {
  readonly tables: DrizzleTables;
  readonly relations: DrizzleRelations;
  /** The overrides of a derived registry, which count as Drizzle's own declarations; none for schemas by hand. */
  readonly overrides?: DrizzleOverrides;
}

/** The properties of the primary key: those that overrides name, else those of the table, without columns left out. */
export function keyOf(model: string, table: Table, overrides: DrizzleOverrides): string[] {
  const said = Object.keys(getTableColumns(table)).filter((path) => {
    const override = overrideOf(overrides, model, path);
    return override && override.primaryKey;
  });
  if (said.length > 0) return said;
  return primaryKeyOf(table).filter((path) => overrideOf(overrides, model, path) !== false);
}

/** The tables by model. Default of `columnName`: the names in the tables. */
export function describeTables(
  tables: DrizzleTables,
  relations: DescribedRelations,
  overrides: DrizzleOverrides,
  columnName: ColumnNaming = (column) => column.name,
): DescribedTables {
  const family = familyOfTables(tables);
  const described = new Map<string, DescribedTable>();
  for (const [model, table] of Object.entries(tables)) {
    const primaryKey = keyOf(model, table, overrides);
    const columns = Object.entries(getTableColumns(table)).map(
      ([path, column]): [string, DescribedColumn] => {
        const said = overrideOf(overrides, model, path);
        const isKey = primaryKey.includes(path);
        return [path, describeColumn(family, column, isKey, said, columnName(column))];
      },
    );
    const joins = [...(relations.get(model) ?? [])].map(
      ([path, relation]): [string, DescribedJoin] => {
        const said = overrideOf(overrides, model, path);
        const hops = relation.hops.map(({ from, table: joined, to }) => ({
          table: tableRefOf(joined),
          from: from.map(columnName),
          to: to.map(columnName),
        }));
        const isKnown = relation.holdsKey || (said && said.nullable !== undefined);
        return [path, { ...relation, hops, isOpen: !isKnown }];
      },
    );
    described.set(model, {
      table: tableRefOf(table),
      columns: new Map(columns),
      primaryKey,
      uniqueKeys: uniqueKeysOf(table).map((key) => key.map(columnName)),
      relations: new Map(joins),
    });
  }
  return described;
}

function describeColumn(
  family: DatabaseFamily,
  column: Column,
  isKey: boolean,
  override: ReturnType<typeof overrideOf>,
  name: string,
): DescribedColumn {
  const said = override || {};
  const held = heldKinds(family, column);
  const { enumValues } = memberOf(column);
  return {
    name,
    sqlType: sqlTypeOf(column),
    kind: said.kind ?? kindOfColumn(column),
    nullable: said.nullable ?? !(column.notNull || isKey),
    isNotNull: column.notNull,
    enumValues: said.enumValues ?? enumValues,
    members: enumValues,
    said,
    isLeftOut: override === false,
    held: () => (said.kind ? new Set([...held, said.kind]) : held),
    storageOf: (_, kind) => said.storage ?? storageOf(family, column, kind),
  };
}

/**
 * The storage of a registry's models and their description for the source check. The registry selects the relations,
 * and distinguishes models that share a table.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when tables, relations and registry do not fit; it names each model
 * and path
 */
export function describeSource(
  { tables, relations, overrides }: DescribedFrom,
  registry: SchemaRegistry,
  columnName?: ColumnNaming,
): { readonly physical: PhysicalSchema; readonly origin: SourceOrigin } {
  const selected = describeRelations(tables, relations, (model, path) => {
    const schema = registry.get(model);
    const declared = schema && relationNamed(schema, path);
    if (!declared) return false;
    return { ...overrideOf(overrides ?? {}, model, path), target: declared.target };
  });
  const described = describeTables(tables, selected, overrides ?? {}, columnName);
  const { dialect } = families[familyOfTables(tables)];
  const refusals = new Refusals();
  if (!overrides) refusals.attempt(() => checkNullable(described, registry));
  const physical = refusals.attempt(() => storageOfTables(described, registry, dialect));
  refusals.throwAll();
  return { physical: physical ?? new Map(), origin: originOfTables(described, dialect) };
}

function checkNullable(described: DescribedTables, registry: SchemaRegistry): void {
  for (const [model, { columns }] of described) {
    for (const { path, nullable } of registry.get(model)?.fields ?? []) {
      const found = columns.get(path)?.nullable ?? nullable;
      if (found === nullable) continue;
      throw configurationError(
        `${model}.${path}: declared nullable: ${nullable}, but the Drizzle column is ${found ? '' : 'not '}nullable; correct one of them.`,
        { model, path },
      );
    }
  }
}
