/** Serves a board under Express 4 and 5, neither of which it imports. */

import type { ServerResponse } from 'node:http';

import { normalizeBasePath } from '../../lib/index.ts';
import type { ServedBoard, ServerAdapter } from '../../board/core/index.ts';
import { nodeRequest, sendResponse } from '../node/board-request.ts';
import type { NodeRequest } from '../node/board-request.ts';

/** What `app.use(path, ...)` takes. */
export type ExpressHandler = (
  request: NodeRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Puts one board under Express: `app.use('/admin/queues', adapter.getRouter())`. Install it before or after body
 * parsers, as you like: the board reads bodies itself where nobody has.
 */
export class ExpressAdapter implements ServerAdapter {
  #basePath = '';
  #board: ServedBoard | undefined;

  /**
   * Sets the path under which clients find the board: where the router is mounted, with the prefix of any proxy in
   * front. May be called at any time. Default: the root.
   *
   * @throws {TypeError} when it is not a path
   */
  setBasePath(basePath: string): this {
    const normalized = normalizeBasePath(basePath);
    if (normalized === undefined) {
      throw new TypeError('"basePath" must be a path such as /admin/queues');
    }
    this.#basePath = normalized;
    return this;
  }

  /** Called by `createBoard`. Throws if the adapter has a board already. */
  attach(board: ServedBoard): void {
    if (this.#board)
      throw new Error('A server adapter serves one board: make another for the next');
    this.#board = board;
  }

  /** The handler to mount. Paths that are none of the board's go on to the host's next handler. */
  getRouter(): ExpressHandler {
    return (request, response, next) => {
      const board = this.#board;
      if (!board) {
        next();
        return;
      }
      board.handle(nodeRequest(request, response, this.#basePath)).then((answer) => {
        if (answer) sendResponse(answer, request, response);
        else next();
      }, next);
    };
  }
}
export type { NodeRequest } from '../node/board-request.ts';
