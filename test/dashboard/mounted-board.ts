/** A board with a login, mounted in a framework below a path or behind a proxy that strips it. */

import type { Page } from 'playwright-core';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import { openBoard } from '../../src/board/core/index.ts';
import type { BoardOptions, EngineFactory } from '../../src/board/core/index.ts';
import { kvqEngine } from '../../src/board/kvq/index.ts';
import type { BoardQueue } from '../../src/board/kvq/index.ts';
import { startProxy } from '../auth/support/proxy.ts';
import type { Host } from '../http/mounts/hosts.ts';

const token = 'the-token-of-the-mounted-dashboards-0123456789';

/** The path of the board, as browsers see it. */
export const basePath = '/admin/queues';

export interface MountedBoard {
  /** The address that browsers use. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * @param shown the queues of a kvq board, or the engine of another
 * @param strips whether a proxy takes the base path away
 */
export async function mountBoard(
  host: Host,
  shown: readonly BoardQueue[] | EngineFactory,
  { strips = false, ...options }: BoardOptions & { readonly strips?: boolean } = {},
): Promise<MountedBoard> {
  const proxy = strips ? await startProxy(basePath) : undefined;
  const auth = createAuthMiddleware(
    {
      strategy: 'token',
      tokens: [token],
      user: { username: 'ada' },
      cookie: { secret: 'the cookie secret of the mounted dashboards' },
      ...(proxy && { publicUrl: proxy.url }),
    },
    proxy ? {} : { basePath },
  );
  let closeBoard = async (): Promise<void> => undefined;
  const running = await host.start({
    mountPath: strips ? '' : basePath,
    basePath,
    parsesFirst: false,
    open(serverAdapter) {
      const engine = 'open' in shown ? shown : kvqEngine({ queues: shown, snapshotMs: 0 });
      const board = openBoard(engine, serverAdapter, { validateResponses: true, ...options }, auth);
      closeBoard = () => board.close();
      return board;
    },
  });
  proxy?.targets.push({ port: running.port, path: '' });
  return {
    url: proxy?.url ?? `http://127.0.0.1:${running.port}${basePath}`,
    async close() {
      await running.close();
      await closeBoard();
      await proxy?.close();
    },
  };
}

/** Signs in with the form that the page shows. */
export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
