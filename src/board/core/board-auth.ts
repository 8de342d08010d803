/** Authentication of a board, and the checks for boards without authentication. */

import type { BoardLogger, ResolvedOptions } from './options.ts';

/** Authentication as the board uses it; created by `createAuthMiddleware` of `sluice/auth`. */
export interface BoardAuth {
  /** Returns true when it has sent the response, false to continue. Receives Node's request and response. */
  handle(request: object, response: object): Promise<boolean>;
  /** Path of the board in the browser; `null` if it is the mount path. */
  readonly publicPath: string | null;
}

/** The options that decide whether a board is open to every client. */
export interface Openness {
  /** `false`: the host authenticates requests. */
  readonly auth: BoardAuth | false | undefined;
  readonly handlerHooks: ResolvedOptions['handlerHooks'];
  readonly logger: BoardLogger;
}

/**
 * Warns when the board is open to every client that reaches it. Every server adapter serves a board on a server of the
 * host, where other middleware may check requests, so that such a board starts in production too.
 */
export function checkOpenness({ auth, handlerHooks, logger }: Openness): void {
  if (auth !== undefined || handlerHooks.before !== undefined) return;
  logger.warn(
    'This board is open: everybody who reaches it may read and change jobs. Give it "auth", or "auth: false" where the host checks requests itself.',
  );
}
