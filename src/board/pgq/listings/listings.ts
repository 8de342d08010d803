/** pg-boss's tables as Sluice models: a registry of the columns a schema has, its rules, and sources on a session. */

import { type Table, getTableColumns, getTableName } from 'drizzle-orm';
import {
  type DrizzleCustomize,
  type DrizzleOverrides,
  type DrizzleRow,
  type DrizzleSource,
  drizzleRegistry,
  drizzleSource,
} from '../../../adapters/drizzle/index.ts';
import type { SchemaRegistry } from '../../../schema/index.ts';
import type { SchemaColumns } from '../schema/features.ts';
import { type ListingRules, listingRules } from './listing-rules.ts';
import type { ReadDatabase, ReadSession } from '../connect/read-channel.ts';
import { type PgqModel, type PgqTables, pgqTables } from '../schema/tables.ts';

/** A row of a model; what a schema lacks is absent. */
export type PgqRow<Model extends PgqModel> = DrizzleRow<PgqTables, Model>;

/** A source of a model's rows. */
export type PgqSource<Model extends PgqModel> = DrizzleSource<
  PgqRow<Model>,
  DrizzleCustomize<ReadDatabase>
>;

/** The board's reads on one shape of schema. */
export interface Listings {
  readonly rules: ListingRules;
  source<Model extends PgqModel>(session: ReadSession, model: Model): PgqSource<Model>;
}

/** Columns that are not there are left out; a table that is missing altogether is nobody's to read. */
function leftOut(tables: PgqTables, columns: SchemaColumns): DrizzleOverrides {
  const overrides: Record<string, Record<string, false>> = {};
  for (const [model, table] of Object.entries<Table>(tables)) {
    const present = columns.get(getTableName(table));
    if (!present) continue;
    const missing = Object.entries(getTableColumns(table)).filter(
      ([, column]) => !present.has(column.name),
    );
    overrides[model] = Object.fromEntries(missing.map(([path]) => [path, false] as const));
  }
  return overrides;
}

/** Compiles the reads for a schema with these columns. */
export function compileListings(
  schema: string,
  columns: SchemaColumns,
  countCap: number,
): Listings {
  const tables = pgqTables(schema);
  const registry: SchemaRegistry = drizzleRegistry(tables, [], leftOut(tables, columns));
  return {
    rules: listingRules(registry, tables, countCap),
    source: <Model extends PgqModel>({ db, namedStatements }: ReadSession, model: Model) =>
      drizzleSource({ db, registry, tables, model, namedStatements }),
  };
}
