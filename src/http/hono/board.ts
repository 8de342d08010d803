/** Serves a board under Hono, on every runtime that has the packages of its engine. */

import { type Context, Hono, type Next } from 'hono';
import { BoardMount, mountedAt } from '../board-mount.ts';

/** Mounts one board under Hono: `app.route('/admin/queues', adapter.registerPlugin())`. */
export class HonoAdapter extends BoardMount {
  /** The application to mount. Paths outside the board go on to the next handler of the host. */
  registerPlugin(): Hono {
    return new Hono().all('/*', (context, next) => this.#answer(context, next));
  }

  async #answer(context: Context, next: Next): Promise<Response | void> {
    const { board } = this;
    if (!board) return next();
    const { req } = context;
    const mountPath = mountedAt(String(req.routePath), new URL(req.url).pathname);
    let isForeign = false;
    const response = await board.fetch(req.raw, {
      basePath: this.ownBasePath ?? mountPath,
      mountPath,
      native: context,
      readBody: () => req.arrayBuffer(),
      notFound: async () => {
        isForeign = true;
        await next();
        return context.res;
      },
      ...remoteAddressOf(context),
    });
    if (!isForeign) return context.newResponse(response.body, response);
    // Hono adds the headers of an earlier response to a later one, in place of its cookies.
    context.res = undefined;
    context.res = response;
  }
}

/** The address of the client, where the server is that of Node.js. */
function remoteAddressOf({ env }: Context): { remoteAddress?: string } {
  const incoming: unknown = Reflect.get(Object(env), 'incoming');
  const socket: unknown = Reflect.get(Object(incoming), 'socket');
  const address: unknown = Reflect.get(Object(socket), 'remoteAddress');
  return typeof address === 'string' ? { remoteAddress: address } : {};
}
