/** The data of the list of schedules: those of every board of the page, and the commands allowed for them. */

import { queryOptions, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';

import { allBoards } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { failuresOf, useListings } from '../api/listings.ts';
import type { KvqListing, Listing, PgqListing } from '../api/listings.ts';
import { pgqInfo } from '../api/queries.ts';
import { uiConfig } from '../config.ts';
import { live } from '../live/loop.ts';
import { byQueueAndKey, kvqRows, pgqRows } from './rows.ts';

type KvqAnswer = Answer<'GET /api/job-schedulers'>;
type PgqAnswer = Answer<'GET /api/pgq/schedules'>;

const schedulesOf = ({ client, engine }: Board) =>
  queryOptions<KvqAnswer | PgqAnswer>({
    ...(engine === 'kvq'
      ? client.read('GET /api/job-schedulers', { query: { runs: 5, raw: '1' } })
      : client.read('GET /api/pgq/schedules', { query: { raw: '1' } })),
    meta: live,
  });

/** A queue that may have a new schedule. */
export interface Creatable {
  readonly board: Board;
  readonly queue: string;
  readonly title: string;
  /** Whether the board can tell the next runs of a schedule that is not stored. */
  readonly preview: boolean;
}

function creatableOf(
  board: Board,
  listing: Listing | undefined,
  info: Answer<'GET /api/pgq/info'> | undefined,
): Creatable[] {
  if (listing === undefined || (board.param === undefined && uiConfig.readOnly)) return [];
  const { allowed } = listing;
  const isAllowed = (own: readonly string[] | undefined): boolean =>
    (own ?? allowed)?.includes('schedule.write') ?? true;
  if (board.engine === 'kvq') {
    return (listing as KvqListing).queues.flatMap((queue) => {
      const { create, preview } = queue.capabilities.jobSchedulers;
      return create &&
        !queue.readOnlyMode &&
        queue.problem === undefined &&
        isAllowed(queue.allowed)
        ? [{ board, queue: queue.name, title: queue.displayName ?? queue.name, preview }]
        : [];
    });
  }
  if (!info?.capabilities.scheduleWrite) return [];
  const preview = info.capabilities.schedulePreview;
  return (listing as PgqListing).queues
    .filter((queue) => isAllowed(queue.allowed))
    .map(({ name }) => ({ board, queue: name, title: name, preview }));
}

const pgqBoards = allBoards.filter(({ engine }) => engine === 'pgq');

export function useSchedules() {
  const answers = useQueries({ queries: allBoards.map(schedulesOf) });
  const listings = useListings();
  const infos = useQueries({ queries: pgqBoards.map(pgqInfo) });
  const found = answers.map(({ data }) => data);
  const queues = listings.map(({ data }) => data);
  const known = infos.map(({ data }) => data);
  const rows = useMemo(
    () =>
      allBoards
        .flatMap((board, at) => {
          const answer = found[at];
          if (!answer) return [];
          return 'schedulers' in answer
            ? kvqRows(board, answer.schedulers, queues[at] as KvqListing | undefined)
            : pgqRows(
                board,
                answer.schedules,
                queues[at] as PgqListing | undefined,
                known[pgqBoards.indexOf(board)],
              );
        })
        .toSorted(byQueueAndKey),
    // The answers keep their identity as long as nothing has changed.
    [...found, ...queues, ...known],
  );
  return {
    rows,
    /** The queues in which this person may make schedules. */
    creatable: allBoards.flatMap((board, at) =>
      creatableOf(board, queues[at], known[pgqBoards.indexOf(board)]),
    ),
    /** Whether no board has answered yet. */
    loading: answers.every(({ isPending }) => isPending),
    failures: failuresOf(answers),
    /** Queues whose schedules could not be read. */
    problems: found.flatMap((answer) =>
      answer && 'problems' in answer
        ? (answer.problems ?? []).map(({ queueName, problem }) => ({
            queue: queueName,
            key: problem.key,
          }))
        : [],
    ),
  };
}
