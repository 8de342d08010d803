/** The option tables of schemas, and the check of a schema against them. */

import * as option from '../lib/option-rows.ts';
import { type OptionPath, type OptionTableOf, checkOptions } from '../lib/index.ts';
import { jsonPathKinds } from './json-paths.ts';
import { kinds } from './kinds/index.ts';
import { configurationError } from './query-error.ts';
import type {
  FieldDescriptor,
  FieldKind,
  JsonPaths,
  QuerySchema,
  RelationDescriptor,
} from './types.ts';

/** Typed paths of a json field. */
export const jsonPathsRow = option.recordOf(option.oneOf(...jsonPathKinds));

const fieldTable = {
  path: option.required(option.string),
  kind: option.required(option.string),
  nullable: option.required(option.boolean),
  unsigned: option.boolean,
  primaryKey: option.required(option.boolean),
  enumValues: option.listOf(option.string),
  foldedField: option.string,
  portableOrderField: option.string,
  paths: jsonPathsRow,
  // Families are checked with the text.
  sql: option.either(option.string, option.plainObject),
  internal: option.boolean,
} satisfies OptionTableOf<FieldDescriptor>;

/** The host's own settings of a field, in place of what an adapter derives. */
export interface FieldOverride {
  /** Kind of the field. Default: from the column's type. */
  readonly kind?: FieldKind | undefined;
  /** Whether the field may be null. Default: that of the column. */
  readonly nullable?: boolean | undefined;
  /** Members of an enum, in their portable order. Default: those of the column. */
  readonly enumValues?: readonly string[] | undefined;
  /** Path of the folded companion; `false` for none. Default: by its name. */
  readonly foldedField?: string | false | undefined;
  /** Path of the order companion; `false` for none. Default: by its name. */
  readonly portableOrderField?: string | false | undefined;
  /** Paths of a json field that filters may name, and the kinds of their values. Default: none. */
  readonly paths?: JsonPaths | undefined;
  /** Whether the field is hidden from clients. Default: `true` for companions only. */
  readonly internal?: boolean | undefined;
}

export const fieldOverrideTable = {
  kind: option.oneOf(...kinds.keys()),
  nullable: option.boolean,
  enumValues: option.listOf(option.string),
  foldedField: option.orFalse(option.string),
  portableOrderField: option.orFalse(option.string),
  paths: jsonPathsRow,
  internal: option.boolean,
} satisfies OptionTableOf<FieldOverride>;

const relationTable = {
  path: option.required(option.string),
  target: option.required(option.string),
  cardinality: option.required(option.oneOf('one', 'many')),
  nullable: option.required(option.boolean),
} satisfies OptionTableOf<RelationDescriptor>;

export const schemaTable = {
  model: option.required(option.string),
  primaryKey: option.required(option.listOf(option.string)),
  fields: option.required(option.listOf(option.objectOf(fieldTable))),
  relations: option.required(option.listOf(option.objectOf(relationTable))),
} satisfies OptionTableOf<QuerySchema>;

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
