/** Selects the instance that runs commands: that of the host, or one created for commands and never started. */

import { type Translatable, readOnlyReason } from '../../core/index.ts';
import { supportedRange } from './features.ts';
import type { PgqSettings } from '../options.ts';
import {
  type PgBossDatabase,
  type PgBossInstance,
  type PgBossLibrary,
  schemaVersionOf,
} from '../connect/pg-boss.ts';
import { type Previewer, previewerOf } from '../connect/schedule-preview.ts';
import type { WriterDatabase } from '../connect/writer-database.ts';
import type { SchemaState } from './schema-guard.ts';

/** Whether the board may write, and through which instance. */
export interface WriteGate {
  /** Why the board may not write; `null` when it may. */
  readonly closed: Translatable | null;
  /** The instance that runs commands, if any. */
  readonly instance: PgBossInstance | undefined;
}

/** The database of an instance that only previews schedules. */
const noDatabase: PgBossDatabase = {
  executeSql: () => Promise.reject(new Error('This pg-boss instance does not have a database.')),
};

/** Decides whether commands run, and provides their instance. */
export class Writer {
  readonly #settings: PgqSettings;
  readonly #readOnly: boolean;
  readonly #database: WriterDatabase | undefined;
  #library: Promise<PgBossLibrary | undefined> | undefined;
  #previewing: Promise<PgBossInstance | undefined> | undefined;

  constructor(settings: PgqSettings, readOnly: boolean, database: WriterDatabase | undefined) {
    this.#settings = settings;
    this.#readOnly = readOnly;
    this.#database = database;
  }

  /** Whether a readable schema may be written. */
  async gate(state: SchemaState): Promise<WriteGate> {
    const { instance, allowUntestedSchema } = this.#settings;
    if (this.#readOnly) return { closed: readOnlyReason, instance };
    if (state.untested && !allowUntestedSchema) {
      const options = { found: state.version, max: supportedRange.max };
      return { closed: { key: 'PGQ_SCHEMA_UNTESTED', options }, instance };
    }
    if (instance) return { closed: null, instance };
    const library = await this.#load();
    const expected = library && schemaVersionOf(library);
    if (!library || !this.#database || typeof expected !== 'number' || !state.mayWrite) {
      return { closed: { key: 'PGQ_WRITER_UNAVAILABLE' }, instance: undefined };
    }
    const made = this.#make(library, this.#database);
    if (expected === state.version) return { closed: null, instance: made };
    const options = { found: state.version, expected };
    return { closed: { key: 'PGQ_SCHEMA_MISMATCH', options }, instance: made };
  }

  /** Computes the next runs; `undefined` when the library does not support it. */
  async previewer(): Promise<Previewer | undefined> {
    const { instance } = this.#settings;
    const own = instance && previewerOf(instance);
    if (own) return own;
    this.#previewing ??= this.#load().then((library) => library && this.#make(library, noDatabase));
    const made = await this.#previewing;
    return made && previewerOf(made);
  }

  async close(): Promise<void> {
    await this.#database?.close();
  }

  #make({ PgBoss }: PgBossLibrary, db: PgBossDatabase): PgBossInstance {
    return new PgBoss({
      db,
      schema: this.#settings.schema,
      migrate: false,
      supervise: false,
      schedule: false,
      createSchema: false,
    });
  }

  #load(): Promise<PgBossLibrary | undefined> {
    const { library } = this.#settings;
    if (library) return Promise.resolve(library);
    // Without pg-boss, the board can still read.
    this.#library ??= import('pg-boss').catch(() => undefined);
    return this.#library;
  }
}
