/** Serves the same routes under Express 4 and 5 on a free local port. */

import { createServer, request } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import express4 from 'express-4';

/** Value for `app.set('query parser', ...)`; `undefined` keeps the default. */
export type QueryParser = 'simple' | 'extended' | false | undefined;

/** Application factories of both major versions. Both have the methods used here, with different types. */
export const applications = [
  {
    name: 'Express 4',
    create(parser: QueryParser, install: (app: express4.Express) => void): RequestListener {
      const app = express4();
      if (parser !== undefined) app.set('query parser', parser);
      install(app);
      return app;
    },
  },
  {
    name: 'Express 5',
    create(parser: QueryParser, install: (app: express.Express) => void): RequestListener {
      const app = express();
      if (parser !== undefined) app.set('query parser', parser);
      install(app);
      return app;
    },
  },
] as const;

/** A listening server. */
export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback interface. Accepts request headers of up to 4 MB. */
export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer({ maxHeaderSize: 4 * 1024 * 1024 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** A response with its body as text. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Sends a request target unchanged; `fetch` would normalise it. */
export function send(port: number, target: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', path: target, method }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
