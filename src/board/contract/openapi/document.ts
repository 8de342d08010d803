/** The OpenAPI 3.1.0 document of a set of routes. */

import type { RouteTable } from '../routes/route.ts';
import { describeSchema, type JsonSchema } from './json-schema.ts';
import { describeRoute } from './operation.ts';
import type { AddSchema, OpenApiAnswer, OpenApiOperation } from './operation.ts';

import { securityOf, securitySchemes, servedAuthRoutes, type DescribedAuth } from './security.ts';
import { shareAnswers } from './shared-answers.ts';
import { tagOf, tagTexts } from './tags.ts';
import { withTexts } from './with-texts.ts';
import { pgqFilters } from './pgq-filters.ts';

const { kinds, operators, path } = pgqFilters;

const ofPath =
  'A value at a path of the data or output: one that it must equal, or conditions by operator. A number or `true` is compared as such, a text in quotes always as a text.';

/** The components by name. */
export const filterSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(kinds).map(([kind, { value, operators: allowed }]) => [
    kind,
    {
      description:
        kind === path
          ? ofPath
          : 'A value that the field must equal, or conditions by operator, which must all hold.',
      anyOf: [
        value,
        {
          type: 'object',
          properties: Object.fromEntries(
            allowed.map((operator) => [
              operator,
              operators[operator]?.type
                ? operators[operator]
                : { ...operators[operator], ...value },
            ]),
          ),
          additionalProperties: false,
        },
      ],
    },
  ]),
);

/** The parts of an OpenAPI 3.1.0 document that the board uses. */
export interface OpenApiDocument {
  /** Version of the OpenAPI format. */
  readonly openapi: '3.1.0';
  /** The document itself. */
  readonly info: {
    /** Title of the document. */
    readonly title: string;
    /** Version of the package. */
    readonly version: string;
    /** English text for readers of the document. */
    readonly description: string;
  };
  /** Where the board is. */
  readonly servers?: readonly {
    /** Address or path of the board. */
    readonly url: string;
  }[];
  /** Each of them suffices; absent where the board does not know its authentication. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Groups of operations. */
  readonly tags: readonly {
    /** Name of the group. */
    readonly name: string;
    /** English text for readers of the document. */
    readonly description: string;
  }[];
  /** Operations by path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  /** Parts that operations refer to. */
  readonly components: {
    /** Forms of bodies, by name. */
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    /** Answers, by name. */
    readonly responses: Readonly<Record<string, OpenApiAnswer>>;
    /** Ways to sign in, by name. */
    readonly securitySchemes?: Readonly<Record<string, JsonSchema>>;
  };
}

/** Version of the API, independent of the version of the package. */
const apiVersion = '1.1.0';

/** Known circumstances of the routes. */
export interface Described {
  /** Path prefix for clients. Default: the document names no server. */
  readonly basePath?: string | undefined;
  /** Authentication in front of the board. Default: not known. */
  readonly auth?: DescribedAuth | undefined;
}

/** Describes routes. */
export function describeRoutes(
  routes: RouteTable,
  { basePath, auth }: Described = {},
): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {};
  const add: AddSchema = (schema, io) => {
    const described = describeSchema(schema, io);
    Object.assign(schemas, described.components);
    return described.schema;
  };
  const all = { ...routes, ...(auth && servedAuthRoutes(auth)) };
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [operationId, route] of Object.entries(all)) {
    const methods = (paths[route.path] ??= {});
    methods[route.method.toLowerCase()] = describeRoute(
      operationId,
      route,
      add,
      auth !== undefined,
    );
  }
  if (Object.values(all).some(({ filters }) => filters)) Object.assign(schemas, filterSchemas);
  const named = Object.entries(schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => [name, withTexts(schema, name)]);
  const shared = shareAnswers(paths);
  const used = new Set<string>(Object.values(all).map(tagOf));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice board',
      version: apiVersion,
      description:
        'Queues and jobs of a board. Every failure has a body with a key for translation; an answer never repeats values of the request.',
    },
    ...(basePath !== undefined && { servers: [{ url: basePath === '' ? '/' : basePath }] }),
    ...(auth && { security: securityOf(auth) }),
    tags: Object.entries(tagTexts)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths: shared.paths,
    components: {
      schemas: Object.fromEntries(named),
      responses: shared.responses,
      ...(auth && { securitySchemes: securitySchemes(auth) }),
    },
  };
}
