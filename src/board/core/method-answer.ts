/** Answers requests whose path has routes, but none of their method: OPTIONS, and 405 for every other method. */

import { BoardError } from './board-error.ts';
import type { DispatchHost } from './dispatch.ts';
import { askBefore, hookContext } from './hooks.ts';
import type { BoardRequest, BoardResponse } from './request/request.ts';
import { errorResponse, internalError, jsonResponse } from './request/respond.ts';
import type { RouteMatch } from './request/router.ts';
import { parseQuery } from './request/validate.ts';

/**
 * Answers with the methods of the routes that the before-hook allows. A path whose routes it refuses has the refusal of
 * the first, so that no answer reveals a hidden route. Never rejects.
 */
export async function answerMethod(
  host: DispatchHost,
  routes: readonly RouteMatch[],
  request: BoardRequest,
): Promise<BoardResponse> {
  const { method, rawQuery, headers, native } = request;
  const { queues, uiConfig, options } = host;
  const methods = new Set<string>(['OPTIONS']);
  let refusal: unknown;
  for (const { route, params } of routes) {
    const query = parseQuery(rawQuery) ?? {};
    const seen = { params, query, body: undefined, headers, queues, uiConfig, native };
    try {
      await askBefore(options.handlerHooks, hookContext(route, seen));
      methods.add(route.method);
      if (route.method === 'GET') methods.add('HEAD');
    } catch (error) {
      refusal ??= error;
    }
  }
  if (methods.size === 1) {
    const known = refusal instanceof BoardError ? refusal : internalError(refusal, options);
    if (known.status >= 500) host.report('allowedMethods', known);
    return errorResponse(known);
  }
  const allow = { allow: [...methods].toSorted().join(', ') };
  if (method === 'OPTIONS') return jsonResponse(204, undefined, allow);
  return errorResponse(new BoardError('METHOD_NOT_ALLOWED', { headers: allow }));
}
