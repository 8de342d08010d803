/** The option tables of schemas. */

import * as option from '../lib/option-rows.ts';
import type { OptionTable, OptionTableOf } from '../lib/index.ts';
import { jsonPathKinds } from './json-paths.ts';
import { kinds } from './kinds/index.ts';
import type { FieldDescriptor, QuerySchema, RelationDescriptor } from './types.ts';

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
  internal: option.boolean,
} satisfies OptionTableOf<FieldDescriptor>;

/** Options that override a field derived from an ORM; `false` removes a companion. */
export const fieldOverrideTable = {
  kind: option.oneOf(...kinds.keys()),
  nullable: option.boolean,
  enumValues: option.listOf(option.string),
  foldedField: option.orFalse(option.string),
  portableOrderField: option.orFalse(option.string),
  paths: jsonPathsRow,
  internal: option.boolean,
} satisfies OptionTable;

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
