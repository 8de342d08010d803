/** Serves a board under Fastify without importing Fastify. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { isStreamed, type ServedBoard } from '../../board/core/index.ts';
import { BoardMount, mountedAt } from '../board-mount.ts';
import { askBoard, sendResponse, tellMount } from '../node/board-request.ts';

/** The part of Fastify's request that the board uses. */
interface Request {
  readonly raw: IncomingMessage;
}

/** The part of Fastify's reply that the board uses. */
interface Reply {
  readonly raw: ServerResponse;
  getHeaders(): Record<string, number | string | string[] | undefined>;
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(body: unknown): unknown;
  hijack(): unknown;
  callNotFound(): unknown;
}

/** The part of a Fastify instance that the board uses. */
interface Instance {
  readonly prefix: string;
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: '*',
    parser: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown;
  route(options: {
    method: string[];
    url: string;
    exposeHeadRoute: boolean;
    handler: (request: Request, reply: Reply) => Promise<unknown>;
  }): unknown;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Mounts one board under Fastify: `app.register(adapter.registerPlugin(), { prefix: '/admin/queues' })`. Hooks of the
 * host run for its requests; body parsers of the host do not.
 */
export class FastifyAdapter extends BoardMount {
  /** The plugin to register. Paths outside the board are answered by the host's handler of unknown routes. */
  registerPlugin(): (instance: Instance) => Promise<void> {
    return async (instance) => {
      // The board reads bodies itself, with its own limit and errors.
      instance.removeAllContentTypeParsers();
      instance.addContentTypeParser('*', (_request, _payload, done) => done(null));
      const { prefix } = instance;
      for (const url of ['/', '/*']) {
        instance.route({
          method: methods,
          url,
          exposeHeadRoute: false,
          handler: (request, reply) => this.#answer(prefix, request, reply),
        });
      }
    };
  }

  async #answer(prefix: string, { raw }: Request, reply: Reply): Promise<unknown> {
    const { board } = this;
    if (!board) return reply.callNotFound();
    const url = raw.url ?? '/';
    const mountPath = mountedAt(prefix, url);
    tellMount(raw, mountPath, url);
    if (await isAnswered(board, raw, reply)) return reply.hijack();
    const basePath = this.ownBasePath ?? mountPath;
    const rest = url.slice(mountPath.length);
    const target = rest.startsWith('/') ? rest : `/${rest}`;
    const answer = await askBoard(board, raw, reply.raw, { basePath, target });
    if (!answer) return reply.callNotFound();
    if (answer.headers['connection'] === 'close' && !raw.complete) {
      // The rest of a refused body must be read, or the client loses the response.
      reply.hijack();
      return sendResponse(answer, raw, reply.raw);
    }
    const { status, headers, body } = answer;
    reply.code(status);
    reply.headers({ ...headers });
    return reply.send(isStreamed(body) ? Readable.from(body, { objectMode: false }) : body);
  }
}

/** Whether the authentication has sent the response; with the headers that hooks of the host have set. */
async function isAnswered(
  board: ServedBoard,
  raw: IncomingMessage,
  reply: Reply,
): Promise<boolean> {
  if (!board.auth) return false;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  return board.auth.handle(raw, reply.raw);
}
