/** The OpenAPI 3.1.0 document of a board, or of all routes of an engine. */

import { authRoutes, type EngineName, type OpenApiDocument } from './contract/index.ts';
import { describeRoutes } from './contract/openapi/document.ts';
import { checkOptions } from '../lib/index.ts';
import * as option from '../lib/option-rows.ts';
import { mountedRoutes, type Board } from './core/index.ts';

const documentTable = { engine: option.required(option.oneOf('kvq', 'pgq')) };

/**
 * Describes the routes that are mounted on a board or, given only the name of an engine, all routes that such a board
 * can serve, including writes, every metrics route and those of the authentication. Paths are relative to the base path.
 *
 * @throws {TypeError} when the engine does not exist
 */
export function openApiDocument(of: Board | { readonly engine: EngineName }): OpenApiDocument {
  if (of && 'routes' in of) return describeRoutes(of.routes, { auth: of.auth?.described });
  checkOptions('openApiDocument', of, documentTable);
  const mounted = mountedRoutes({
    engine: of.engine,
    readOnly: false,
    exporter: true,
    history: new Set([
      'getHistory',
      'getUsage',
      'getLatency',
      'purge',
      'getErrors',
      'getAttempts',
      'attention',
      'deployments',
    ]),
  });
  return describeRoutes({ ...mounted, ...authRoutes });
}
