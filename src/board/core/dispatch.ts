/** The way of one API request: before-hook, checks, handler, after-hook, answer. */

import { BoardError } from './board-error.ts';
import { bodyRefusal } from './request/body.ts';
import type { BoardEngine, HandlerContext } from './engine.ts';
import { askBefore } from './hooks.ts';
import type { HookContext, HookResult } from './hooks.ts';
import type { ResolvedOptions } from './options.ts';
import { parseQuery, queryText, withoutEmpty } from './request/query-string.ts';
import type { BoardRequest, BoardResponse, HookRequest, ReadBody } from './request/request.ts';
import { errorResponse, internalError, jsonResponse } from './request/respond.ts';
import type { RouteMatch } from './request/router.ts';
import { invalidPart, validatePart, validateResponse } from './request/validate.ts';

/** The handler of any route. */
export type AnyHandler = (context: HandlerContext) => unknown;

/** The parts of the board that dispatching uses. */
export interface DispatchHost {
  readonly options: ResolvedOptions;
  readonly uiConfig: Readonly<Record<string, unknown>>;
  readonly queues: ReadonlyMap<string, unknown>;
  /** The handler of an operation; opens the engine where it is not open yet. */
  handlerOf(operation: string): Promise<AnyHandler>;
  /** Logs an answer of 500 or above. */
  report(operation: string, error: BoardError): void;
  readonly translateError: NonNullable<BoardEngine['translateError']>;
}

/** A request on its way. */
interface Exchange {
  readonly host: DispatchHost;
  readonly match: RouteMatch;
  readonly request: BoardRequest;
  readonly hookRequest: HookRequest;
  /** The query string as the hook has left it. */
  readonly rawQuery: string;
}

/** Answers a request that fits a route. Never rejects. */
export async function dispatch(
  host: DispatchHost,
  match: RouteMatch,
  request: BoardRequest,
): Promise<BoardResponse> {
  try {
    return await run(host, match, request);
  } catch (error) {
    const answer = error instanceof BoardError ? error : internalError(error, host.options);
    report(host, match, request, answer);
    return errorResponse(answer);
  }
}

/** Logs errors that the client is not told, except those caused by the client going away. */
function report(
  { report: log }: DispatchHost,
  { operation }: RouteMatch,
  { signal }: BoardRequest,
  error: BoardError,
): void {
  if (error.status >= 500 && !signal.aborted) log(operation, error);
}

async function run(
  host: DispatchHost,
  match: RouteMatch,
  request: BoardRequest,
): Promise<BoardResponse> {
  const { route, params } = match;
  const { handlerHooks } = host.options;
  const query = parseQuery(request.rawQuery);
  const body: ReadBody = route.body
    ? await request.readBody(host.options.maxBodyBytes)
    : { value: undefined };
  const hookRequest: HookRequest = {
    params,
    query: query ?? {},
    body: 'value' in body ? body.value : undefined,
    headers: request.headers,
    queues: host.queues,
    uiConfig: host.uiConfig,
    native: request.native,
  };
  const context: HookContext = {
    method: route.method.toLowerCase(),
    route: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    request: hookRequest,
  };
  await askBefore(handlerHooks, context);
  if (!query) throw invalidPart('query', 'query');
  // A filter that the hook has put in place holds as the client's own would.
  const rawQuery = handlerHooks.before ? queryText(hookRequest.query) : request.rawQuery;
  validate(match, hookRequest, body);
  const { result, headers } = await handle({ host, match, request, hookRequest, rawQuery });
  return finish(host, match, (await handlerHooks.after?.(context, result)) ?? result, headers);
}

/** Checks what the before-hook has let through; what it has put in place counts as the client's. */
function validate({ route, unusable }: RouteMatch, hookRequest: HookRequest, body: ReadBody): void {
  if (unusable !== undefined) throw invalidPart('query', unusable);
  if (route.query) {
    hookRequest.query = validatePart('query', route.query, withoutEmpty(hookRequest.query));
  }
  if (!route.body) return;
  const refusal = bodyRefusal(body);
  if (refusal) throw refusal;
  const given = hookRequest.body === undefined ? {} : hookRequest.body;
  hookRequest.body = validatePart('body', route.body, given);
}

interface Handled {
  readonly result: HookResult;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Runs the handler. Errors that it or its engine knows become responses; any other is thrown. */
async function handle({ host, match, request, hookRequest, rawQuery }: Exchange): Promise<Handled> {
  const { operation, route, params } = match;
  try {
    const handler = await host.handlerOf(operation);
    const body = await handler({
      params,
      // The schemas of the route have made them what its handler takes.
      query: hookRequest.query as never,
      body: hookRequest.body as never,
      rawQuery,
      request: hookRequest,
      basePath: request.basePath,
      signal: request.signal,
    });
    return { result: { status: route.success ?? 200, body } };
  } catch (error) {
    const known = error instanceof BoardError ? error : host.translateError(error);
    if (!known) throw error;
    report(host, match, request, known);
    const { headers } = known.params;
    return { result: { status: known.status, body: known.toJSON() }, ...(headers && { headers }) };
  }
}

function finish(
  { options }: DispatchHost,
  { operation, route }: RouteMatch,
  { status = route.success ?? 200, body }: HookResult,
  headers: Handled['headers'],
): BoardResponse {
  if (options.validateResponses && route.response && status === route.success) {
    validateResponse(operation, route.response, body);
  }
  return jsonResponse(status, body, headers);
}
