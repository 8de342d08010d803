/** Decides from version and columns whether a schema may be read and written; results expire. */

import type { Translatable } from '../../core/index.ts';
import {
  type FeatureName,
  type Features,
  type SchemaColumns,
  disabledFeatures,
  featuresOf,
  missingColumns,
  noFeatures,
  supportedRange,
} from './features.ts';
import type { ReadSession } from '../connect/read-channel.ts';
import { type SchemaShape, readShape, readVersion } from './schema-probe.ts';

export interface SchemaState {
  readonly installed: boolean;
  readonly version: number | null;
  /** Why the schema cannot be read; `null` when it can. */
  readonly unavailable: Translatable | null;
  /** Whether the version is newer than any tested version. */
  readonly untested: boolean;
  readonly features: Features;
  readonly disabledFeatures: readonly FeatureName[];
  readonly columns: SchemaColumns;
  /** Whether the role may change jobs on the server. */
  readonly mayWrite: boolean;
  /** Whether it may change schedules as well. */
  readonly maySchedule: boolean;
}

/** Milliseconds for which a result is valid. */
const freshMs = 10_000;

/** Caches the state of a schema. */
export class SchemaGuard {
  readonly #schema: string;
  #state: SchemaState | undefined;
  #shape: { readonly version: number; readonly shape: SchemaShape } | undefined;
  #checkedAt = -Infinity;
  #checking: Promise<SchemaState> | undefined;

  constructor(schema: string) {
    this.#schema = schema;
  }

  /**
   * The state, at most ten seconds old. Refreshing it takes one statement, or two when the version changed or something
   * was missing, because permissions may have been granted since. A failed probe is not cached.
   */
  state(read: <T>(work: (session: ReadSession) => Promise<T>) => Promise<T>): Promise<SchemaState> {
    if (this.#state && performance.now() - this.#checkedAt < freshMs) {
      return Promise.resolve(this.#state);
    }
    // Concurrent requests share a running probe.
    this.#checking ??= read((session) => this.#check(session)).finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** Drops the state, after a statement found a different schema. */
  forget(): void {
    this.#state = undefined;
    this.#shape = undefined;
  }

  async #check(session: ReadSession): Promise<SchemaState> {
    const found = await readVersion(session, this.#schema);
    const version = found.installed ? found.version : null;
    let shape =
      version !== null && this.#shape?.version === version ? this.#shape.shape : undefined;
    if (this.#state && !isWhole(this.#state)) shape = undefined;
    if (!shape && version !== null && version >= supportedRange.min) {
      shape = await readShape(session, this.#schema);
      this.#shape = { version, shape };
    }
    this.#state = stateOf(found.installed, version, shape);
    this.#checkedAt = performance.now();
    return this.#state;
  }
}

/** Whether neither the role nor the schema lacks anything. */
function isWhole({ unavailable, disabledFeatures: disabled, maySchedule }: SchemaState): boolean {
  return unavailable === null && disabled.length === 0 && maySchedule;
}

const nothing: SchemaShape = { columns: new Map(), mayWrite: false, maySchedule: false };

function stateOf(
  installed: boolean,
  version: number | null,
  shape: SchemaShape = nothing,
): SchemaState {
  const unavailable = reasonOf(installed, version, shape.columns);
  const features = unavailable ? noFeatures : featuresOf(shape.columns);
  return Object.freeze({
    installed,
    version,
    unavailable,
    untested: version !== null && version > supportedRange.max,
    features,
    disabledFeatures: unavailable ? [] : disabledFeatures(features, version),
    columns: shape.columns,
    mayWrite: shape.mayWrite,
    maySchedule: shape.maySchedule,
  });
}

function reasonOf(
  installed: boolean,
  version: number | null,
  columns: SchemaColumns,
): Translatable | null {
  if (!installed) return { key: 'PGQ_NOT_INSTALLED' };
  const found = version;
  if (version === null || version < supportedRange.min) {
    return { key: 'PGQ_SCHEMA_UNSUPPORTED', options: { found, ...supportedRange } };
  }
  const missing = missingColumns(columns);
  if (missing.length === 0) return null;
  return {
    key: 'PGQ_SCHEMA_INCOMPATIBLE',
    options: { found, missing: missing.join(',') },
  };
}
