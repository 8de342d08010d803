/** JSON Schema of a request value, by kind, as used in OpenAPI 3.1. */

import {
  type ArrayKind,
  type FieldDescriptor,
  type FieldKind,
  kindRow,
} from '../../schema/index.ts';
import type { QueryLimits } from '../declare/declaration.ts';

/** The part of JSON Schema 2020-12 that request parameters use. */
export interface OpenApiSchema {
  /** JSON type. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  /** Format of a text, such as `date-time`. */
  readonly format?: string;
  /** Regular expression that a text matches. */
  readonly pattern?: string;
  /** The texts that exist. */
  readonly enum?: readonly string[];
  /** Smallest number. */
  readonly minimum?: number;
  /** Largest number. */
  readonly maximum?: number;
  /** Smallest length of a text, in characters. */
  readonly minLength?: number;
  /** Largest length of a text, in characters. */
  readonly maxLength?: number;
  /** The value that holds where the parameter is absent. */
  readonly default?: number | boolean;
  /** Form of each item of a list. */
  readonly items?: OpenApiSchema;
  /** Smallest number of items. */
  readonly minItems?: number;
  /** Largest number of items. */
  readonly maxItems?: number;
}

const wholeNumber = '-?(0|[1-9][0-9]*)';

/** Free text within the limits. */
export function textSchema(limits: QueryLimits): OpenApiSchema {
  return { type: 'string', maxLength: limits.maxTextLength };
}

export const instantOrDay: OpenApiSchema = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[.:0-9]+(Z|[+-][:0-9]+))?$',
};

type SchemaOf = (field: FieldDescriptor, limits: QueryLimits) => OpenApiSchema;

const text: SchemaOf = (_field, limits) => textSchema(limits);

const byKind: { readonly [Kind in Exclude<FieldKind, ArrayKind>]: SchemaOf } = {
  string: text,
  uuid: () => ({ type: 'string', format: 'uuid' }),
  enum: ({ enumValues = [] }) => ({ type: 'string', enum: enumValues }),
  integer: ({ unsigned }) => ({
    type: 'integer',
    format: unsigned ? 'int64' : 'int32',
    minimum: -2_147_483_648,
    maximum: unsigned ? 4_294_967_295 : 2_147_483_647,
  }),
  // A string, because a 64-bit JSON number is not exact in every client.
  bigint: () => ({ type: 'string', format: 'int64', pattern: `^${wholeNumber}$` }),
  decimal: () => ({
    type: 'string',
    format: 'decimal',
    pattern: `^${wholeNumber}(\\.[0-9]{1,30})?$`,
  }),
  float: () => ({ type: 'number', format: 'double' }),
  boolean: () => ({ type: 'boolean' }),
  date: () => ({ type: 'string', format: 'date' }),
  // The format alone also allows a space or a lower-case letter.
  datetime: () => ({
    type: 'string',
    format: 'date-time',
    pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
  }),
  json: text,
  binary: text,
  opaque: text,
};

/** The schema of a complete value of the field; of an array, of one member. */
export function valueSchema(field: FieldDescriptor, limits: QueryLimits): OpenApiSchema {
  const { items } = kindRow(field.kind);
  const kind = items ?? (field.kind as Exclude<FieldKind, ArrayKind>);
  return byKind[kind](field, limits);
}
