/** A pg-boss schema as the board reads it: the channel, the state from the guard, and the matching listings. */

import { isLostConnection } from '../../../lib/index.ts';
import { BoardError } from '../../core/index.ts';
import type { FeatureName, SchemaColumns } from '../schema/features.ts';
import { type Listings, compileListings } from './listings.ts';
import type { PgqSettings } from '../options.ts';
import type { ReadChannel, ReadSession } from '../connect/read-channel.ts';
import { SchemaGuard, type SchemaState } from '../schema/schema-guard.ts';
import { type JobTable, readJobTables } from '../schema/schema-probe.ts';
import { isMisfit } from '../connect/read-errors.ts';

/** A schema that passed the checks and may be read. */
export interface OpenSchema {
  /** Its name in the catalogue. */
  readonly name: string;
  readonly state: SchemaState;
  readonly listings: Listings;
  /** Runs the work on a session. Several may run concurrently. */
  read<Answer>(work: (session: ReadSession) => Promise<Answer>): Promise<Answer>;
}

/** Milliseconds for which the list of job tables and their indexes is cached. */
const indexesFreshMs = 300_000;

/** Reads of one schema. */
export class Installation {
  readonly #settings: PgqSettings;
  readonly #channel: ReadChannel;
  readonly #guard: SchemaGuard;
  #listings: { readonly columns: SchemaColumns; readonly listings: Listings } | undefined;
  #jobTables: { readonly tables: readonly JobTable[]; readonly at: number } | undefined;

  constructor(settings: PgqSettings, channel: ReadChannel) {
    this.#settings = settings;
    this.#channel = channel;
    this.#guard = new SchemaGuard(settings.catalogSchema);
  }

  /** Runs a read, and repeats it once when the connection breaks, for example after a restart of the server. */
  async read<Answer>(work: (session: ReadSession) => Promise<Answer>): Promise<Answer> {
    try {
      return await this.#channel.read(work);
    } catch (error) {
      if (!isLostConnection(error)) throw error;
      return this.#channel.read(work);
    }
  }

  /** The state of the schema, at most ten seconds old. */
  state(): Promise<SchemaState> {
    return this.#guard.state((work) => this.read(work));
  }

  /**
   * Runs the work; if a statement finds a schema different from the cached state, drops the state and repeats the work.
   */
  async fitting<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (!isMisfit(error)) throw error;
      this.#guard.forget();
      return work();
    }
  }

  /**
   * Checks the schema and reads with the listings that match it.
   *
   * @throws {BoardError} when the schema cannot be read, with the reason
   */
  open<Answer>(work: (schema: OpenSchema) => Promise<Answer>): Promise<Answer> {
    return this.fitting(async () => work(await this.#gate()));
  }

  /** As `open`, for a feature that the schema may lack. */
  openFeature<Answer>(
    feature: FeatureName,
    work: (schema: OpenSchema) => Promise<Answer>,
  ): Promise<Answer> {
    return this.open((schema) => {
      requireFeature(schema.state, feature);
      return work(schema);
    });
  }

  /** The tables that hold jobs, and whether each has the listing index; cached for five minutes. */
  async jobTables(): Promise<readonly JobTable[]> {
    const known = this.#jobTables;
    if (known && performance.now() - known.at < indexesFreshMs) return known.tables;
    const tables = await this.read((session) =>
      readJobTables(session, this.#settings.catalogSchema),
    );
    this.#jobTables = { tables, at: performance.now() };
    return tables;
  }

  close(): Promise<void> {
    return this.#channel.close();
  }

  async #gate(): Promise<OpenSchema> {
    const state = await this.state();
    if (state.unavailable) {
      const { key, options } = state.unavailable;
      throw new BoardError(key, { ...(options && { options }) });
    }
    return {
      name: this.#settings.catalogSchema,
      state,
      listings: this.#listingsFor(state.columns),
      read: (work) => this.read(work),
    };
  }

  #listingsFor(columns: SchemaColumns): Listings {
    if (this.#listings?.columns !== columns) {
      const { catalogSchema, countCap, scope } = this.#settings;
      const limits = { countCap, scoped: scope !== undefined };
      this.#listings = { columns, listings: compileListings(catalogSchema, columns, limits) };
    }
    return this.#listings.listings;
  }
}

/** @throws {BoardError} PGQ_FEATURE_UNAVAILABLE when the schema lacks the feature named in the error */
export function requireFeature({ features }: SchemaState, feature: FeatureName): void {
  if (features[feature]) return;
  throw new BoardError('PGQ_FEATURE_UNAVAILABLE', { options: { feature } });
}
