/** The server of `sluice board`: plain `node:http`, one board or two, and the gate in front of them. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BoardResponse, ServedBoard, ServerAdapter } from '../../board/index.ts';
import { below, pathOf } from '../../lib/index.ts';
import { askBoard, sendResponse } from '../../http/node/board-request.ts';
import { isLocalHost } from './settings/loopback.ts';

/** How a server finds its way. */
export interface ServerOptions {
  /** Path under which requests arrive. */
  readonly basePath: string;
  /** Path under which browsers find the board, in front of a proxy. */
  readonly externalPath: string;
  /**
   * Host names of the board, where only programs of this machine may use it; undefined where authentication decides.
   * Pages of other sites can reach this machine by names of their own (DNS rebinding), and not by these.
   */
  readonly localHosts: readonly string[] | undefined;
  /** The answer that is given instead of the board's; undefined leaves the request to the board. */
  gate(path: string, request: IncomingMessage): BoardResponse | undefined;
}

/** Headers of a session in four cookies need more than Node's 16 KiB. */
const maxHeaderSize = 32 * 1024;

/** Listens, and serves the board that is attached to it. */
export class BoardServer implements ServerAdapter {
  readonly listens = true;
  readonly #options: ServerOptions;
  readonly #server: Server;
  #board: ServedBoard | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#server = createServer({ maxHeaderSize }, (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  attach(board: ServedBoard): void {
    this.#board = board;
  }

  /** Resolves to the port. Rejects when the port cannot be used. */
  async listen(port: number, host: string): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Accepts no further connections, and closes those that wait. */
  refuse(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  /** Closes all connections. */
  end(): void {
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { basePath, externalPath, localHosts, gate } = this.#options;
    const { host } = request.headers;
    if (localHosts && !isLocalHost(host) && !localHosts.includes(host ?? '')) {
      return send(response, 421, 'This board answers to the names of this machine only.\n');
    }
    const board = this.#board;
    if (!board || (await board.auth?.handle(request, response))) return;
    const target = request.url ?? '/';
    const asked = pathOf(target);
    const path = below(basePath, asked);
    if (path === undefined) {
      if (asked === '/') response.setHeader('location', `${basePath}/`);
      return send(response, asked === '/' ? 302 : 404, 'Not found.\n');
    }
    const place = { basePath: externalPath, target: path + target.slice(asked.length) };
    const answer = gate(path, request) ?? (await askBoard(board, request, response, place));
    if (answer) await sendResponse(answer, request, response);
    else send(response, 404, 'Not found.\n');
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}
