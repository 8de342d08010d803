/** JSON Schemas of the answers of a list endpoint: the pages that its rules allow, their rows, and errors. */

import {
  type FieldDescriptor,
  kindRow,
  type QueryErrorCode,
  queryErrorStatus,
} from '../../schema/index.ts';
import type { CompiledProjection, CompiledQueryRules } from '../declare/compiled.ts';

/** The part of JSON Schema 2020-12 that answers use. An empty schema accepts every JSON value. */
export interface OpenApiAnswerSchema {
  /** JSON type, or several. */
  readonly type?: string | readonly string[];
  /** Format of a text, such as `date-time`. */
  readonly format?: string;
  /** Encoding of bytes in a text, such as `base64`. */
  readonly contentEncoding?: string;
  /** English text for readers of the document. */
  readonly description?: string;
  /** The values that exist. */
  readonly enum?: readonly (string | number | null)[];
  /** The one value that exists. */
  readonly const?: boolean;
  /** Smallest number. */
  readonly minimum?: number;
  /** Largest number of items. */
  readonly maxItems?: number;
  /** Members of an object, by name. */
  readonly properties?: { readonly [name: string]: OpenApiAnswerSchema };
  /** Members that are always present. */
  readonly required?: readonly string[];
  /** Form of each item of a list. */
  readonly items?: OpenApiAnswerSchema;
  /** Forms of which at least one applies. */
  readonly anyOf?: readonly OpenApiAnswerSchema[];
  /** Forms of which exactly one applies. */
  readonly oneOf?: readonly OpenApiAnswerSchema[];
}

const text: OpenApiAnswerSchema = { type: 'string' };
const count: OpenApiAnswerSchema = { type: 'integer', minimum: 0 };

const wideInteger: OpenApiAnswerSchema = { type: 'integer', format: 'int64' };

/** How a value of each kind is shown; a kind that is not here may be any JSON value. */
const shownForms: { readonly [kind: string]: OpenApiAnswerSchema } = {
  string: text,
  uuid: { type: 'string', format: 'uuid' },
  enum: text,
  integer: { type: 'integer', format: 'int32' },
  bigint: { type: 'string', format: 'int64' },
  decimal: { type: 'string', format: 'decimal' },
  float: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  binary: { type: 'string', contentEncoding: 'base64' },
};

function fieldSchema(field: FieldDescriptor): OpenApiAnswerSchema {
  const { unsigned, nullable, enumValues } = field;
  const { kind, items: member } = kindRow(field.kind);
  if (member !== undefined) {
    const items = fieldSchema({ ...field, kind: member, nullable: true });
    return { type: nullable ? ['array', 'null'] : 'array', items };
  }
  const form: OpenApiAnswerSchema =
    kind === 'integer' && unsigned ? wideInteger : (shownForms[kind] ?? {});
  const members = kind === 'enum' ? enumValues : undefined;
  if (form.type === undefined) return form;
  return {
    ...form,
    ...(nullable && { type: [String(form.type), 'null'] }),
    ...(members && { enum: nullable ? [...members, null] : members }),
  };
}

/** A row of the root, or of the include at `path`, with the relations included below it. */
function modelSchema(
  rules: CompiledQueryRules,
  model: string,
  { allowed, aggregates }: CompiledProjection,
  path: string | null,
): OpenApiAnswerSchema {
  const fields = rules.registry.get(model)?.fields ?? [];
  const properties: Record<string, OpenApiAnswerSchema> = {};
  for (const field of fields) {
    if (allowed.has(field.path)) properties[field.path] = fieldSchema(field);
  }
  for (const [name, field] of aggregates ?? []) properties[name] = fieldSchema(field);
  const bounded: string[] = [];
  for (const include of rules.includes.values()) {
    if (include.parent !== path) continue;
    const { relation, maxChildren } = include;
    if (maxChildren !== null) bounded.push(relation.path);
    const row = modelSchema(rules, relation.target, include.projection, include.path);
    const one = relation.nullable ? { anyOf: [row, { type: 'null' }] } : row;
    properties[relation.path] =
      relation.cardinality === 'many'
        ? { type: 'array', items: row, ...(maxChildren !== null && { maxItems: maxChildren }) }
        : one;
  }
  if (bounded.length > 0) {
    properties['$truncated'] = {
      type: 'array',
      items: { type: 'string', enum: bounded },
      description: 'The relations that have more rows than are shown; absent where there are none.',
    };
  }
  return { type: 'object', properties };
}

const page = (properties: {
  readonly [name: string]: OpenApiAnswerSchema;
}): OpenApiAnswerSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => name !== 'totalCapped'),
});

/** The schema of a row with every field and relation that the rules allow. */
export const rowSchema = (rules: CompiledQueryRules): OpenApiAnswerSchema =>
  modelSchema(rules, rules.model, rules.root, null);

/** The schema of every `ListResult` that the rules allow. */
export function listSchema(rules: CompiledQueryRules): OpenApiAnswerSchema {
  const { mode, count: policy, allowUnpaginated } = rules.pagination;
  const data: OpenApiAnswerSchema = {
    type: 'array',
    items: rowSchema(rules),
  };
  const cursor: OpenApiAnswerSchema = {
    type: ['string', 'null'],
    description: '`null` where there is no further page in this direction.',
  };
  const isCounted = policy.type !== 'none';
  const totals = isCounted
    ? {
        total: count,
        lastPage: count,
        ...(policy.type === 'capped' && { totalCapped: { const: true } }),
      }
    : { hasNextPage: { type: 'boolean' } };
  const forms = [
    ...(mode === 'keyset' ? [] : [page({ data, page: count, perPage: count, ...totals })]),
    ...(mode === 'offset'
      ? []
      : [page({ data, perPage: count, nextCursor: cursor, prevCursor: cursor })]),
    ...(allowUnpaginated ? [page({ data })] : []),
  ];
  return forms.length === 1 && forms[0] ? forms[0] : { anyOf: forms };
}

/** The schema of the envelope of errors with this status. */
export function errorSchema(status: number): OpenApiAnswerSchema {
  const codes = Object.keys(queryErrorStatus) as QueryErrorCode[];
  return page({
    statusCode: { type: 'integer', enum: [status] },
    code: { type: 'string', enum: codes.filter((code) => queryErrorStatus[code] === status) },
    message: text,
    details: {
      type: 'object',
      description: 'The parameter, the path and the rule; never a value of the request.',
    },
  });
}
