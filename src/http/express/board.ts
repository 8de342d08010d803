/** Serves a board under Express 4 and 5 without importing Express. */

import type { ServerResponse } from 'node:http';

import { normalizeBasePath } from '../../lib/index.ts';
import { BoardMount } from '../board-mount.ts';
import { type NodeRequest, serveNode } from '../node/board-request.ts';

/** The handler for `app.use(path, ...)`. */
type ExpressHandler = (
  request: NodeRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Mounts one board under Express: `app.use('/admin/queues', adapter.getRouter())`. It may be installed before or after
 * body parsers: the board reads a body that no parser has read.
 */
export class ExpressAdapter extends BoardMount {
  /** The handler to mount. Requests for paths outside the board go on to the next handler of the host. */
  getRouter(): ExpressHandler {
    return (request, response, next) => {
      const { board } = this;
      if (!board) {
        next();
        return;
      }
      const basePath = this.ownBasePath ?? mountOf(request);
      serveNode(board, request, response, { basePath, target: request.url ?? '/' })
        .then((served) => (served ? undefined : next()))
        .catch(next);
    };
  }
}

/** The path at which Express has mounted the router. */
function mountOf(request: NodeRequest): string {
  return normalizeBasePath(Reflect.get(request, 'baseUrl')) ?? '';
}

export type { NodeRequest } from '../node/board-request.ts';
