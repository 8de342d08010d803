/** Serves a board on a real server, and sends requests unchanged. */

import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { openBoard } from '../../../src/board/core/index.ts';
import type {
  Board,
  BoardLogger,
  BoardOptions,
  EngineFactory,
} from '../../../src/board/core/index.ts';
import { ExpressAdapter } from '../../../src/http/express/board.ts';
import { applications, listen } from '../../http/serve.ts';
import type { Listening } from '../../http/serve.ts';

/** A logger that records its input. */
export interface RecordedLog extends BoardLogger {
  readonly lines: {
    readonly level: 'error' | 'warn';
    readonly message: string;
    readonly details: unknown;
  }[];
}

export function recordLog(): RecordedLog {
  const lines: RecordedLog['lines'] = [];
  return {
    lines,
    error: (message, details) => void lines.push({ level: 'error', message, details }),
    warn: (message, details) => void lines.push({ level: 'warn', message, details }),
  };
}

/** A board that is being served. */
export interface Served {
  readonly board: Board;
  readonly log: RecordedLog;
  readonly port: number;
  readonly adapter: ExpressAdapter;
  close(): Promise<void>;
}

export interface Serving {
  readonly options?: BoardOptions;
  /** Path of the mount. Default `/admin/queues`. */
  readonly mount?: string;
  /** Middleware of the host before the board, such as `express.json()`. */
  readonly front?: 'json' | 'text' | 'raw';
}

export type Application = (typeof applications)[number];

export { applications };

/** Serves a board of an engine with one major version of Express. */
export async function serveBoard(
  application: Application,
  factory: EngineFactory,
  { options, mount = '/admin/queues', front }: Serving = {},
): Promise<Served> {
  const log = recordLog();
  const adapter = new ExpressAdapter().setBasePath(mount);
  const board = openBoard(factory, adapter, { logger: log, ...options }, false);
  const parser = front && (await bodyParser(application, front));
  const install = (app: {
    use(path: string, handler: ReturnType<ExpressAdapter['getRouter']>): unknown;
  }): void => {
    if (parser) app.use('/', parser);
    app.use(mount || '/', adapter.getRouter());
  };
  const listener =
    application.name === 'Express 4'
      ? application.create(undefined, install)
      : application.create(undefined, install);
  const server: Listening = await listen(listener);
  return {
    board,
    log,
    port: server.port,
    adapter,
    async close() {
      await board.close();
      await server.close();
    },
  };
}

async function bodyParser(
  { name }: Application,
  kind: NonNullable<Serving['front']>,
): Promise<ReturnType<ExpressAdapter['getRouter']>> {
  const { default: express } =
    name === 'Express 4' ? await import('express-4') : await import('express');
  const parser = express[kind](kind === 'json' ? {} : { type: () => true });
  return (incoming, response, next) =>
    void Reflect.apply(parser, undefined, [incoming, response, next]);
}

/** A response, with its body as text. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Sends a request target unchanged; `fetch` would normalize it. A body is JSON unless the headers differ. */
export function send(
  port: number,
  target: string,
  { method = 'GET', headers = {}, body }: Sending = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port,
        host: '127.0.0.1',
        path: target,
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      },
      (incoming) => {
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
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
