/** Derives a schema registry from Drizzle tables and relations, and remembers its origin. */

import { getTableColumns, getTableUniqueName, type Table } from 'drizzle-orm';
import {
  Refusals,
  baseOf,
  configurationError,
  defineSchemaRegistry,
  inFamilies,
} from '../../../schema/index.ts';
import type { SchemaRegistry } from '../../../schema/index.ts';
import { families, schemaOf, storageOfTables } from '../../../relational/index.ts';
import { familyOfTables } from './describe-metadata.ts';
import { checkOverrides, overrideOf } from './describe-overrides.ts';
import type { DrizzleOverrides, ModelOverrides } from './describe-overrides.ts';
import { describeRelations, type DrizzleRelations } from './describe-relations.ts';
import { type DescribedFrom, describeTables, keyOf } from './describe-tables.ts';
import type { DrizzleShape } from './registry-shape.ts';
import { type DrizzleSchema, relationsAmong, tablesAmong } from './schema-module.ts';

/** Overrides by the names of existing models. */
export type OverridesFor<Tables> = { readonly [Model in keyof Tables]?: ModelOverrides };

const origins = new WeakMap<SchemaRegistry, DescribedFrom>();

/**
 * Derives a registry from Drizzle tables and views of one family, such as `import * as schema` of what `drizzle-kit pull`
 * wrote: tables and views are models under their export names, and `relations()` and `manyToMany()` among the exports are
 * used; enums, sequences and other exports are passed over. So are tables and views without a primary key, unless
 * `overrides` names one: `{ sales: { id: { primaryKey: true } } }`.
 *
 * Property names of the tables are the paths; kinds, nullability and primary keys come from the columns. Columns of
 * types without a kind are opaque: shown, but neither filtered nor sorted.
 *
 * A text column `<path>Folded` or `<path>_folded` beside a string, uuid or enum is its folded
 * companion; `<path>Order` or `<path>_order` beside a uuid, enum or decimal its order companion. Both are
 * internal. `overrides` corrects any of it, per model and path; `false` leaves a column or relation out.
 * `timestamp` without time zone is read as UTC.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the type of a column does not hold the overridden kind; a
 * relation is ambiguous or has a target table that is not given; tables are of several families; or
 * `defineQuerySchema` refuses a schema. It names every model and path that is refused.
 */
export function drizzleRegistry<
  const Tables extends DrizzleSchema,
  const Relations extends DrizzleRelations = readonly [],
  const Overrides extends OverridesFor<Tables> = Record<never, never>,
>(
  tables: Tables,
  relations?: Relations,
  overrides?: Overrides,
): SchemaRegistry<DrizzleShape<Tables, Relations, Overrides>>;
export function drizzleRegistry(
  schema: DrizzleSchema,
  apart: DrizzleRelations = [],
  overrides: DrizzleOverrides = {},
): SchemaRegistry {
  const given = tablesAmong(schema);
  const family = familyOfTables(given);
  const keyless = Object.entries(given).filter(
    ([model, table]) => keyOf(model, table, overrides).length === 0,
  );
  const skipped = keyless.map(([table]) => ({ table, reason: noKey(table) }));
  const [first] = skipped;
  if (first && keyless.length === Object.keys(given).length) {
    throw configurationError(`${first.table}: ${first.reason}.`, { model: first.table });
  }
  const tables =
    keyless.length === 0
      ? given
      : Object.fromEntries(
          Object.entries(given).filter((entry) => !keyless.some(([model]) => model === entry[0])),
        );
  const relations = relationsAmong(schema, apart);
  const names = new Map(
    Object.entries(given).map(([model, table]) => [model, new Set(propertiesOf(table))]),
  );
  const refusals = new Refusals();
  // A table may have a key in another model.
  const kept = new Set(Object.values(tables).map(getTableUniqueName));
  const passedOver = new Set(
    keyless.map(([, table]) => getTableUniqueName(table)).filter((name) => !kept.has(name)),
  );
  const described = describeRelations(
    tables,
    relations,
    (model, path) => {
      const override = overrideOf(overrides, model, path);
      // `false` for a name that is both leaves the column out and keeps the relation.
      const isColumn = names.get(model)?.has(path);
      names.get(model)?.add(path);
      return override === false && isColumn ? undefined : override;
    },
    { refusals, passedOver },
  );
  checkOverrides(overrides, names);
  const all = describeTables(tables, described, overrides);
  const schemas = [...all].map(([model, table]) => schemaOf(model, table));
  const registry = refusals.attempt(() => defineSchemaRegistry(schemas));
  if (registry) refusals.attempt(() => storageOfTables(all, registry, families[family].dialect));
  refusals.throwAll();
  const made = registry as SchemaRegistry;
  origins.set(made, { tables, relations, overrides });
  return Object.assign(inFamilies(made, [family]), { skipped });
}

/** Why a table or a view without a key is not in the registry. */
const noKey = (model: string): string =>
  `its table or view has no primary key; name one with overrides { ${model}: { <property>: { primaryKey: true } } }`;

function propertiesOf(table: Table): string[] {
  return Object.keys(getTableColumns(table));
}

/** The arguments of `drizzleRegistry`; `undefined` for any other registry. */
export function originOf(registry: SchemaRegistry): DescribedFrom | undefined {
  return origins.get(baseOf(registry));
}
