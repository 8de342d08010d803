/** The host's own functions around every API route. */

import type { ErrorKey } from '../contract/index.ts';
import { parseTranslationKey } from '../contract/index.ts';
import { BoardError } from './board-error.ts';
import type { HookRequest } from './request/request.ts';

/** Which route was asked, and by what request. */
export interface HookContext {
  /** In lower case; `get` for HEAD too. */
  readonly method: string;
  /** Pattern of the path: `/api/queues/:queueName/:jobId/retry`. */
  readonly route: string;
  readonly request: HookRequest;
}

/** The decision of the before-hook. Only an `allow` of exactly false refuses. */
export interface HookDecision {
  readonly allow?: boolean;
  /** Default 403. */
  readonly status?: number;
  /** Default `FORBIDDEN`; with or without its prefix. */
  readonly errorKey?: ErrorKey | `ERRORS.${ErrorKey}`;
  /** Shown to the client. */
  readonly message?: string;
}

/** The result of a handler; the status of success when `status` is absent. */
export interface HookResult {
  readonly status?: number;
  readonly body?: unknown;
}

export interface HandlerHooks {
  /** Runs before anything of the request is checked or read. A hook that throws answers 500: it refuses too. */
  readonly before?: (
    context: HookContext,
  ) => HookDecision | undefined | void | Promise<HookDecision | undefined | void>;
  /** Runs after the handler, whatever it answered, and gives the answer to send; nothing leaves it as it is. */
  readonly after?: (
    context: HookContext,
    result: HookResult,
  ) => HookResult | undefined | void | Promise<HookResult | undefined | void>;
}

const lowestErrorStatus = 400;
const highestStatus = 599;

/** Throws what the before-hook refuses with. */
export async function askBefore(hooks: HandlerHooks, context: HookContext): Promise<void> {
  const decision = await hooks.before?.(context);
  if (decision?.allow !== false) return;
  const { status, errorKey, message } = decision;
  throw new BoardError(parseTranslationKey(errorKey ?? 'FORBIDDEN') ?? 'FORBIDDEN', {
    // A refusal that looks like success, or that no server can send, is none.
    status: isErrorStatus(status) ? status : 403,
    ...(typeof message === 'string' && { message }),
  });
}

function isErrorStatus(status: number | undefined): status is number {
  return (
    Number.isInteger(status) &&
    Number(status) >= lowestErrorStatus &&
    Number(status) <= highestStatus
  );
}
