/** Authentication in front of a board, and the boards that have none. */

import type { BoardLogger, ResolvedOptions } from './options.ts';

/** Authentication as the board needs it; `createAuthMiddleware` of `sluice/auth` makes one. */
export interface BoardAuth {
  /** True when the response has been sent, false when the request may go on. Takes Node's request and response. */
  handle(request: object, response: object): Promise<boolean>;
  /** Path under which browsers find the board; `null` where it is the mount. */
  readonly publicPath: string | null;
}

export interface Openness {
  /** `false` says that the host knows. */
  readonly auth: BoardAuth | false | undefined;
  readonly handlerHooks: ResolvedOptions['handlerHooks'];
  readonly logger: BoardLogger;
  /** Whether the board is served by Sluice's own server, which has nothing in front of it. */
  readonly listens: boolean;
}

/**
 * Warns of a board that anybody may use who reaches it.
 *
 * @throws {TypeError} when it is to listen by itself with `NODE_ENV=production`
 */
export function checkOpenness({ auth, handlerHooks, logger, listens }: Openness): void {
  if (auth !== undefined || handlerHooks.before !== undefined) return;
  if (listens && process.env['NODE_ENV'] === 'production') {
    throw new TypeError('"auth" must be given in production; false leaves the board open');
  }
  logger.warn(
    'This board is open: everybody who reaches it may read and change jobs. Give it "auth", or "auth: false" where the host checks requests itself.',
  );
}
