/** The routes of the entry of the API and of its document, which are in no table. */

import type { Route } from '../routes/route.ts';

/** The route that serves the document. It is not in the route table and not in the document. */
export const documentRoute = {
  owner: 'shared',
  method: 'GET',
  path: '/api/openapi.json',
  access: 'read',
  action: 'board.read',
  target: 'board',
  summary: 'The OpenAPI document of the board',
  success: 200,
  errors: [],
} as const satisfies Route;

/** The entry of the API, which tells where the document is. Like {@link documentRoute}, it is in no table. */
export const entryRoute = {
  ...documentRoute,
  path: '/api',
  summary: 'The address of the OpenAPI document',
} as const satisfies Route;
