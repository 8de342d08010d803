/** A kvq board under Express, and requests to it. Responses are validated against the contract. */

import express from 'express';
import type { AddressInfo } from 'node:net';
import { openBoard } from '../../../src/board/core/index.ts';
import type { BoardOptions } from '../../../src/board/core/index.ts';
import { kvqEngine } from '../../../src/board/kvq/index.ts';
import type { BoardQueue, KvqOptions, QueueRegistry } from '../../../src/board/kvq/index.ts';
import { ExpressAdapter } from '../../../src/http/express/board.ts';

/** A response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests access bodies of many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** A board that is being served. */
export interface ServedBoard {
  readonly registry: QueueRegistry;
  readonly url: string;
  /** Number of requests that have arrived. */
  readonly arrived: number;
  /** Logged errors. */
  readonly errors: unknown[];
  get(path: string): Promise<Answer>;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

/** Serves a board with the given queues. */
export async function serveBoard(
  queues: readonly BoardQueue[],
  options: BoardOptions & Omit<KvqOptions, 'queues'> = {},
): Promise<ServedBoard> {
  const { snapshotMs = 0, timeouts: own, maxReadBytes = 16_000_000, ...boardOptions } = options;
  // A queue of a busy machine connects late.
  const timeouts = { connectMs: 20_000, ...own };
  const errors: unknown[] = [];
  const server = new ExpressAdapter().setBasePath('/board');
  const factory = kvqEngine({ queues, snapshotMs, timeouts, maxReadBytes });
  const logger = {
    error: (message: string, details?: unknown) => void errors.push([message, details]),
    warn: () => undefined,
  };
  const board = openBoard(
    factory,
    server,
    { validateResponses: true, logger, ...boardOptions },
    false,
  );
  let arrived = 0;
  const app = express();
  app.use((_request, _response, next) => {
    arrived += 1;
    next();
  });
  app.use('/board', server.getRouter());
  const listening = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/board`;
  const send = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return {
    registry: factory.registry,
    url,
    get arrived() {
      return arrived;
    },
    errors,
    get: (path) => send('GET', path),
    send,
    async close() {
      await board.close();
      listening.closeAllConnections();
      await new Promise((resolve) => listening.close(resolve));
    },
  };
}
