/** Describes a route as an OpenAPI operation. */

import * as z from 'zod';

import { errorStatuses, translationKey } from '../error-keys.ts';
import type { ErrorKey } from '../error-keys.ts';
import { ErrorResponseBody, JobBelongsToJobSchedulerResponse } from '../errors.ts';
import type { Route } from '../routes/route.ts';
import type { JsonSchema } from './json-schema.ts';

/** A parameter of an operation. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly description?: string;
  readonly style?: 'deepObject';
  readonly explode?: true;
}

/** A JSON body. */
export interface OpenApiContent {
  readonly 'application/json': { readonly schema: JsonSchema };
}

/** One method of a path. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: OpenApiContent }>
  >;
}

/** Adds the components of a schema to the document and returns the schema. */
export type AddSchema = (schema: z.core.$ZodType, io: 'input' | 'output') => JsonSchema;

/** Errors that every route may return. */
const generalKeys: readonly ErrorKey[] = ['FORBIDDEN', 'INTERNAL_SERVER_ERROR', 'KV_UNAVAILABLE'];

export function describeRoute(operationId: string, route: Route, add: AddSchema): OpenApiOperation {
  const parameters = [
    ...pathParameters(route.path),
    ...queryParameters(route, add),
    ...filterParameters(route),
  ];
  return {
    operationId,
    summary: route.summary,
    tags: [tagOf(route)],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: !z.safeParse(route.body, {}).success,
        content: json(add(route.body, 'input')),
      },
    }),
    responses: { ...success(route, add), ...failures(route, add) },
  };
}

function json(schema: JsonSchema): OpenApiContent {
  return { 'application/json': { schema } };
}

/** Tags group routes by resource. */
function tagOf({ path, owner }: Route): string {
  if (owner === 'shared') return 'metrics';
  if (path.includes('schedule')) return 'schedules';
  if (path.includes('job') && !path.includes('job-data') && !path.includes('job-options'))
    return 'jobs';
  return path.includes('/queues') ? 'queues' : 'installation';
}

function pathParameters(path: string): OpenApiParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Route, add: AddSchema): OpenApiParameter[] {
  if (!query) return [];
  const { properties, required } = add(query, 'input') as {
    properties?: Readonly<Record<string, JsonSchema>>;
    required?: readonly string[];
  };
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required?.includes(name) ?? false,
    schema,
  }));
}

function filterParameters({ filters }: Route): OpenApiParameter[] {
  if (!filters) return [];
  return [
    {
      name: 'filter',
      in: 'query',
      required: false,
      description:
        'Conditions of the list grammar: filter[field]=value or filter[field][operator]=value.',
      style: 'deepObject',
      explode: true,
      schema: {
        type: 'object',
        properties: Object.fromEntries(filters.map((field) => [field, {}])),
        additionalProperties: false,
      },
    },
  ];
}

function success(route: Route, add: AddSchema): OpenApiOperation['responses'] {
  const content = route.response && { content: json(add(route.response, 'output')) };
  return { [String(route.success ?? 'default')]: { description: 'Success', ...content } };
}

function failures(route: Route, add: AddSchema): OpenApiOperation['responses'] {
  const keys = new Set<ErrorKey>([...route.errors, ...generalKeys]);
  // The board refuses a malformed query string on every route that it serves itself.
  if (route.owner !== 'auth') keys.add('INVALID_QUERY_PARAM');
  if (route.body) keys.add('INVALID_REQUEST_BODY');
  const byStatus = new Map<number, ErrorKey[]>();
  const put = (status: number, key: ErrorKey): void => {
    byStatus.set(status, [...(byStatus.get(status) ?? []), key]);
  };
  for (const key of keys) put(errorStatuses[key], key);
  if (route.body) for (const status of [413, 415]) put(status, 'INVALID_REQUEST_BODY');
  return Object.fromEntries(
    [...byStatus].map(([status, statusKeys]) => [
      String(status),
      { description: statusKeys.join(', '), content: json(failureSchema(statusKeys, add)) },
    ]),
  );
}

/** The schema of error bodies with the given keys. */
function failureSchema(keys: readonly ErrorKey[], add: AddSchema): JsonSchema {
  const own = keys.includes('JOB_BELONGS_TO_JOB_SCHEDULER')
    ? { anyOf: [add(JobBelongsToJobSchedulerResponse, 'output'), add(ErrorResponseBody, 'output')] }
    : add(ErrorResponseBody, 'output');
  const key = { enum: keys.map(translationKey) };
  return {
    allOf: [own, { properties: { error: { type: 'object', properties: { key } } } }],
  };
}
