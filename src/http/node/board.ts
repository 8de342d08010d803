/** Serves a board on a server of `node:http`, `node:https` or `node:http2`. */

import type { ServerResponse } from 'node:http';
import { below, pathOf } from '../../lib/index.ts';
import { PlacedMount } from '../board-mount.ts';
import { type NodeRequest, serveNode, tellMount } from './board-request.ts';

/**
 * Mounts one board on a server of Node.js: `createServer(adapter.getListener())`, or `await adapter.handle(req, res)` in
 * a listener of the host.
 */
export class NodeAdapter extends PlacedMount {
  /**
   * Resolves to true when the board has sent the response, to false when the path does not belong to the board. Rejects
   * when the response cannot be made, such as by an error of the host's `visibilityGuard`.
   */
  async handle(request: NodeRequest, response: ServerResponse): Promise<boolean> {
    const { board, ownMountPath: mountPath } = this;
    const target = request.url ?? '/';
    const path = below(mountPath, pathOf(target));
    if (!board || path === undefined) return false;
    tellMount(request, mountPath, target);
    const rest = path + target.slice(pathOf(target).length);
    const basePath = this.ownBasePath ?? mountPath;
    return serveNode(board, request, response, { basePath, target: rest });
  }

  /** A listener that answers 404 outside of the board, and 500 where `handle` rejects. */
  getListener(): (request: NodeRequest, response: ServerResponse) => void {
    const answer = (response: ServerResponse, status: 404 | 500): void => {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      response.statusCode = status;
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.end(status === 404 ? 'Not Found' : 'Internal Server Error');
    };
    return (request, response) => {
      this.handle(request, response)
        .then((served) => (served ? undefined : answer(response, 404)))
        .catch(() => answer(response, 500));
    };
  }
}
