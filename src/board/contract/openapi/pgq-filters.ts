/** The filters of pg-boss's jobs, for OpenAPI documents. A board that serves its document loads no rules for it. */

import { PgqJobState } from '../enums.ts';
import type { JsonSchema } from './json-schema.ts';

/** The kind of each field and of paths into JSON, the values and operators of each kind, and the operators. */
export interface PgqFilters {
  readonly fields: Readonly<Record<string, string>>;
  readonly path: string;
  readonly kinds: Readonly<
    Record<string, { readonly value: JsonSchema; readonly operators: readonly string[] }>
  >;
  /** Without a type, an operator takes a value of the kind. */
  readonly operators: Readonly<
    Record<string, { readonly description: string; readonly type?: string }>
  >;
}

/** Values of a list are sent as one text. */
export const listText =
  'The values are one text with commas between; double quotes quote a value that has one.';

const equality = ['eq', 'ne', 'in', 'notIn'];
const order = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'notIn', 'between'];
const text = [...order, 'like', 'notLike', 'isNull'];
const time = { type: 'string', format: 'date-time', pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$' };

/** As the compiled rules of the listings have them. */
export const pgqFilters: PgqFilters = {
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
      value: { type: 'string', enum: PgqJobState.options },
      operators: equality,
    },
    PgqIdFilter: { value: { type: 'string', format: 'uuid' }, operators: equality },
    PgqTextFilter: { value: { type: 'string', maxLength: 1000 }, operators: text },
    PgqNumberFilter: {
      value: { type: 'integer', format: 'int32', minimum: -2147483648, maximum: 2147483647 },
      operators: order,
    },
    PgqTimeFilter: { value: time, operators: order },
    PgqOptionalTimeFilter: { value: time, operators: [...order, 'isNull'] },
    PgqPathFilter: { value: { type: ['string', 'number', 'boolean'] }, operators: text },
  },
  operators: {
    eq: { description: 'The field equals the value.' },
    ne: { description: 'The field differs from the value; null is left out.' },
    in: {
      description: `The field is one of the values; the empty list matches nothing. ${listText}`,
      type: 'string',
    },
    notIn: {
      description: `The field is none of the values; null is left out, and the empty list matches everything. ${listText}`,
      type: 'string',
    },
    gt: { description: 'The field is greater than the value.' },
    gte: { description: 'The field is greater than or equal to the value.' },
    lt: { description: 'The field is less than the value.' },
    lte: { description: 'The field is less than or equal to the value.' },
    between: {
      description: `The field lies between the two values, low then high, both included. ${listText}`,
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
