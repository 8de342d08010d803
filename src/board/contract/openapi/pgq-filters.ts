/** The filters of pg-boss's jobs in OpenAPI documents. Written by `node tools/openapi.ts` from the compiled rules. */

import type { JsonSchema } from './json-schema.ts';

/** The component of each field and of paths into JSON, and the components. */
export const pgqFilters: {
  readonly fields: Readonly<Record<string, string>>;
  readonly path: string;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
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
  schemas: {
    PgqStateFilter: {
      description:
        'A value that the field must equal, or conditions by operator, which must all hold.',
      anyOf: [
        {
          type: 'string',
          enum: ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'],
        },
        {
          type: 'object',
          properties: {
            eq: {
              description: 'The field equals the value.',
              type: 'string',
              enum: ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'],
            },
            ne: {
              description: 'The field differs from the value; null is left out.',
              type: 'string',
              enum: ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'],
            },
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
          },
          additionalProperties: false,
        },
      ],
    },
    PgqIdFilter: {
      description:
        'A value that the field must equal, or conditions by operator, which must all hold.',
      anyOf: [
        {
          type: 'string',
          format: 'uuid',
        },
        {
          type: 'object',
          properties: {
            eq: {
              description: 'The field equals the value.',
              type: 'string',
              format: 'uuid',
            },
            ne: {
              description: 'The field differs from the value; null is left out.',
              type: 'string',
              format: 'uuid',
            },
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
          },
          additionalProperties: false,
        },
      ],
    },
    PgqTextFilter: {
      description:
        'A value that the field must equal, or conditions by operator, which must all hold.',
      anyOf: [
        {
          type: 'string',
          maxLength: 1000,
        },
        {
          type: 'object',
          properties: {
            eq: {
              description: 'The field equals the value.',
              type: 'string',
              maxLength: 1000,
            },
            ne: {
              description: 'The field differs from the value; null is left out.',
              type: 'string',
              maxLength: 1000,
            },
            gt: {
              description: 'The field is greater than the value.',
              type: 'string',
              maxLength: 1000,
            },
            gte: {
              description: 'The field is greater than or equal to the value.',
              type: 'string',
              maxLength: 1000,
            },
            lt: {
              description: 'The field is less than the value.',
              type: 'string',
              maxLength: 1000,
            },
            lte: {
              description: 'The field is less than or equal to the value.',
              type: 'string',
              maxLength: 1000,
            },
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
            between: {
              description:
                'The field lies between the two values, low then high, both included. The values are one text with commas between; double quotes quote a value that has one.',
              type: 'string',
            },
            like: {
              description:
                'The field contains the text as it is written; `%` and `_` are ordinary characters.',
              type: 'string',
              maxLength: 1000,
            },
            notLike: {
              description:
                'The field does not contain the text as it is written; null is left out.',
              type: 'string',
              maxLength: 1000,
            },
            isNull: {
              description: 'The field is null (`true`) or is not null (`false`).',
              type: 'boolean',
            },
          },
          additionalProperties: false,
        },
      ],
    },
    PgqNumberFilter: {
      description:
        'A value that the field must equal, or conditions by operator, which must all hold.',
      anyOf: [
        {
          type: 'integer',
          format: 'int32',
          minimum: -2147483648,
          maximum: 2147483647,
        },
        {
          type: 'object',
          properties: {
            eq: {
              description: 'The field equals the value.',
              type: 'integer',
              format: 'int32',
              minimum: -2147483648,
              maximum: 2147483647,
            },
            ne: {
              description: 'The field differs from the value; null is left out.',
              type: 'integer',
              format: 'int32',
              minimum: -2147483648,
              maximum: 2147483647,
            },
            gt: {
              description: 'The field is greater than the value.',
              type: 'integer',
              format: 'int32',
              minimum: -2147483648,
              maximum: 2147483647,
            },
            gte: {
              description: 'The field is greater than or equal to the value.',
              type: 'integer',
              format: 'int32',
              minimum: -2147483648,
              maximum: 2147483647,
            },
            lt: {
              description: 'The field is less than the value.',
              type: 'integer',
              format: 'int32',
              minimum: -2147483648,
              maximum: 2147483647,
            },
            lte: {
              description: 'The field is less than or equal to the value.',
              type: 'integer',
              format: 'int32',
              minimum: -2147483648,
              maximum: 2147483647,
            },
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
            between: {
              description:
                'The field lies between the two values, low then high, both included. The values are one text with commas between; double quotes quote a value that has one.',
              type: 'string',
            },
          },
          additionalProperties: false,
        },
      ],
    },
    PgqTimeFilter: {
      description:
        'A value that the field must equal, or conditions by operator, which must all hold.',
      anyOf: [
        {
          type: 'string',
          format: 'date-time',
          pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
        },
        {
          type: 'object',
          properties: {
            eq: {
              description: 'The field equals the value.',
              type: 'string',
              format: 'date-time',
              pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
            },
            ne: {
              description: 'The field differs from the value; null is left out.',
              type: 'string',
              format: 'date-time',
              pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
            },
            gt: {
              description: 'The field is greater than the value.',
              type: 'string',
              format: 'date-time',
              pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
            },
            gte: {
              description: 'The field is greater than or equal to the value.',
              type: 'string',
              format: 'date-time',
              pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
            },
            lt: {
              description: 'The field is less than the value.',
              type: 'string',
              format: 'date-time',
              pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
            },
            lte: {
              description: 'The field is less than or equal to the value.',
              type: 'string',
              format: 'date-time',
              pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
            },
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
            between: {
              description:
                'The field lies between the two values, low then high, both included. The values are one text with commas between; double quotes quote a value that has one.',
              type: 'string',
            },
          },
          additionalProperties: false,
        },
      ],
    },
    PgqOptionalTimeFilter: {
      description:
        'A value that the field must equal, or conditions by operator, which must all hold.',
      anyOf: [
        {
          type: 'string',
          format: 'date-time',
          pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
        },
        {
          type: 'object',
          properties: {
            eq: {
              description: 'The field equals the value.',
              type: 'string',
              format: 'date-time',
              pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
            },
            ne: {
              description: 'The field differs from the value; null is left out.',
              type: 'string',
              format: 'date-time',
              pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
            },
            gt: {
              description: 'The field is greater than the value.',
              type: 'string',
              format: 'date-time',
              pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
            },
            gte: {
              description: 'The field is greater than or equal to the value.',
              type: 'string',
              format: 'date-time',
              pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
            },
            lt: {
              description: 'The field is less than the value.',
              type: 'string',
              format: 'date-time',
              pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
            },
            lte: {
              description: 'The field is less than or equal to the value.',
              type: 'string',
              format: 'date-time',
              pattern: '^[-0-9]+T[.:0-9]+(Z|[+-][:0-9]+)$',
            },
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
            between: {
              description:
                'The field lies between the two values, low then high, both included. The values are one text with commas between; double quotes quote a value that has one.',
              type: 'string',
            },
            isNull: {
              description: 'The field is null (`true`) or is not null (`false`).',
              type: 'boolean',
            },
          },
          additionalProperties: false,
        },
      ],
    },
    PgqPathFilter: {
      description:
        'A value at a path of the data or output: one that it must equal, or conditions by operator. A number or `true` is compared as such, a text in quotes always as a text.',
      anyOf: [
        {
          type: ['string', 'number', 'boolean'],
        },
        {
          type: 'object',
          properties: {
            eq: {
              description: 'The field equals the value.',
              type: ['string', 'number', 'boolean'],
            },
            ne: {
              description: 'The field differs from the value; null is left out.',
              type: ['string', 'number', 'boolean'],
            },
            gt: {
              description: 'The field is greater than the value.',
              type: ['string', 'number', 'boolean'],
            },
            gte: {
              description: 'The field is greater than or equal to the value.',
              type: ['string', 'number', 'boolean'],
            },
            lt: {
              description: 'The field is less than the value.',
              type: ['string', 'number', 'boolean'],
            },
            lte: {
              description: 'The field is less than or equal to the value.',
              type: ['string', 'number', 'boolean'],
            },
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
            between: {
              description:
                'The field lies between the two values, low then high, both included. The values are one text with commas between; double quotes quote a value that has one.',
              type: 'string',
            },
            like: {
              description:
                'The field contains the text as it is written; `%` and `_` are ordinary characters.',
              type: ['string', 'number', 'boolean'],
            },
            notLike: {
              description:
                'The field does not contain the text as it is written; null is left out.',
              type: ['string', 'number', 'boolean'],
            },
            isNull: {
              description: 'The field is null (`true`) or is not null (`false`).',
              type: 'boolean',
            },
          },
          additionalProperties: false,
        },
      ],
    },
  },
};
