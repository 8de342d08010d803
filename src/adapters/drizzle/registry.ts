/** Derives a schema registry from Drizzle tables and relations, and remembers its origin. */

import { getTableColumns } from 'drizzle-orm';
import type { Table } from 'drizzle-orm';
import { defineSchemaRegistry } from '../../schema/index.ts';
import type { QuerySchema, SchemaRegistry } from '../../schema/index.ts';
import type { PhysicalSchema } from '../../relational/index.ts';
import { describeFields } from './describe-fields.ts';
import { familyOfTables, primaryKeyOf } from './describe-metadata.ts';
import type { ColumnNaming, DrizzleTables } from './describe-metadata.ts';
import { checkOverrides, overrideOf } from './describe-overrides.ts';
import type { DrizzleOverrides, ModelOverrides } from './describe-overrides.ts';
import { describeRelations } from './describe-relations.ts';
import type { DrizzleRelations } from './describe-relations.ts';
import { describeTables } from './describe-tables.ts';
import type { DrizzleShape } from './registry-shape.ts';

/** The inputs of a derived registry. */
export interface RegistryOrigin {
  readonly tables: DrizzleTables;
  readonly relations: DrizzleRelations;
  readonly overrides: DrizzleOverrides;
}

/** Overrides by the names of existing models. */
export type OverridesFor<Tables> = { readonly [Model in keyof Tables]?: ModelOverrides };

const origins = new WeakMap<SchemaRegistry, RegistryOrigin>();

/**
 * Derives a registry from Drizzle tables of one family. Property names of the tables are the
 * paths; kinds, nullability and primary keys come from the columns, relations from `relations()` and
 * `manyToMany()`.
 *
 * A text column `<path>Folded` or `<path>_folded` beside a string, uuid or enum is its folded
 * companion; `<path>Order` or `<path>_order` beside a uuid, enum or decimal its order companion. Both are
 * internal. `overrides` corrects any of it, per model and path; `false` leaves a column or relation out.
 * `timestamp` without time zone is read as UTC.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the type of a column has no kind, or not the overridden one; a
 * relation is ambiguous or has a target table that is not given; tables are of several families; or
 * `defineQuerySchema` refuses a schema. It names model and path.
 */
export function drizzleRegistry<
  const Tables extends DrizzleTables,
  const Relations extends DrizzleRelations = readonly [],
  const Overrides extends OverridesFor<Tables> = Record<never, never>,
>(
  tables: Tables,
  relations?: Relations,
  overrides?: Overrides,
): SchemaRegistry<DrizzleShape<Tables, Relations, Overrides>>;
export function drizzleRegistry(
  tables: DrizzleTables,
  relations: DrizzleRelations = [],
  overrides: DrizzleOverrides = {},
): SchemaRegistry {
  familyOfTables(tables);
  const names = new Map(
    Object.entries(tables).map(([model, table]) => [model, new Set(propertiesOf(table))]),
  );
  const described = describeRelations(tables, relations, (model, path) => {
    const override = overrideOf(overrides, model, path);
    // `false` for a name that is both leaves the column out and keeps the relation.
    const isColumn = names.get(model)?.has(path);
    names.get(model)?.add(path);
    return override === false && isColumn ? undefined : override;
  });
  checkOverrides(overrides, names);
  const registry = defineSchemaRegistry(
    Object.entries(tables).map(([model, table]): QuerySchema => {
      const fields = describeFields(model, table, overrides);
      const paths = new Set(fields.map((field) => field.path));
      return {
        model,
        primaryKey: primaryKeyOf(table).filter((path) => paths.has(path)),
        fields,
        relations: [...(described.get(model)?.values() ?? [])].map(
          ({ path, target, cardinality, nullable }) => ({ path, target, cardinality, nullable }),
        ),
      };
    }),
  );
  describeTables(tables, relations, registry, { overrides });
  origins.set(registry, { tables, relations, overrides });
  return registry;
}

function propertiesOf(table: Table): string[] {
  return Object.keys(getTableColumns(table));
}

/**
 * The storage of the models of a registry that `drizzleRegistry` made; `undefined` for any other registry. `columnName`
 * gives the names of columns in the database where the tables do not have them.
 */
export function physicalOf(
  registry: SchemaRegistry,
  columnName?: ColumnNaming,
): PhysicalSchema | undefined {
  const origin = origins.get(registry);
  if (!origin) return undefined;
  const { tables, relations, overrides } = origin;
  return describeTables(tables, relations, registry, { overrides, columnName });
}

/** The arguments of `drizzleRegistry`; `undefined` for any other registry. */
export function originOf(registry: SchemaRegistry): RegistryOrigin | undefined {
  return origins.get(registry);
}
