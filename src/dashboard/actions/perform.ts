/** Runs a command: says what came of it, has the board read again, and remembers what this person may not do. */

import type { Board } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { failureOf } from '../api/errors.ts';
import type { Failure } from '../api/errors.ts';
import { repeatReads } from '../api/queries.ts';
import { tell } from '../kit/notices.ts';
import { sharedValue } from '../live/shared-value.ts';

export interface Told {
  readonly text: string;
  readonly undo?: (() => void) | undefined;
  readonly details?: readonly string[] | undefined;
}

export interface Command<Result> {
  readonly board: Board;
  /** The action as the board names it, such as `queue.pause`. */
  readonly action: string;
  readonly queue?: string;
  readonly run: () => Promise<Result>;
  /** The text to show when it is done; undefined says nothing. */
  readonly done?: (result: Result) => Told | string | undefined;
  /** Takes a failure to its place; otherwise it is told at the edge of the page. */
  readonly failed?: (failure: Failure) => void;
}

const refused = sharedValue<ReadonlySet<string>>(new Set());

const nameOf = (board: Board, action: string, queue = ''): string =>
  `${board.basePath} ${action} ${queue}`;

type Allowed = readonly string[] | undefined;

/** As {@link useAllowed}, for the queues of a board. */
export function useAllowedIn(
  board: Board,
): (queue: string, allowed: Allowed) => (action: string) => boolean {
  refused.use();
  return (queue, allowed) => (action) =>
    (allowed === undefined || allowed.includes(action)) &&
    !refused.get().has(nameOf(board, action, queue));
}

/**
 * Whether a command may be offered: the board allows it, and it was not refused in this session.
 *
 * @param allowed actions that the listing names; undefined for all
 */
export const useAllowed = (
  board: Board,
  queue: string,
  allowed: Allowed,
): ((action: string) => boolean) => useAllowedIn(board)(queue, allowed);

/** Runs a command; true if it was done. */
export async function perform<Result>(command: Command<Result>): Promise<boolean> {
  const { board, action, queue, run, done, failed } = command;
  try {
    const result = await run();
    const told = done?.(result);
    if (told !== undefined) tell(typeof told === 'string' ? { text: told } : told);
    return true;
  } catch (error) {
    const failure = failureOf(error);
    // A route that is not mounted belongs to a board that only reads.
    if (failure.status === 403 || failure.status === 405 || failure.key === 'ROUTE_NOT_FOUND') {
      refused.set(new Set([...refused.get(), nameOf(board, action, queue)]));
    }
    if (failed) failed(failure);
    else tell({ text: errorText(failure), tone: 'danger' });
    return false;
  } finally {
    void repeatReads(board);
  }
}
