/** Checks the types of a schema at boot, for hosts that do not use TypeScript. */

import { type OptionPath, checkOptions } from '../lib/index.ts';
import { configurationError } from './query-error.ts';
import { schemaTable } from './schema-form.ts';

/**
 * Checks the names and types of all properties of a schema.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a property is unknown, missing or of the wrong type.
 */
export function assertSchemaForm(schema: unknown): void {
  const given = schema === undefined ? null : schema;
  checkOptions('defineQuerySchema', given, schemaTable, (message, name, path) => {
    const { model, part } = partOf(given, path);
    const prefix = [model, part].filter((each) => each !== undefined).join('.');
    return configurationError(prefix === '' ? message : `${prefix}: ${message}`, {
      ...(model !== undefined && { model }),
      ...(part !== undefined && { path: part }),
      ...(name !== '' && { option: name }),
    });
  });
}

/** The names of the model and of the field or relation that contain an option, if they are strings. */
function partOf(schema: unknown, [list, index]: OptionPath): { model?: string; part?: string } {
  const { model, ...lists } = Object(schema) as Record<string, unknown>;
  const part: unknown = Object(Object(lists[String(list)])[Number(index)]).path;
  return {
    ...(typeof model === 'string' && { model }),
    ...(typeof part === 'string' && { part }),
  };
}
