/** Decides whether a schema may be read and written, from its version and columns; asks again when that is old. */

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

/** The state of a schema. */
export interface SchemaState {
  readonly installed: boolean;
  readonly version: number | null;
  /** Why nothing may be read; `null` when all is well. */
  readonly unavailable: Translatable | null;
  /** Whether the version is newer than any that was tested. */
  readonly untested: boolean;
  readonly features: Features;
  readonly disabledFeatures: readonly FeatureName[];
  readonly columns: SchemaColumns;
  /** Whether the role of the read connection may change jobs. */
  readonly mayWrite: boolean;
}

/** Milliseconds that a finding is good for. */
const freshMs = 10_000;

/** Keeps what is known of one schema. */
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
   * What is known, at most ten seconds old. One statement when it is older, two when the version changed or
   * something was missing, which may have been granted since; a probe that fails is not kept.
   */
  state(read: <T>(work: (session: ReadSession) => Promise<T>) => Promise<T>): Promise<SchemaState> {
    if (this.#state && performance.now() - this.#checkedAt < freshMs) {
      return Promise.resolve(this.#state);
    }
    // Pollers that come while a probe is under way wait for that one.
    this.#checking ??= read((session) => this.#check(session)).finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** Forgets everything: a statement found the schema to be another one. */
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

/** Whether there is nothing that the role or the schema lacks. */
function isWhole({ unavailable, disabledFeatures: disabled, mayWrite }: SchemaState): boolean {
  return unavailable === null && disabled.length === 0 && mayWrite;
}

const nothing: SchemaShape = { columns: new Map(), mayWrite: false };

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
  });
}

function reasonOf(
  installed: boolean,
  version: number | null,
  columns: SchemaColumns,
): Translatable | null {
  if (!installed) return { key: 'PGQ_NOT_INSTALLED' };
  const found = version ?? 0;
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
