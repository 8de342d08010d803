/** The OpenAPI 3.1.0 document of a board, or of all routes of an engine. */

import { describeRoutes } from './contract/index.ts';
import type { EngineName, OpenApiDocument } from './contract/index.ts';
import { mountedRoutes } from './core/index.ts';
import type { Board } from './core/index.ts';

/**
 * Describes the routes that are mounted on a board or, given only the name of an engine, all routes that such a board
 * can serve, including writes and every metrics route. Paths are relative to the base path.
 */
export function openApiDocument(of: Board | { readonly engine: EngineName }): OpenApiDocument {
  if ('routes' in of) return describeRoutes(of.routes);
  return describeRoutes(
    mountedRoutes({
      engine: of.engine,
      readOnly: false,
      history: new Set(['getHistory', 'getUsage', 'getLatency', 'purge']),
    }),
  );
}
