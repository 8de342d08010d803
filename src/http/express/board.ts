/** Serves a board under Express 4 and 5 without importing Express. */

import type { ServerResponse } from 'node:http';

import { normalizeBasePath } from '../../lib/index.ts';
import type { ServedBoard, ServerAdapter } from '../../board/core/index.ts';
import { nodeRequest, sendResponse } from '../node/board-request.ts';
import type { NodeRequest } from '../node/board-request.ts';

/** The handler for `app.use(path, ...)`. */
export type ExpressHandler = (
  request: NodeRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Mounts one board under Express: `app.use('/admin/queues', adapter.getRouter())`. It may be installed before or after
 * body parsers: the board reads a body that no parser has read.
 */
export class ExpressAdapter implements ServerAdapter {
  #basePath: string | undefined;
  #board: ServedBoard | undefined;

  /**
   * Sets the path under which browsers find the board, with the prefix that a proxy in front strips. May be called at
   * any time. Default: the path of the authentication (`publicUrl`, else `basePath`), else where the router is mounted.
   *
   * @throws {TypeError} when it is not a path, or not that of the board's authentication
   */
  setBasePath(basePath: string): this {
    const normalized = normalizeBasePath(basePath);
    if (normalized === undefined) {
      throw new TypeError('"basePath" must be a path such as /admin/queues');
    }
    checkPaths(normalized, this.#board);
    this.#basePath = normalized;
    return this;
  }

  /**
   * Called by `createBoard`.
   *
   * @throws {Error} when the adapter already has a board
   * @throws {TypeError} when the board's authentication has another path than the adapter
   */
  attach(board: ServedBoard): void {
    if (this.#board)
      throw new Error(
        'A server adapter serves one board; create another adapter for the next board',
      );
    checkPaths(this.#basePath, board);
    this.#board = board;
  }

  /** The handler to mount. Requests for paths outside the board go on to the next handler of the host. */
  getRouter(): ExpressHandler {
    return (request, response, next) => {
      const board = this.#board;
      if (!board) {
        next();
        return;
      }
      const basePath = this.#basePath ?? board.auth?.publicPath ?? mountOf(request);
      const serve = async (): Promise<void> => {
        if (await board.auth?.handle(request, response)) return;
        const answer = await board.handle(nodeRequest(request, response, basePath));
        if (answer) sendResponse(answer, request, response);
        else next();
      };
      serve().catch(next);
    };
  }
}

/** The path at which Express has mounted the router. */
function mountOf(request: NodeRequest): string {
  return normalizeBasePath(Reflect.get(request, 'baseUrl')) ?? '';
}

/** Login, cookie and board must share one path; otherwise clients could not reach all of them. */
function checkPaths(basePath: string | undefined, board: ServedBoard | undefined): void {
  const path = board?.auth?.publicPath ?? null;
  if (basePath === undefined || path === null || path === basePath) return;
  throw new TypeError(
    '"basePath" must be the path of the authentication: that of "publicUrl", else its "basePath"',
  );
}

export type { NodeRequest } from '../node/board-request.ts';
