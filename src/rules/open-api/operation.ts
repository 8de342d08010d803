/** The OpenAPI 3.1 operation of a list, or of one row: its parameters, its answer and its errors. */

import type { CompiledQueryRules } from '../declare/compiled.ts';
import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import { checkConfiguration } from '../../schema/index.ts';
import { type OpenApiAnswerSchema, errorSchema, listSchema, rowSchema } from './answer-schema.ts';
import type { OpenApiSchema } from './open-api-schema.ts';
import { type OpenApiParameter, openApiParameters } from './open-api.ts';

/** A response as an OpenAPI 3.1 response object. */
export interface OpenApiResponse {
  /** English text for readers of the document. */
  readonly description: string;
  /** The answer by media type. */
  readonly content: {
    /** The answer as JSON. */
    readonly 'application/json': {
      /** Form of the answer. */
      readonly schema: OpenApiAnswerSchema;
    };
  };
}

/** The members of an OpenAPI 3.1 operation object that follow from rules. */
export interface OpenApiOperation {
  /** The parameters of the query string. */
  readonly parameters: readonly OpenApiParameter[];
  /** The parameters, where the operation takes them as a body. */
  readonly requestBody?: OpenApiRequestBody;
  /** Responses by HTTP status. */
  readonly responses: { readonly [status: string]: OpenApiResponse };
}

/** The parameters as an OpenAPI 3.1 request body object. */
export interface OpenApiRequestBody {
  /** English text for readers of the document. */
  readonly description: string;
  /** The body by media type. */
  readonly content: {
    /** The body in the form of a query string. */
    readonly 'application/x-www-form-urlencoded': {
      /** The parameters as members of an object. */
      readonly schema: {
        /** Always `object`. */
        readonly type: 'object';
        /** Form of each parameter, by name. */
        readonly properties: {
          readonly [name: string]: OpenApiSchema & {
            /** English text for readers of the document. */
            readonly description: string;
          };
        };
        /** Always false: a parameter that is not listed is refused. */
        readonly additionalProperties: false;
      };
      /** How lists are written, by parameter. */
      readonly encoding: {
        readonly [name: string]: {
          /** Always `form`. */
          readonly style: 'form';
          /** Always false: a list is one text with commas. */
          readonly explode: false;
        };
      };
    };
  };
}

const absent = 'There is no row with this key, or none that the request may see.';

const errors: { readonly [status: number]: string } = {
  400: 'The request is outside the rules; `code` and `details` name the part and what was expected.',
  503: 'The database cannot be reached; the header `Retry-After` says when to try again.',
  504: 'The database did not answer in time.',
};

/** Options of `openApiOperation`. */
export interface OpenApiOperationOptions {
  /** Whether the endpoint answers a list, or one row by its key. Default `list`. */
  readonly of?: 'list' | 'item';
  /** Whether the parameters are documented as the body of a POST request instead of parameters. Default `false`. */
  readonly body?: boolean;
}

const optionTable = {
  of: option.oneOf('list', 'item'),
  body: option.boolean,
} satisfies OptionTableOf<OpenApiOperationOptions>;

/** Parameters of an endpoint of one row. */
const ofItem: ReadonlySet<string> = new Set(['fields', 'includes', 'include']);

/**
 * Parameters, answer and errors of a list endpoint, as members of an OpenAPI 3.1 operation object:
 * `paths['/users'] = { get: { operationId: 'users', ...openApiOperation(rules) } }`. Rows are documented with the fields
 * and relations that a client may ask for; which of them an answer has depends on `fields` and `includes`. With
 * `{ of: 'item' }` it is the operation of one row, whose key the host documents; with `{ body: true }` that of a POST
 * request.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the first argument is not the result of `defineQueryRules`, or
 * an option is unknown or has a wrong type
 */
export function openApiOperation(
  rules: CompiledQueryRules,
  options: OpenApiOperationOptions = {},
): OpenApiOperation {
  checkConfiguration('openApiOperation', options, optionTable);
  const isList = options.of !== 'item';
  const all = openApiParameters(rules);
  const parameters = isList ? all : all.filter(({ name }) => ofItem.has(name.split('[')[0] ?? ''));
  return {
    parameters: options.body ? [] : parameters,
    ...(options.body && { requestBody: bodyOf(parameters) }),
    responses: {
      200: isList
        ? answer('The rows that match, with the position of the page.', listSchema(rules))
        : answer('The row.', rowSchema(rules)),
      ...Object.fromEntries(
        Object.entries(isList ? errors : { ...errors, 404: absent }).map(
          ([status, description]) => [status, answer(description, errorSchema(Number(status)))],
        ),
      ),
    },
  };
}

const answer = (description: string, schema: OpenApiAnswerSchema): OpenApiResponse => ({
  description,
  content: { 'application/json': { schema } },
});

/** The parameters as a form, whose lists are written as in an address. */
function bodyOf(parameters: readonly OpenApiParameter[]): OpenApiRequestBody {
  const lists = parameters.filter(({ style }) => style === 'form');
  return {
    description: 'The parameters, written as in a query string.',
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(
            parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
          ),
          additionalProperties: false,
        },
        encoding: Object.fromEntries(
          lists.map(({ name }) => [name, { style: 'form', explode: false }] as const),
        ),
      },
    },
  };
}
