/**
 * Processes an API request: before-hook, permissions, validation, handler, after-hook, response. Functions of the host see
 * the body, which is read when one of them looks at it.
 */

import { isRecord } from '../../lib/index.ts';
import { BoardError } from './board-error.ts';
import { bodyRefusal } from './request/body.ts';
import type { BoardEngine, HandlerContext } from './engine.ts';
import { askBefore, hookContext, type HookResult } from './hooks.ts';
import type { ResolvedOptions } from './options.ts';
import type { BoardPermissions } from './authority/permissions.ts';
import { SharedBody } from './reply/shared-body.ts';
import type { BoardRequest, BoardResponse, HookRequest, ReadBody } from './request/request.ts';
import { Accepted, errorResponse, internalError, jsonResponse } from './request/respond.ts';
import type { RouteMatch } from './request/router.ts';
import {
  invalidPart,
  refuseUnknown,
  validatePart,
  validateResponse,
  parseQuery,
  queryText,
  withoutEmpty,
} from './request/validate.ts';

/** A handler of any route. */
export type AnyHandler = (context: HandlerContext) => unknown;

/** The parts of the board that dispatching uses. */
export interface DispatchHost {
  readonly options: ResolvedOptions;
  readonly permissions: BoardPermissions;
  readonly uiConfig: Readonly<Record<string, unknown>>;
  readonly queues: ReadonlyMap<string, unknown>;
  /** The handler of an operation; opens the engine if necessary. */
  handlerOf(operation: string): Promise<AnyHandler>;
  /** Logs responses with status 500 and above. */
  report(operation: string, error: BoardError): void;
  readonly translateError: NonNullable<BoardEngine['translateError']>;
}

/** A request in progress. */
interface Exchange {
  readonly host: DispatchHost;
  readonly match: RouteMatch;
  readonly request: BoardRequest;
  readonly hookRequest: HookRequest;
  /** The query string after the before-hook. */
  readonly rawQuery: string;
}

/** Handles a request that matches a route. Never rejects. */
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

/** Logs errors that the client does not see, except those caused by its disconnect. */
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
  const body = new AskedBody(route.body && (() => request.readBody(host.options.maxBodyBytes)));
  const hookRequest: HookRequest = {
    params,
    query: query ?? {},
    get body() {
      return body.value;
    },
    set body(value) {
      body.value = value;
    },
    headers: request.headers,
    queues: host.queues,
    uiConfig: host.uiConfig,
    native: request.native,
  };
  const context = hookContext(route, hookRequest);
  const { permissions } = host;
  await body.during(() => askBefore(handlerHooks, context));
  await body.during(() => permissions.requireRoute(route, params['queueName'], hookRequest));
  // Nobody who may not send it makes the board read a body.
  const read = await body.read();
  await permissions.requireNamed(route, hookRequest);
  if (!query) throw invalidPart('query', 'query');
  // A filter set by the hook applies as if the client had sent it.
  const rawQuery = handlerHooks.before ? queryText(hookRequest.query) : request.rawQuery;
  validate(match, hookRequest, read);
  const { result, headers } = await handle({ host, match, request, hookRequest, rawQuery });
  const { after } = handlerHooks;
  if (!after) return finish(host, match, result, headers);
  const own = unshared(result);
  return finish(host, match, (await after(context, own)) ?? own, headers);
}

/** The result with a body that a hook may change without changing the answers of others. */
function unshared(result: HookResult): HookResult {
  return result.body instanceof SharedBody ? { ...result, body: result.body.value } : result;
}

/** Validates the request after the before-hook; values set by the hook count as the client's. */
function validate({ route, unusable }: RouteMatch, hookRequest: HookRequest, body: ReadBody): void {
  if (unusable !== undefined) throw invalidPart('query', unusable);
  if (route.strict) refuseUnknown(route, hookRequest.query);
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

/** Runs the handler. Errors that it or its engine recognizes become responses; others are thrown. */
async function handle({ host, match, request, hookRequest, rawQuery }: Exchange): Promise<Handled> {
  const { operation, route, params } = match;
  try {
    const handler = await host.handlerOf(operation);
    const body = await handler({
      params,
      // The schemas of the route have converted the parts to the types of its handler.
      query: hookRequest.query as never,
      body: hookRequest.body as never,
      rawQuery,
      request: hookRequest,
      basePath: request.basePath,
      signal: request.signal,
    });
    if (body instanceof Accepted) return { result: { status: 202, body: body.body } };
    return { result: { status: route.success ?? 200, body } };
  } catch (error) {
    const known =
      error instanceof BoardError ? error : host.translateError(error, queueOf(hookRequest));
    if (!known) throw error;
    report(host, match, request, known);
    const { headers } = known.params;
    return { result: { status: known.status, body: known.toJSON() }, ...(headers && { headers }) };
  }
}

/** The queue that a request names in its path, query or body. */
function queueOf({ params, query, body }: HookRequest): string | undefined {
  const names = [params, query, body].map((part) => isRecord(part) && part['queueName']);
  return names.find((name) => typeof name === 'string');
}

function finish(
  { options }: DispatchHost,
  { operation, route }: RouteMatch,
  { status = route.success ?? 200, body }: HookResult,
  headers: Handled['headers'],
): BoardResponse {
  const schema = status === 202 ? route.accepted : route.response;
  if (options.validateResponses && schema && (status === 202 || status === route.success)) {
    const value = body instanceof SharedBody ? body.value : body;
    validateResponse(operation, schema, value);
  }
  return jsonResponse(status, body, headers);
}

/** Ends a call that looks at a body that has not been read; the function is called again with it. */
class BodyAwaited extends Error {
  constructor() {
    super('The body of the request is being read; the function that looked at it is called again.');
  }
}

/** A body that is read at most once. */
class AskedBody {
  readonly #read: () => Promise<ReadBody>;
  #reading: Promise<ReadBody> | undefined;
  #isThere = false;
  #isAsking = false;
  #isWanted = false;
  #value: unknown;

  constructor(read: (() => Promise<ReadBody>) | undefined) {
    this.#read = read ?? (async () => ({ value: undefined }));
    this.#isThere = read === undefined;
  }

  /** The value, or what the host has put in its place. Within `during`, looking at an unread body ends the call. */
  get value(): unknown {
    if (!this.#isThere && this.#isAsking) {
      this.#isWanted = true;
      throw new BodyAwaited();
    }
    return this.#value;
  }

  set value(value: unknown) {
    this.#isThere = true;
    this.#value = value;
  }

  /** Reads the body, if that has not been done. */
  read(): Promise<ReadBody> {
    this.#reading ??= this.#read().then((body) => {
      if (!this.#isThere) this.value = 'value' in body ? body.value : undefined;
      return body;
    });
    return this.#reading;
  }

  /** Calls a function of the host; once more, with the body, when it has looked at the body before that was read. */
  async during(call: () => Promise<void>): Promise<void> {
    this.#isAsking = true;
    try {
      await call();
    } catch (error) {
      if (!this.#isWanted) throw error;
    } finally {
      this.#isAsking = false;
    }
    if (!this.#isWanted) return;
    this.#isWanted = false;
    await this.read();
    await call();
  }
}
