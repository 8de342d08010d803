/**
 * The workers of every board: connections of BullMQ and Bull by queue, processes of pg-boss with their workers; and the
 * jobs that run.
 */

import { queryOptions, useQueries } from '@tanstack/react-query';

import { allBoards } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import type { BoardFailure } from '../api/listings.ts';
import { failureOf } from '../api/errors.ts';
import { activity } from '../api/queries.ts';
import { uiConfig } from '../config.ts';
import { live } from '../live/loop.ts';

export type Connection = NonNullable<
  Answer<'GET /api/workers'>['queues'][number]['workers']
>[number];
export type Process = NonNullable<Answer<'GET /api/pgq/instances'>['instances']>[number];

/** Queues whose workers are shown at a time. */
export const queuesPerStep = 100;

const workersOf = ({ client }: Board) =>
  queryOptions({ ...client.read('GET /api/workers'), meta: live });

export type Running = Answer<'GET /api/running'>['queues'][number];

/** The jobs that run in a queue, or in all of them. */
export const runningOf = ({ client }: Board, queueName?: string) =>
  queryOptions({
    ...client.read('GET /api/running', { query: { queueName } }),
    enabled: ({ state }) => failureOf(state.error).status !== 403,
    meta: live,
  });

export const processesOf = ({ client }: Board) =>
  queryOptions({ ...client.read('GET /api/pgq/instances'), meta: live });

interface BoardState extends BoardFailure {
  readonly loading: boolean;
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
export const shownBoards = allBoards.filter(
  (board) => board.param !== undefined || uiConfig.showWorkers !== false,
);
const kvqBoards = shownBoards.filter(({ engine }) => engine === 'kvq');
const pgqBoards = shownBoards.filter(({ engine }) => engine === 'pgq');

/** @param most queues whose workers are shown, over all boards */
export function useConnections(matches: (queue: string) => boolean, most: number): Connections[] {
  const activities = useQueries({ queries: kvqBoards.map(activity) });
  const answers = useQueries({ queries: kvqBoards.map(workersOf) });
  let left = most;
  return kvqBoards.map((board, at) => {
    const [activity, read] = [activities[at], answers[at]];
    const active = (activity?.data?.queues ?? []).filter(({ queueName }) => matches(queueName));
    const idle = active.filter(
      ({ workers, oldestWaiting }) => workers === 0 && (oldestWaiting ?? 0) > 0,
    );
    const queues = (read?.data?.queues ?? []).filter(({ queueName }) => matches(queueName));
    const worked = queues
      .map(({ queueName: name, workers }) => ({ name, connections: workers ?? [] }))
      .filter(({ connections }) => connections.length > 0)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const shown = worked.slice(0, left);
    left -= shown.length;
    return {
      board,
      queues: shown,
      worked: worked.length,
      idle: idle.map(({ queueName }) => queueName),
      unreported: queues
        .filter(({ workers, problem }) => workers === null && problem === undefined)
        .map(({ queueName }) => queueName),
      loading: (activity?.isPending ?? false) || (read?.isPending ?? false),
      error: read?.error ?? activity?.error ?? undefined,
      stale: read?.data !== undefined,
      retry: () => void Promise.all([activity?.refetch(), read?.refetch()]),
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
