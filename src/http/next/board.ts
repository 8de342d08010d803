/** Serves a board as a route handler of Next.js, without importing Next.js. */

import type { ServedBoard } from '../../board/core/index.ts';
import { checkOptions, normalizeBasePath, refuseArguments } from '../../lib/index.ts';
import type { OptionTableOf } from '../../lib/index.ts';

/** The second argument of a route handler. */
interface RouteContext {
  readonly params: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** A route handler. */
export type NextHandler = (request: Request, context: RouteContext) => Promise<Response>;

/** The exports of `app/<path>/[[...path]]/route.ts`. */
export type NextHandlers = Readonly<
  Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', NextHandler>
>;

/** Options of a board in Next.js. */
export interface NextBoardOptions {
  /** Where browsers find the board, if it is not where Next.js serves the route. Default: there. */
  readonly basePath?: string;
}

const optionTable = {
  basePath: {
    expected: 'a path such as /admin/queues',
    fits: (value) => normalizeBasePath(value) !== undefined,
  },
} satisfies OptionTableOf<NextBoardOptions>;

/**
 * The route handlers of a board. In `app/admin/queues/[[...path]]/route.ts`:
 *
 *     export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextBoard(board);
 *
 * The segment must be an optional catch-all, by whose length the mount path is found. `basePath` is only needed behind a
 * proxy that strips a part of the path.
 *
 * @throws {TypeError} when an option is unknown or has a wrong type
 */
export function nextBoard(
  board: ServedBoard,
  options: NextBoardOptions = {},
  ...more: readonly unknown[]
): NextHandlers {
  refuseArguments('nextBoard', 2, more);
  checkOptions('nextBoard', options, optionTable);
  const handler: NextHandler = async (request, { params }) => {
    const caught = Object.values(await params).find((value) => Array.isArray(value)) ?? [];
    const segments = new URL(request.url).pathname.split('/').filter((part) => part !== '');
    const mountPath = segments
      .slice(0, segments.length - caught.length)
      .map((segment) => `/${segment}`)
      .join('');
    const basePath = options.basePath ?? board.auth?.publicPath ?? mountPath;
    // Next.js compresses responses itself, and drops the header that says so of compressed ones.
    return board.fetch(request, { basePath, mountPath, compress: false });
  };
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  };
}
