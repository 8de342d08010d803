/** Functions of the host that run before and after every API request. */

import { type ErrorKey, type Route, parseTranslationKey } from '../contract/index.ts';
import { BoardError } from './board-error.ts';
import type { HookRequest } from './request/request.ts';

/** The route and the request of a hook. */
export interface HookContext {
  /** In lower case; `get` also for HEAD. */
  readonly method: string;
  /** Path pattern, such as `/api/queues/:queueName/:jobId/retry`. */
  readonly route: string;
  /** The request, with what the framework knows of it. */
  readonly request: HookRequest;
}

/** The decision of the before-hook. Only `allow: false` refuses. */
export interface HookDecision {
  /** Whether the request goes on. Default true. */
  readonly allow?: boolean;
  /** Default 403. */
  readonly status?: number;
  /** Default `FORBIDDEN`; the prefix `ERRORS.` may be omitted. */
  readonly errorKey?: ErrorKey | `ERRORS.${ErrorKey}`;
  /** Shown to the user. */
  readonly message?: string;
}

/** The result of a handler; without `status`, the success status of the route. */
export interface HookResult {
  /** HTTP status. Default: the success status of the route. */
  readonly status?: number;
  /** Body of the response, to be sent as JSON. */
  readonly body?: unknown;
}

/** Functions of the host that run before and after the handler of every API request, for example to authorise it. */
export interface HandlerHooks {
  /**
   * Runs before the request is validated or its body read. A hook that throws causes a 500 response. Where a path has no
   * route of the request's method, it runs without a body for each route of the path: the answer names the methods of
   * those that it allows.
   */
  readonly before?: (
    context: HookContext,
  ) => HookDecision | undefined | void | Promise<HookDecision | undefined | void>;
  /** Runs after the handler, for errors too, and returns the response to send; undefined keeps it unchanged. */
  readonly after?: (
    context: HookContext,
    result: HookResult,
  ) => HookResult | undefined | void | Promise<HookResult | undefined | void>;
}

const minErrorStatus = 400;
const maxStatus = 599;

export function hookContext({ method, path }: Route, request: HookRequest): HookContext {
  const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
  return { method: method.toLowerCase(), route, request };
}

/** Throws the refusal of the before-hook. */
export async function askBefore(hooks: HandlerHooks, context: HookContext): Promise<void> {
  const decision = await hooks.before?.(context);
  if (decision?.allow !== false) return;
  const { status, errorKey, message } = decision;
  throw new BoardError(parseTranslationKey(errorKey ?? 'FORBIDDEN') ?? 'FORBIDDEN', {
    // A refusal needs an error status that a server can send.
    status: isErrorStatus(status) ? status : 403,
    ...(typeof message === 'string' && { message }),
  });
}

function isErrorStatus(status: number | undefined): status is number {
  return (
    Number.isInteger(status) && Number(status) >= minErrorStatus && Number(status) <= maxStatus
  );
}
