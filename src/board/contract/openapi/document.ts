/** The OpenAPI 3.1.0 document of a set of routes, and the route that serves it. */

import type { Route, RouteTable } from '../routes/route.ts';
import { describeSchema } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { describeRoute } from './operation.ts';
import type { AddSchema, OpenApiOperation } from './operation.ts';

/** The parts of an OpenAPI 3.1.0 document that the board uses. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** Version of the API, independent of the version of the package. */
const apiVersion = '1.1.0';

/** The route that serves the document. It is not in the route table and not in the document. */
export const documentRoute = {
  owner: 'shared',
  method: 'GET',
  path: '/api/openapi.json',
  access: 'read',
  summary: 'The OpenAPI document of the board',
  success: 200,
  errors: [],
} as const satisfies Route;

/** Describes routes; `basePath` is the path prefix for clients. */
export function describeRoutes(routes: RouteTable, basePath?: string): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {};
  const add: AddSchema = (schema, io) => {
    const described = describeSchema(schema, io);
    Object.assign(schemas, described.components);
    return described.schema;
  };
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [operationId, route] of Object.entries(routes)) {
    const methods = (paths[route.path] ??= {});
    methods[route.method.toLowerCase()] = describeRoute(operationId, route, add);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sluice board', version: apiVersion },
    ...(basePath !== undefined && { servers: [{ url: basePath === '' ? '/' : basePath }] }),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}
