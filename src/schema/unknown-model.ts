/** The error of a source whose model has no table or no schema. */

import { knownNames } from '../lib/index.ts';
import { configurationError } from './query-error.ts';
import type { SchemaRegistry } from './types.ts';

export function unknownModel(model: string, tables: object, registry: SchemaRegistry) {
  const models = Object.keys(tables);
  const [missing, known] = models.includes(model) ? ['schema', registry.keys()] : ['table', models];
  return configurationError(
    `The source has no ${missing} for model "${model}"; it has ${knownNames(model, known)}.`,
    { model },
  );
}
