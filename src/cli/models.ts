/** Loads the models of the migration from the module of `--config` or `--schema`. */

import { isRecord } from '../lib/index.ts';
import { defineQuerySchema, type QuerySchema } from '../schema/index.ts';
import type { CompanionModel } from '../relational/companions/index.ts';
import { UsageError } from './command.ts';
import { loadModule } from './load-module.ts';

/** Models, and the database URL of a config. */
interface LoadedModels {
  readonly models: readonly CompanionModel[];
  readonly database?: string | undefined;
}

/**
 * Imports the module of `config` or `schema` and reads the models from its default export.
 *
 * @throws {UsageError} when neither or both options are given, or the default export has the wrong type.
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a schema is invalid.
 */
export async function loadModels(from: {
  readonly config?: string | undefined;
  readonly schema?: string | undefined;
}): Promise<LoadedModels> {
  if ((from.config === undefined) === (from.schema === undefined)) {
    throw new UsageError('give either --config or --schema.');
  }
  if (from.schema !== undefined) {
    const exported = await importDefault(from.schema, '--schema');
    return { models: modelsOf(exported, '--schema') };
  }
  const exported = await importDefault(from.config ?? '', '--config');
  if (!isRecord(exported) || !('models' in exported)) {
    throw new UsageError('the default export of --config must be an object with models.');
  }
  const { database } = exported;
  if (database !== undefined && typeof database !== 'string') {
    throw new UsageError('"database" of --config must be a string.');
  }
  return { models: modelsOf(exported['models'], '--config'), database };
}

/** The default export of a module. */
export async function importDefault(file: string, option: string): Promise<unknown> {
  const loaded = await loadModule(file, `the module of ${option}`);
  if ('default' in loaded) return loaded['default'];
  throw new UsageError(`the module of ${option} has no default export.`);
}

/** Accepts a registry, an array or one element; each element is a model or a query schema. */
function modelsOf(value: unknown, option: string): readonly CompanionModel[] {
  const list = value instanceof Map ? [...value.values()] : Array.isArray(value) ? value : [value];
  return list.map((each: unknown) => {
    const model = isRecord(each) && 'schema' in each ? each : { schema: each };
    if (!isRecord(model['schema']) || !Array.isArray(model['schema']['fields'])) {
      throw new UsageError(`${option} must export query schemas.`);
    }
    // Table and columns are checked when the migration is planned.
    const schema = defineQuerySchema(model['schema'] as unknown as QuerySchema);
    return { ...model, schema };
  });
}
