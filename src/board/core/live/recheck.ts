/** Checks the sender of a live stream anew: session, before-hook and permissions. */

import { liveRoutes } from '../../contract/index.ts';
import type { BoardAuth } from '../authority/board-auth.ts';
import { BoardError } from '../board-error.ts';
import { askBefore, hookContext } from '../hooks.ts';
import type { ResolvedOptions } from '../options.ts';
import type { BoardPermissions } from '../authority/permissions.ts';
import type { LiveHost } from './live.ts';

/** The parts of a board that let a sender in. */
interface Gates {
  readonly options: Pick<ResolvedOptions, 'handlerHooks'>;
  readonly permissions: BoardPermissions;
  readonly auth: BoardAuth | undefined;
}

/** The same for both engines as far as senders are checked. */
const route = liveRoutes.kvq.watchQueues;

export function recheckOf({ options, permissions, auth }: Gates): LiveHost['recheck'] {
  return async (before) => {
    if (auth?.authenticate && (await auth.authenticate(before.native as object)) === null) {
      throw new BoardError('UNAUTHORIZED');
    }
    // Guards and permissions remember their answers for a request: another object asks them again.
    const request = { ...before };
    await askBefore(options.handlerHooks, hookContext(route, request));
    await permissions.requireRoute(route, undefined, request);
    return request;
  };
}
