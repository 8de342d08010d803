/** What a host says about columns and relations where Drizzle's own metadata does not. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import type { FieldKind } from '../../schema/index.ts';
import { checkConfiguration, configurationError, fieldOverrideTable } from '../../schema/index.ts';
import type { StorageForm } from '../../relational/index.ts';

/** Corrections to one column or one relation. Everything that is absent is derived. */
export interface PathOverride {
  /** Kind of the field, for column types that have none of their own, or another one. */
  readonly kind?: FieldKind;
  /** Whether the field (or the `one` relation) may be null. */
  readonly nullable?: boolean;
  /** Property of the folded companion; `false` where the name only looks like one. */
  readonly foldedField?: string | false;
  /** Property of the order companion; `false` where the name only looks like one. */
  readonly portableOrderField?: string | false;
  /** Members of an enum in their portable order. */
  readonly enumValues?: readonly string[];
  readonly internal?: boolean;
  /** How the column stores its kind, where neither kind nor column tells: an SQLite integer as `datetime`. */
  readonly storage?: StorageForm;
  /** Model a relation leads to, where several models share its table. */
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
  storage: option.string,
  target: option.string,
} satisfies OptionTableOf<PathOverride>;

/** Overrides by model and path. */
export const overridesRow = option.recordOf(
  option.recordOf(option.orFalse(option.objectOf(pathTable))),
);

/** The override of one path, own properties only. */
export function overrideOf(
  overrides: DrizzleOverrides,
  model: string,
  path: string,
): PathOverride | false | undefined {
  const ofModel = Object.hasOwn(overrides, model) ? overrides[model] : undefined;
  return ofModel && Object.hasOwn(ofModel, path) ? ofModel[path] : undefined;
}

/**
 * Refuses overrides of what does not exist, so that a renamed column does not lose its override unseen.
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
