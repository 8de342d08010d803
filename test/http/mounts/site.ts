/** The site on which the mount suite mounts a board: its board, its authentication, and the parts of the host itself. */

import { createAuthMiddleware, getAuthUser } from '../../../src/auth/index.ts';
import type { AuthMiddleware } from '../../../src/auth/index.ts';
import { RawBody, openBoard } from '../../../src/board/core/index.ts';
import type { Board, ServedBoard, ServerAdapter } from '../../../src/board/core/index.ts';
import { type MemoryEngine, memoryEngine } from '../../board/core/memory-engine.ts';

/** Token of all requests with one. */
export const token = 'the-token-of-the-mount-suite-0123456789';

/** Where a host mounts a board, and what it does around it. */
export interface Place {
  /** Path under which requests for the board arrive; '' for the root. */
  readonly mountPath: string;
  /** Path under which browsers find the board, where it differs. */
  readonly basePath: string;
  /** Whether a parser of JSON and forms runs before the board. */
  readonly parsesFirst: boolean;
  /** Creates the board. */
  open(serverAdapter?: ServerAdapter): ServedBoard;
}

/** A place with a board whose parts the suite can look at. */
export interface Site extends Place {
  readonly engine: MemoryEngine;
  /** Pieces that the stream has made, and whether it has been ended. */
  readonly stream: { made: number; ended: boolean };
  /** Users that hooks of the board have seen. */
  readonly seen: (string | undefined)[];
  /** Whether the engine waits until the client of a listing has gone. */
  readonly gone: { readonly aborted: number };
  close(): Promise<void>;
}

/** Size of a piece of the stream, and how many it has: more than sockets take at once. */
export const pieceSize = 128 * 1024;
export const pieceCount = 300;

/** Creates a site. `hold` lets listings wait until their client has gone. */
export function createSite({
  mountPath = '/admin/queues',
  basePath = mountPath,
  parsesFirst = false,
  hold = false,
}: Partial<Pick<Site, 'mountPath' | 'basePath' | 'parsesFirst'>> & { hold?: boolean } = {}): Site {
  const engine = memoryEngine({ untilGone: hold });
  for (let index = 0; index < 20; index += 1) engine.queues.set(`queue ${index}`, []);
  const seen: (string | undefined)[] = [];
  const stream = { made: 0, ended: false };
  const gone = { aborted: 0 };
  const boards: Board[] = [];
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (let index = 0; index < pieceCount; index += 1) {
        stream.made += 1;
        yield new Uint8Array(pieceSize).fill(index % 256);
      }
    } finally {
      stream.ended = true;
    }
  }
  const auth: AuthMiddleware = createAuthMiddleware(
    {
      strategy: 'token',
      tokens: [token],
      user: { username: 'ada' },
      cookie: { secret: 'the cookie secret of the mount suite, long enough', idleSeconds: 100 },
      publicUrl: `http://127.0.0.1${basePath === mountPath ? '' : basePath}`,
    },
    basePath === mountPath ? { basePath } : {},
  );
  return {
    mountPath,
    basePath,
    parsesFirst,
    engine,
    stream,
    seen,
    gone,
    open(serverAdapter) {
      const board = openBoard(
        engine.factory,
        serverAdapter,
        {
          maxBodyBytes: 100_000,
          handlerHooks: {
            before: ({ request }) => void seen.push(getAuthUser(request)?.username),
            after: ({ route }, { status }) => {
              if (route === '/api/pgq/queues' && hold && status === 200) gone.aborted += 1;
              if (route !== '/api/pgq/info') return undefined;
              const headers = { 'content-type': 'application/octet-stream' };
              return { status: 200, body: new RawBody(headers, pieces()) };
            },
          },
        },
        auth,
      );
      boards.push(board);
      return board;
    },
    close: async () => void (await Promise.all(boards.map((board) => board.close()))),
  };
}
