/** The boards of the page and their clients. */

import { basePath as ownPath, boards } from '../config.ts';
import type { BoardLink } from '../config.ts';
import { useView } from '../view.ts';
import type { View } from '../view.ts';
import { createClient } from './client.ts';
import type { Client } from './client.ts';

export interface Board extends BoardLink {
  readonly client: Client;
  /** Value of the parameter `board`; undefined for the page's own board. */
  readonly param: string | undefined;
}

export interface QueuePlace {
  readonly board: Board;
  readonly queueName: string;
}

export interface JobPlace extends QueuePlace {
  readonly jobId: string;
}

export const allBoards: readonly Board[] = boards.map((board) => ({
  ...board,
  client: createClient(board.basePath),
  param: board.basePath === ownPath ? undefined : board.basePath,
}));

const [first] = allBoards;
if (!first) throw new Error('The page has no board.');

export const ownBoard: Board = first;

/** Where the screen of a queue is, for links. */
export const toQueue = ({ param }: Board, queueName: string, view: View = {}) =>
  ({
    to: '/queue/$queueName',
    params: { queueName },
    search: { board: param, ...view },
  }) as const;

/** Where the screen of a job is. */
export const toJob = ({ param }: Board, queueName: string, jobId: string, view: View = {}) =>
  ({
    to: '/queue/$queueName/$jobId',
    params: { queueName, jobId },
    search: { board: param, ...view },
  }) as const;

/** The board that the URL names. */
export function useBoard(): Board {
  const { board } = useView();
  return allBoards.find(({ basePath }) => basePath === board) ?? ownBoard;
}
