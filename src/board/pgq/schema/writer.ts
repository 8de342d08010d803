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
import { type Previewer, previewerOf } from '../connect/schedule-previewer.ts';
import type { SchemaState } from './schema-guard.ts';

/** Whether the board may write, and through which instance. */
export interface WriteGate {
  /** Why the board may not write; `null` when it may. */
  readonly closed: Translatable | null;
  /** The instance whose methods are available, if any. */
  readonly instance: PgBossInstance | undefined;
  /** The instance that runs a command in a transaction. */
  within(db: PgBossDatabase): PgBossInstance;
}

/** The database of an instance that only previews schedules. */
const noDatabase: PgBossDatabase = {
  executeSql: () => Promise.reject(new Error('This pg-boss instance does not have a database.')),
};

/** Decides whether commands run, and provides their instance. */
export class Writer {
  readonly #settings: PgqSettings;
  readonly #readOnly: boolean;
  #library: Promise<PgBossLibrary | undefined> | undefined;
  #previewing: Promise<PgBossInstance | undefined> | undefined;

  constructor(settings: PgqSettings, readOnly: boolean) {
    this.#settings = settings;
    this.#readOnly = readOnly;
  }

  /** The instance of the host. */
  get own(): PgBossInstance | undefined {
    return this.#settings.instance;
  }

  /** Whether a readable schema may be written. */
  async gate(state: SchemaState): Promise<WriteGate> {
    const { instance: own } = this.#settings;
    const library = await this.#libraryOfWrites();
    const within = (db: PgBossDatabase): PgBossInstance => {
      if (library) return this.#make(library, db);
      if (own) return own;
      throw new Error('This board does not have a pg-boss instance.');
    };
    const instance = own ?? (library && this.#make(library, noDatabase));
    return { closed: this.#reasonIn(state, library), instance, within };
  }

  /** The library of the instance of the host, if it is known, or the library of a board without one. */
  async #libraryOfWrites(): Promise<PgBossLibrary | undefined> {
    const { instance } = this.#settings;
    const library = await this.#load();
    return library && (!instance || instance instanceof library.PgBoss) ? library : undefined;
  }

  #reasonIn(state: SchemaState, library: PgBossLibrary | undefined): Translatable | null {
    const { instance, allowUntestedSchema } = this.#settings;
    if (this.#readOnly) return readOnlyReason;
    if (!state.mayWrite) return { key: 'PGQ_WRITER_UNAVAILABLE' };
    const expected = library ? schemaVersionOf(library) : null;
    // A library writes to the schema that it has made, however new.
    if (expected !== null && expected === state.version) return null;
    if (state.untested && !allowUntestedSchema) {
      const options = { found: state.version, max: supportedRange.max };
      return { key: 'PGQ_SCHEMA_UNTESTED', options };
    }
    // The host has chosen the version of its instance.
    if (instance) return null;
    if (expected === null) return { key: 'PGQ_WRITER_UNAVAILABLE' };
    return { key: 'PGQ_SCHEMA_MISMATCH', options: { found: state.version, expected } };
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
    this.#library ??= loadLibrary();
    return this.#library;
  }
}

/** Without pg-boss, the board can still read. */
async function loadLibrary(): Promise<PgBossLibrary | undefined> {
  try {
    return await import('pg-boss');
  } catch {
    return undefined;
  }
}
