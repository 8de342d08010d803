/** Loads what `--config` and `--schema` name into models of the migration. */

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineQuerySchema } from '../schema/index.ts';
import type { QuerySchema } from '../schema/index.ts';
import type { CompanionModel } from '../relational/companions/index.ts';
import { UsageError } from './command.ts';

/** What `--config` and `--schema` give. */
export interface LoadedModels {
  readonly models: readonly CompanionModel[];
  readonly database?: string | undefined;
}

/**
 * Imports the module and takes its default export, or everything it exports under a name where it has
 * none.
 *
 * @throws UsageError when neither or both options are given, or the module is not what it must be;
 * QueryError `SOURCE_CONFIGURATION_INVALID` for a schema that is not valid.
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
    throw new UsageError('the default export of --config is an object with models.');
  }
  const { database } = exported;
  if (database !== undefined && typeof database !== 'string') {
    throw new UsageError('database of --config is a URL.');
  }
  return { models: modelsOf(exported['models'], '--config'), database };
}

async function importDefault(file: string, option: string): Promise<unknown> {
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the module of ${option} cannot be loaded: ${reason}`, { cause: error });
  }
  if (isRecord(loaded) && 'default' in loaded) return loaded['default'];
  throw new UsageError(`the module of ${option} has no default export.`);
}

/** A registry, a list, or one; each a model, or a query schema that lives where its names say. */
function modelsOf(value: unknown, option: string): readonly CompanionModel[] {
  const list = value instanceof Map ? [...value.values()] : Array.isArray(value) ? value : [value];
  return list.map((each: unknown) => {
    const model = isRecord(each) && 'schema' in each ? each : { schema: each };
    if (!isRecord(model['schema']) || !Array.isArray(model['schema']['fields'])) {
      throw new UsageError(`${option} gives something that is no query schema.`);
    }
    // Checked in full where it matters: the schema here, table and columns when the task is planned.
    const schema = defineQuerySchema(model['schema'] as unknown as QuerySchema);
    return { ...model, schema };
  });
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
