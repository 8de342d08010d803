/** Failed attempts of the last day by their error, as the recorders of the boards have kept them. */

import { keepPreviousData, queryOptions, useQueries } from '@tanstack/react-query';

import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';

type Group = Answer<'GET /api/metrics/errors'>['errors'][number];

const hourMs = 3_600_000;
const hours = 24;

/** An error of a board. */
export interface Failure {
  readonly id: string;
  readonly board: Board;
  /** Its name: the first line of the reason without what differs from job to job. */
  readonly error: string;
  readonly example: string;
  readonly queues: readonly string[];
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Attempts per hour of the last day, oldest first. */
  readonly perHour: readonly number[];
}

const errorsOf = ({ basePath, client }: Board, queue: string | undefined, minute: number) =>
  queryOptions({
    queryKey: [basePath, 'failures', queue, minute],
    queryFn: ({ signal }) => client.call('GET /api/metrics/errors', { query: { queue }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

function failureOf(board: Board, group: Group, now: number): Failure {
  const last = Math.floor(now / hourMs) * hourMs;
  const known = new Map(group.hours.map(({ ts, value }) => [ts, value]));
  const perHour = Array.from(
    { length: hours },
    (_, index) => known.get(last - (hours - 1 - index) * hourMs) ?? 0,
  );
  return { ...group, id: `${board.basePath} ${group.error}`, board, perHour };
}

export interface Failures {
  readonly failures: readonly Failure[];
  readonly loading: boolean;
  readonly error: unknown;
  /** Whether what is shown could not be read again. */
  readonly stale: boolean;
  readonly retry: () => void;
}

/** The errors of the boards, or of one queue; the most frequent first. */
export function useFailures(
  boards: readonly Board[],
  queue: string | undefined,
  minute: number,
): Failures {
  const answers = useQueries({ queries: boards.map((board) => errorsOf(board, queue, minute)) });
  const failed = answers.find(({ error }) => error !== null);
  return {
    failures: boards
      .flatMap((board, at) =>
        (answers[at]?.data?.errors ?? []).map((group) => failureOf(board, group, minute)),
      )
      .toSorted((left, right) => right.count - left.count),
    loading: answers.some(({ isPending }) => isPending),
    error: failed?.error ?? undefined,
    stale: failed?.data !== undefined,
    retry: () => answers.forEach(({ refetch }) => void refetch()),
  };
}
