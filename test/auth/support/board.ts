/** Something worth protecting, behind the middleware, on plain Node. */

import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthMiddleware, getAuthUser } from '../../../src/auth/index.ts';
import type { AuthMiddleware, AuthMount, AuthOptions } from '../../../src/auth/index.ts';
import { recordError } from './transcript.ts';

export const basePath = '/admin/queues';

/** The handler behind the middleware: it answers with the caller and the target. */
export function protectedHandler(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ served: request.url, user: getAuthUser(request) ?? null }));
}

export interface Board {
  readonly origin: string;
  /** Origin and base path. */
  readonly url: string;
  readonly port: number;
  /** Errors that the middleware reported. */
  readonly reported: unknown[];
  /** Puts another middleware in front, as after a restart. */
  protect(options: AuthOptions, mount?: string | AuthMount): AuthMiddleware;
  close(): Promise<void>;
}

/** Listens first, so that a provider can be told the address; `protect` comes next. */
export async function startBoard(): Promise<Board> {
  let auth: AuthMiddleware | null = null;
  const server: Server = createServer((request, response) => {
    if (auth === null) response.writeHead(500).end();
    else void auth(request, response, () => protectedHandler(request, response));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const reported: unknown[] = [];
  const onError = (error: unknown): void => {
    reported.push(error);
    recordError(error);
  };
  return {
    origin,
    url: origin + basePath,
    port,
    reported,
    protect(options, mount = basePath) {
      const place = typeof mount === 'string' ? { basePath: mount } : mount;
      auth = createAuthMiddleware({ onError, ...options }, place);
      return auth;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
