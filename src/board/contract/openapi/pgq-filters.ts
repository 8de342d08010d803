/** The filters of pg-boss's jobs, for OpenAPI documents. Written by `node tools/openapi.ts` from the compiled rules. */

import type { JsonSchema } from './json-schema.ts';

/** The kind of each field and of paths into JSON, the values and operators of each kind, and the operators. */
export const pgqFilters: {
  readonly fields: Readonly<Record<string, string>>;
  readonly path: string;
  readonly kinds: Readonly<
    Record<string, { readonly value: JsonSchema; readonly operators: readonly string[] }>
  >;
  /** Without a type, an operator takes a value of the kind. */
  readonly operators: Readonly<
    Record<string, { readonly description: string; readonly type?: string }>
  >;
} = {
  fields: {
    state: 'PgqStateFilter',
    id: 'PgqIdFilter',
    singletonKey: 'PgqTextFilter',
    priority: 'PgqNumberFilter',
    retryCount: 'PgqNumberFilter',
    groupId: 'PgqTextFilter',
    createdOn: 'PgqTimeFilter',
    startAfter: 'PgqTimeFilter',
    startedOn: 'PgqOptionalTimeFilter',
    completedOn: 'PgqOptionalTimeFilter',
  },
  path: 'PgqPathFilter',
  kinds: {
    PgqStateFilter: {
      value: {
        type: 'string',
        enum: ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'],
      },
      operators: ['eq', 'ne', 'in', 'notIn'],
    },
    PgqIdFilter: {
      value: { type: 'string', format: 'uuid' },
      operators: ['eq', 'ne', 'in', 'notIn'],
    },
    PgqTextFilter: {
      value: { type: 'string', maxLength: 1000 },
      operators: [
        'eq',
        'ne',
        'gt',
        'gte',
        'lt',
        'lte',
        'in',
        'notIn',
        'between',
        'like',
        'notLike',
        'isNull',
      ],
    },
    PgqNumberFilter: {
      value: { type: 'integer', format: 'int32', minimum: -2147483648, maximum: 2147483647 },
      operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'notIn', 'between'],
    },
    PgqTimeFilter: {
      value: { type: 'string', format: 'date-time', pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$' },
      operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'notIn', 'between'],
    },
    PgqOptionalTimeFilter: {
      value: { type: 'string', format: 'date-time', pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$' },
      operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'notIn', 'between', 'isNull'],
    },
    PgqPathFilter: {
      value: { type: ['string', 'number', 'boolean'] },
      operators: [
        'eq',
        'ne',
        'gt',
        'gte',
        'lt',
        'lte',
        'in',
        'notIn',
        'between',
        'like',
        'notLike',
        'isNull',
      ],
    },
  },
  operators: {
    eq: { description: 'The field equals the value.' },
    ne: { description: 'The field differs from the value; null is left out.' },
    in: {
      description:
        'The field is one of the values; the empty list matches nothing. The values are one text with commas between; double quotes quote a value that has one.',
      type: 'string',
    },
    notIn: {
      description:
        'The field is none of the values; null is left out, and the empty list matches everything. The values are one text with commas between; double quotes quote a value that has one.',
      type: 'string',
    },
    gt: { description: 'The field is greater than the value.' },
    gte: { description: 'The field is greater than or equal to the value.' },
    lt: { description: 'The field is less than the value.' },
    lte: { description: 'The field is less than or equal to the value.' },
    between: {
      description:
        'The field lies between the two values, low then high, both included. The values are one text with commas between; double quotes quote a value that has one.',
      type: 'string',
    },
    like: {
      description:
        'The field contains the text as it is written; `%` and `_` are ordinary characters.',
    },
    notLike: {
      description: 'The field does not contain the text as it is written; null is left out.',
    },
    isNull: {
      description: 'The field is null (`true`) or is not null (`false`).',
      type: 'boolean',
    },
  },
};
