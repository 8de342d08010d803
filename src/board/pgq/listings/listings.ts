/** pg-boss's tables as models: a registry of the columns of a schema, its rules, and sources on a session. */

import {
  type SqlRow,
  type SqlSource,
  sqlRegistry,
  sqlSource,
} from '../../../adapters/sql/index.ts';
import type { SchemaRegistry } from '../../../schema/index.ts';
import { type JobPaths, type SearchListing, searchListings } from './search-rules.ts';
import type { ReadSession } from '../connect/read-channel.ts';
import type { SchemaColumns } from '../schema/features.ts';
import { type PgqModel, type PgqTables, pgqTables } from '../schema/tables.ts';
import {
  type ListingLimits,
  type ListingRules,
  listingRules,
  searchRules,
} from './listing-rules.ts';

/** A row of a model; fields that a schema lacks are absent. */
export type PgqRow<Model extends PgqModel> = SqlRow<PgqTables, Model>;

export type PgqSource<Model extends PgqModel> = SqlSource<PgqRow<Model>>;

/** The reads of the board for one version of the schema. */
export interface Listings {
  readonly rules: ListingRules;
  /** The jobs of all queues, with typed paths of their data and output. */
  readonly search: (paths: JobPaths) => SearchListing;
  source<Model extends PgqModel>(session: ReadSession, model: Model): PgqSource<Model>;
}

/** Compiles the reads for a schema with the given columns. */
export function compileListings(
  schema: string,
  columns: SchemaColumns,
  limits: ListingLimits,
): Listings {
  const tables = pgqTables(schema, columns);
  const registry: SchemaRegistry = sqlRegistry(tables);
  return {
    rules: listingRules(registry, tables, limits),
    search: searchListings(tables, (typed, filters) => searchRules(typed, limits, filters)),
    source: <Model extends PgqModel>({ connection }: ReadSession, model: Model) =>
      sqlSource({ connection, registry, tables, model }),
  };
}
