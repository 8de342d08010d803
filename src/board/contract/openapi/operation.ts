/** Describes a route as an OpenAPI operation. */

import * as z from 'zod';

import { errorStatuses, errorTexts, translationKey, type ErrorKey } from '../error-keys.ts';
import { ErrorResponseBody, JobBelongsToJobSchedulerResponse } from '../errors.ts';
import type { Route } from '../routes/route.ts';
import type { JsonSchema } from './json-schema.ts';
import { pgqFilters } from './pgq-filters.ts';
import { tagOf } from './tags.ts';
import { parameterTexts } from './texts/parameters.ts';
import { withTexts } from './with-texts.ts';

/** A parameter of an operation. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly description: string;
  readonly style?: 'deepObject';
  readonly explode?: true;
}

/** A body: JSON, a stream of events with the schema of their data by name, or text. */
type OpenApiContent =
  | Readonly<Record<string, { readonly schema: JsonSchema }>>
  | { readonly 'application/json': { readonly schema: JsonSchema } }
  | {
      readonly 'text/event-stream': {
        readonly schema: JsonSchema;
        readonly 'x-events': Readonly<Record<string, JsonSchema>>;
      };
    };

/** One method of a path. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  /** Empty: the route needs no credentials. */
  readonly security?: readonly [];
  readonly responses: Readonly<Record<string, OpenApiAnswer | OpenApiReference>>;
}

/** A response of an operation. */
export interface OpenApiAnswer {
  readonly description: string;
  readonly content?: OpenApiContent;
  readonly $ref?: undefined;
}

/** A component that stands for a response. */
export interface OpenApiReference {
  readonly $ref: string;
  readonly description?: undefined;
  readonly content?: undefined;
}

/** Adds the components of a schema to the document and returns the schema. */
export type AddSchema = (schema: z.core.$ZodType, io: 'input' | 'output') => JsonSchema;

/** Errors that every route may return, and those of the datastores of both engines. */
const generalKeys: readonly ErrorKey[] = [
  'ACTION_NOT_ALLOWED',
  'FORBIDDEN',
  'INTERNAL_SERVER_ERROR',
  'SQL_UNAVAILABLE',
];
const kvqKeys: readonly ErrorKey[] = ['KV_FORBIDDEN', 'KV_UNAVAILABLE', 'SQL_FORBIDDEN'];

/** Describes a route; `isGuarded` if requests without credentials are refused. */
export function describeRoute(
  operationId: string,
  route: Route,
  addSchema: AddSchema,
  isGuarded: boolean,
): OpenApiOperation {
  const add: AddSchema = (schema, io) => withTexts(addSchema(schema, io), operationId);
  const parameters = [
    ...pathParameters(route, operationId),
    ...queryParameters(route, add, operationId),
    ...filterParameters(route),
    ...headerParameters(route, operationId),
  ];
  return {
    operationId,
    summary: route.summary,
    description: availabilityOf(route),
    tags: [tagOf(route)],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: !z.safeParse(route.body, {}).success,
        content: json(add(route.body, 'input')),
      },
    }),
    responses: { ...success(route, add), ...failures(route, add, isGuarded) },
    ...(route.owner === 'auth' && { security: [] }),
  };
}

function json(schema: JsonSchema): OpenApiContent {
  return { 'application/json': { schema } };
}

const texts = (types: readonly string[]): OpenApiContent =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));

/** OpenAPI 3.1 has no schema for single events, so their data is described by an extension. */
function eventStream(events: NonNullable<Route['events']>, add: AddSchema): OpenApiContent {
  const data = Object.entries(events).map(([name, schema]) => [name, add(schema, 'output')]);
  return {
    'text/event-stream': {
      schema: { type: 'string', description: 'Server-Sent Events, whose data is JSON.' },
      'x-events': Object.fromEntries(data),
    },
  };
}

function pathParameters({ path, values }: Route, operation: string): OpenApiParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: parameterText(operation, name),
    schema: { type: 'string', ...(values?.[name] && { enum: values[name] }) },
  }));
}

function queryParameters({ query }: Route, add: AddSchema, operation: string): OpenApiParameter[] {
  if (!query) return [];
  const { properties, required } = add(query, 'input') as {
    properties?: Readonly<Record<string, JsonSchema>>;
    required?: readonly string[];
  };
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required?.includes(name) ?? false,
    description: parameterText(operation, name),
    schema: withoutDescription(schema),
  }));
}

function headerParameters({ keyed }: Route, operation: string): OpenApiParameter[] {
  if (!keyed) return [];
  const name = 'Idempotency-Key';
  const schema = { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' };
  return [
    { name, in: 'header', required: false, description: parameterText(operation, name), schema },
  ];
}

const component = (name = ''): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

function filterParameters({ filters, jsonFilters }: Route): OpenApiParameter[] {
  if (!filters) return [];
  return [
    {
      name: 'filter',
      in: 'query',
      required: false,
      description:
        'Conditions of the list grammar: `filter[field]=value` or `filter[field][operator]=value`, such as `filter[priority][gte]=5`. All of them must hold.',
      style: 'deepObject',
      explode: true,
      schema: {
        type: 'object',
        properties: Object.fromEntries(
          filters.map((field) => [field, component(pgqFilters.fields[field])]),
        ),
        ...(jsonFilters && {
          patternProperties: { [`^(${jsonFilters.join('|')})\\.`]: component(pgqFilters.path) },
        }),
        additionalProperties: false,
      },
    },
  ];
}

function success(route: Route, add: AddSchema): OpenApiOperation['responses'] {
  const content =
    (route.response && { content: json(add(route.response, 'output')) }) ??
    (route.events && { content: eventStream(route.events, add) }) ??
    (route.texts && { content: texts(route.texts) });
  const status = String(route.success ?? 'default');
  const description = `Success: ${route.summary}.`;
  const later = 'Accepted: a run does the rest.';
  return {
    [status]: { description, ...content },
    ...(route.accepted && {
      '202': { description: later, content: json(add(route.accepted, 'output')) },
    }),
  };
}

function failures(route: Route, add: AddSchema, isGuarded: boolean): OpenApiOperation['responses'] {
  const keys = new Set<ErrorKey>([...(route.errors ?? []), ...generalKeys]);
  if (route.owner !== 'pgq') for (const key of kvqKeys) keys.add(key);
  if (isGuarded) keys.add('UNAUTHORIZED');
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
      { description: failureText(statusKeys), content: json(failureSchema(statusKeys, add)) },
    ]),
  );
}

/** The keys with their meanings, as a list. */
const failureText = (keys: readonly ErrorKey[]): string =>
  keys.map((key) => `- \`${translationKey(key)}\`: ${errorTexts[key]}`).join('\n');

/** Which boards serve the route, and for whom. */
function availabilityOf(route: Route): string {
  const { owner, action, access, needs, strict } = route;
  const sentences = [
    { kvq: 'Boards of the engine `kvq`.', pgq: 'Boards of the engine `pgq`.' }[owner as 'kvq'] ??
      (owner === 'auth'
        ? 'Boards with authentication, answered by it.'
        : 'Boards of both engines.'),
  ];
  if (needs) sentences.push(`Needs a history provider with \`${needs}\`.`);
  if (route.texts) sentences.push('Needs the option `metrics`.');
  if (route.events) sentences.push('Not with the option `live: false`.');
  if (access === 'write' && owner !== 'auth') sentences.push('Not on a read-only board.');
  if (action !== 'session') sentences.push(`The sender needs the action \`${action}\`.`);
  if (strict) sentences.push('Unknown parameters are refused.');
  return sentences.join(' ');
}

const parameterText = (operation: string, name: string): string =>
  parameterTexts[`${operation}.${name}`] ?? parameterTexts[name] ?? '';

/** The description of a parameter stands beside its schema. */
function withoutDescription(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'description'));
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
