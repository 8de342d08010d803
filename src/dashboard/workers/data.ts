/** The workers of every board: connections of BullMQ and Bull queue by queue, processes of pg-boss with their workers. */

import { queryOptions, useQueries } from '@tanstack/react-query';

import { allBoards } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { activity } from '../api/queries.ts';
import { uiConfig } from '../config.ts';
import { live } from '../live/loop.ts';

export type Connection = NonNullable<
  Answer<'GET /api/queues/{queueName}/workers'>['workers']
>[number];
export type Process = NonNullable<Answer<'GET /api/pgq/instances'>['instances']>[number];

/** Queues whose workers are read at a time: each of them is a request. */
export const queuesPerStep = 20;

const workersOf = ({ basePath, client }: Board, queueName: string) =>
  queryOptions({
    queryKey: [basePath, 'workers', queueName],
    queryFn: ({ signal }) =>
      client.call('GET /api/queues/{queueName}/workers', { params: { queueName }, signal }),
    meta: live,
  });

const processesOf = ({ basePath, client }: Board) =>
  queryOptions({
    queryKey: [basePath, 'instances'],
    queryFn: ({ signal }) => client.call('GET /api/pgq/instances', { signal }),
    meta: live,
  });

interface BoardState {
  readonly board: Board;
  readonly loading: boolean;
  readonly error: unknown;
  /** Whether something is known from before an error. */
  readonly stale: boolean;
  readonly retry: () => void;
}

/** The workers of a kvq board. */
export interface Connections extends BoardState {
  readonly queues: readonly {
    readonly name: string;
    readonly connections: readonly Connection[];
  }[];
  /** Queues with workers, of which `queues` has the first. */
  readonly worked: number;
  /** Queues that have jobs waiting and no worker. */
  readonly idle: readonly string[];
  /** Queues whose library does not report its workers. */
  readonly unreported: readonly string[];
}

/** The processes of a pgq board; null where the library does not report them. */
export interface Processes extends BoardState {
  readonly processes: readonly Process[] | null | undefined;
}

// A board that does not show its workers has no route for them.
const shown = allBoards.filter(
  (board) => board.param !== undefined || uiConfig.showWorkers !== false,
);
const kvqBoards = shown.filter(({ engine }) => engine === 'kvq');
const pgqBoards = shown.filter(({ engine }) => engine === 'pgq');

/** @param most queues whose workers are read, over all boards */
export function useConnections(matches: (queue: string) => boolean, most: number): Connections[] {
  const activities = useQueries({ queries: kvqBoards.map(activity) });
  const perBoard = kvqBoards.map((board, at) => {
    const queues = (activities[at]?.data?.queues ?? []).filter(({ queueName }) =>
      matches(queueName),
    );
    const named = (wanted: (queue: (typeof queues)[number]) => boolean): string[] =>
      queues.filter(wanted).map(({ queueName }) => queueName);
    return {
      board,
      worked: named(({ workers }) => (workers ?? 0) > 0).toSorted(),
      idle: named(({ workers, oldestWaiting }) => workers === 0 && (oldestWaiting ?? 0) > 0),
      unreported: named(({ workers, problem }) => workers === null && problem === undefined),
    };
  });
  const wanted = perBoard
    .flatMap(({ board, worked }) => worked.map((queue) => ({ board, queue })))
    .slice(0, most);
  const answers = useQueries({
    queries: wanted.map(({ board, queue }) => workersOf(board, queue)),
  });
  return perBoard.map(({ board, worked, ...rest }, at) => {
    const read = activities[at];
    return {
      board,
      ...rest,
      worked: worked.length,
      queues: wanted.flatMap((each, index) =>
        each.board === board
          ? [{ name: each.queue, connections: answers[index]?.data?.workers ?? [] }]
          : [],
      ),
      loading:
        (read?.isPending ?? false) ||
        wanted.some((each, index) => each.board === board && answers[index]?.isPending),
      error: read?.error ?? undefined,
      stale: read?.data !== undefined,
      retry: () => void read?.refetch(),
    };
  });
}

export function useProcesses(): Processes[] {
  return useQueries({ queries: pgqBoards.map(processesOf) }).map(
    ({ data, error, isPending, refetch }, at) => ({
      board: pgqBoards[at] as Board,
      processes: data?.instances,
      loading: isPending,
      error: error ?? undefined,
      stale: data !== undefined,
      retry: () => void refetch(),
    }),
  );
}
