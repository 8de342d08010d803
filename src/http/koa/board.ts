/** Serves a board under Koa without importing Koa. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isStreamed } from '../../board/core/index.ts';
import { below, pathOf } from '../../lib/index.ts';
import { PlacedMount } from '../board-mount.ts';
import { type NodeRequest, askBoard, sendResponse, tellMount } from '../node/board-request.ts';

/** The part of Koa's context that the board uses. */
interface Context {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly originalUrl: string;
  /** Shortened by koa-mount. */
  readonly url: string;
  readonly request: object;
  status: number;
  body: unknown;
  respond?: boolean | undefined;
  set(headers: Record<string, string>): unknown;
}

/**
 * Mounts one board under Koa: `app.use(adapter.setBasePath('/admin/queues').registerPlugin())`, or with koa-mount
 * `app.use(mount('/admin/queues', adapter.registerPlugin()))`. It may be installed before or after body parsers.
 */
export class KoaAdapter extends PlacedMount {
  /** The middleware to install. Paths outside the board go on to the next middleware of the host. */
  registerPlugin(): (context: Context, next: () => Promise<unknown>) => Promise<void> {
    return async (context, next) => {
      const { board } = this;
      const place = board && this.#placeOf(context);
      if (!board || !place) {
        await next();
        return;
      }
      const request: NodeRequest = context.req;
      request.body ??= Reflect.get(context.request, 'body');
      tellMount(request, place.mountPath, context.originalUrl);
      if (await board.auth?.handle(request, context.res)) {
        context.respond = false;
        return;
      }
      const basePath = this.ownBasePath ?? place.mountPath;
      const { target } = place;
      const answer = await askBoard(board, request, context.res, { basePath, target });
      if (!answer) {
        await next();
        return;
      }
      const { status, headers, body } = answer;
      if (isStreamed(body) || (headers['connection'] === 'close' && !request.complete)) {
        // Koa reports a client that leaves a stream as an error, and closes a connection that still sends.
        context.respond = false;
        await sendResponse(answer, request, context.res);
        return;
      }
      context.status = status;
      if (body !== undefined) context.body = body;
      // Koa derives headers from the body, so that the board's come last.
      context.set({ ...headers });
    };
  }

  /** The mount path of a request and its target below it; undefined outside of the mount path. */
  #placeOf({ url, originalUrl }: Context): { mountPath: string; target: string } | undefined {
    const own = pathOf(url);
    const original = pathOf(originalUrl);
    if (own !== original) {
      const mountPath = original.endsWith(own) ? original.slice(0, -own.length) : original;
      return { mountPath, target: url };
    }
    const mountPath = this.ownMountPath;
    const path = below(mountPath, own);
    return path === undefined ? undefined : { mountPath, target: path + url.slice(own.length) };
  }
}
