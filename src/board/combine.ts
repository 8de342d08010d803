/** Two boards, one of each engine, behind one mount: each under its path, both in one page. */

import { below } from '../lib/index.ts';
import { authBelow, checkOpenness, fetchFrom, ownSegments } from './core/index.ts';
import type {
  Board,
  BoardAuth,
  BoardLink,
  BoardOptions,
  ServedBoard,
  ServerAdapter,
} from './core/index.ts';

/** A board of the page, and what it tells besides its queues. */
interface PageBoard extends BoardLink {
  readonly hasAttention: boolean;
  readonly hasErrorGroups: boolean;
}

/** Opens a board behind `auth`; `boardsAt` gives the boards of its page. */
type Open<Opened> = (
  auth: BoardAuth | false,
  boardsAt: (basePath: string) => readonly BoardLink[],
) => Opened;

interface Part {
  readonly path?: string;
  readonly title?: string;
  readonly options?: BoardOptions;
}

interface Combined<Kvq, Pgq> {
  readonly kvq: Part;
  readonly pgq: Part;
  readonly serverAdapter: ServerAdapter | undefined;
  readonly auth: BoardAuth | false | undefined;
  readonly optionsOf: (part: Part) => BoardOptions;
  readonly openKvq: Open<Kvq>;
  readonly openPgq: Open<Pgq>;
}

/**
 * Opens both boards and passes them to the adapter as one.
 *
 * @throws {TypeError} when one path hides the other, or both boards are open where that is refused
 */
export function combine<Kvq extends Board, Pgq extends Board>({
  kvq,
  pgq,
  serverAdapter,
  auth,
  optionsOf,
  openKvq,
  openPgq,
}: Combined<Kvq, Pgq>): ServedBoard & { kvq: Kvq; pgq: Pgq; close(): Promise<void> } {
  const paths = { kvq: kvq.path ?? '', pgq: pgq.path ?? '/pgq' };
  checkPaths(paths.kvq, paths.pgq);
  const [kvqOptions, pgqOptions] = [optionsOf(kvq), optionsOf(pgq)];
  checkOpenness({
    auth,
    // A hook of one board leaves the other one open.
    handlerHooks: (pgqOptions.handlerHooks?.before && kvqOptions.handlerHooks) ?? {},
    logger: kvqOptions.logger ?? console,
    listens: serverAdapter?.listens === true,
  });
  const links = [
    { title: kvq.title ?? 'BullMQ', path: paths.kvq, engine: 'kvq' },
    { title: pgq.title ?? 'pg-boss', path: paths.pgq, engine: 'pgq' },
  ] as const;
  const boardsAt =
    (own: string) =>
    (basePath: string): PageBoard[] => {
      const root = basePath.slice(0, basePath.length - own.length);
      return links.map(({ path, ...link }): PageBoard => {
        const { routes } = boards[link.engine];
        return {
          ...link,
          basePath: root + path,
          hasAttention: routes['listAttention'] !== undefined,
          hasErrorGroups: routes['listMetricsErrors'] !== undefined,
        };
      });
    };
  // Each board by itself is behind the authentication too: a host may mount one of them.
  const boards = {
    kvq: openKvq(auth ? authBelow(auth, paths.kvq) : false, boardsAt(paths.kvq)),
    pgq: openPgq(auth ? authBelow(auth, paths.pgq) : false, boardsAt(paths.pgq)),
  };
  // The longer path first: the other one may be the root.
  const mounts = [
    { path: paths.kvq, board: boards.kvq },
    { path: paths.pgq, board: boards.pgq },
  ].toSorted((left, right) => right.path.length - left.path.length);
  const served: ServedBoard & { close(): Promise<void> } = {
    ...(auth && { auth }),
    async handle(request) {
      for (const { path: mount, board } of mounts) {
        const path = below(mount, request.path);
        if (path === undefined) continue;
        return board.handle({ ...request, path, basePath: request.basePath + mount });
      }
      return undefined;
    },
    fetch: (request, mount = {}) => fetchFrom(served, request, mount),
    async close() {
      await Promise.all([boards.kvq.close(), boards.pgq.close()]);
    },
  };
  const combined = { ...served, ...boards };
  serverAdapter?.attach(combined);
  return combined;
}

function checkPaths(kvq: string, pgq: string): void {
  const [longer, shorter] = kvq.length > pgq.length ? [kvq, pgq] : [pgq, kvq];
  const [, next = ''] = longer.slice(shorter.length).split('/');
  const isBelow = shorter === '' || longer.startsWith(`${shorter}/`);
  if (longer === shorter || (isBelow && ownSegments.has(next))) {
    throw new TypeError(
      `"engines" must have two paths; that of one board must not be a path of the other, such as ${shorter}/api`,
    );
  }
}
