/** The data of the overview: the queues of every board of the page. */

import { useQueries } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';

import { allBoards } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { activity, kvqQueues, mayReadBoard, pgqInfo, pgqQueues } from '../api/queries.ts';
import { kvqRow, pgqRow, withActivity } from './rows.ts';
import type { QueueRow } from './rows.ts';

export interface OverviewData {
  readonly rows: readonly QueueRow[];
  /** Whether no board has answered yet. */
  readonly loading: boolean;
  /** Boards that could not be read, with what is known of them from before. */
  readonly failures: readonly {
    readonly board: Board;
    readonly error: unknown;
    readonly retry: () => void;
    readonly stale: boolean;
  }[];
}

const pgqBoards = allBoards.filter(({ engine }) => engine === 'pgq');

export function useOverview(): OverviewData {
  const listings = useQueries({
    queries: allBoards.map((board) =>
      board.engine === 'kvq' ? kvqQueues(board) : pgqQueues(board),
    ) as never[],
  }) as unknown as readonly UseQueryResult<
    Answer<'GET /api/queues'> | Answer<'GET /api/pgq/queues'>
  >[];
  const infos = useQueries({
    queries: pgqBoards.map((board) => ({
      ...pgqInfo(board),
      enabled: mayReadBoard(listings[allBoards.indexOf(board)]?.data),
    })),
  });
  const activities = useQueries({ queries: allBoards.map(activity) }).map(({ data }) => data);
  const answers = listings.map(({ data }) => data);
  const delimiters = infos.map(({ data }) => data?.delimiter ?? '');
  const rows = useMemo(
    () =>
      allBoards.flatMap((board, at) => {
        const answer = answers[at];
        if (!answer) return [];
        const { allowed } = answer;
        const own =
          board.engine === 'kvq'
            ? (answer as Answer<'GET /api/queues'>).queues.map((queue) => kvqRow(board, queue))
            : (answer as Answer<'GET /api/pgq/queues'>).queues.map((queue) =>
                pgqRow(board, delimiters[pgqBoards.indexOf(board)] ?? '', queue),
              );
        const known = new Map(activities[at]?.queues.map((each) => [each.queueName, each]));
        const read = activities[at]?.at ?? 0;
        return own.map((row) =>
          withActivity(
            row.allowed === undefined && allowed ? { ...row, allowed } : row,
            known.get(row.name),
            read,
          ),
        );
      }),
    // The answers keep their identity as long as nothing has changed.
    [...answers, ...activities, ...delimiters],
  );
  return {
    rows,
    loading: listings.every(({ isPending }) => isPending),
    failures: listings.flatMap(({ error, data, refetch }, at) => {
      const board = allBoards[at];
      return error && board
        ? [{ board, error, retry: () => void refetch(), stale: data !== undefined }]
        : [];
    }),
  };
}
