/** Overrides: corrections by the host to the metadata of Drizzle columns and relations. */

import * as option from '../../../lib/option-rows.ts';
import type { OptionTableOf } from '../../../lib/index.ts';
import type { FieldOverride } from '../../../schema/index.ts';
import {
  checkConfiguration,
  configurationError,
  fieldOverrideTable,
} from '../../../schema/index.ts';
import type { StorageForm } from '../../../relational/index.ts';

/** Corrections to one column or one relation. An absent property is derived. */
export interface PathOverride extends FieldOverride {
  /** Whether the field (or the `one` relation) may be null. */
  readonly nullable?: boolean | undefined;
  /** Whether the column is part of the primary key; for views, and for tables whose key is not declared. */
  readonly primaryKey?: boolean;
  /**
   * How the column stores its kind, where neither kind nor column type determines it, such as `datetime` in an SQLite
   * integer.
   */
  readonly storage?: StorageForm;
  /** Target model of a relation, where several models share its table. */
  readonly target?: string;
}

/** Overrides of one model by property or relation name; `false` leaves the column or relation out. */
export interface ModelOverrides {
  readonly [path: string]: PathOverride | false;
}

/** Overrides by model name. */
export interface DrizzleOverrides {
  readonly [model: string]: ModelOverrides;
}

const pathTable = {
  ...fieldOverrideTable,
  primaryKey: option.boolean,
  storage: option.string,
  target: option.string,
} satisfies OptionTableOf<PathOverride>;

/** Overrides by model and path. */
const overridesRow = option.recordOf(option.recordOf(option.orFalse(option.objectOf(pathTable))));

/** The override of one path; inherited properties are ignored. */
export function overrideOf(
  overrides: DrizzleOverrides,
  model: string,
  path: string,
): PathOverride | false | undefined {
  const ofModel = Object.hasOwn(overrides, model) ? overrides[model] : undefined;
  return ofModel && Object.hasOwn(ofModel, path) ? ofModel[path] : undefined;
}

/**
 * Refuses overrides for paths that do not exist, so that renaming a column does not silently drop its override.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an override cannot work, naming model and path.
 */
export function checkOverrides(
  overrides: DrizzleOverrides,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  checkConfiguration('drizzleRegistry', { overrides }, { overrides: overridesRow });
  for (const [model, paths] of Object.entries(overrides)) {
    const names = known.get(model);
    if (!names) {
      throw configurationError(
        `${model}: overrides name a model that is not among the tables; add its table or drop the overrides.`,
        { model },
      );
    }
    for (const path of Object.keys(paths)) {
      if (names.has(path)) continue;
      throw configurationError(
        `${model}.${path}: overrides name neither a column nor a relation of the model; correct the name or drop it.`,
        { model, path },
      );
    }
  }
}
