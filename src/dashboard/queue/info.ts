/** The properties and capabilities of a queue, for either engine. */

import { queryOptions, useQuery } from '@tanstack/react-query';

import type { Board, QueuePlace } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { useListing } from '../api/listings.ts';

import { mayReadBoard, pgqInfo } from '../api/queries.ts';
import { uiConfig } from '../config.ts';
import { live } from '../live/loop.ts';
import type { QueueRights } from '../job/verbs.ts';
import { kvqRow, lacksWorker } from '../overview/rows.ts';
import type { KvqQueue, PgqQueue } from '../overview/rows.ts';

export interface StateTab {
  /** `latest`: all of them. */
  readonly state: string;
  readonly count?: number | null | undefined;
  readonly capped: boolean;
}

export interface QueueInfo {
  readonly kvq?: KvqQueue | undefined;
  readonly pgq?: PgqQueue | undefined;
  readonly title: string;
  readonly library: string;
  readonly store: string;
  readonly description?: string | undefined;
  readonly paused: boolean;
  /** Since when, by whom and why, where a board has paused it. */
  readonly pause?: KvqQueue['pause'];
  /** Whether jobs wait and nobody is there to run them. */
  readonly deserted: boolean;
  /** Whether the attempts of a job are those that have ended. */
  readonly countsEnded: boolean;
  /** Read only by the board, the queue, or the schema guard. */
  readonly readOnly: boolean;
  readonly rights: QueueRights;
  /** Actions that this person may do; undefined for all. */
  readonly allowed?: readonly string[] | undefined;
  readonly tabs: readonly StateTab[];
  readonly problem?: string | undefined;
}

export interface ShownQueue extends QueuePlace {
  readonly info: QueueInfo;
}

type LiveCounts = Answer<'GET /api/pgq/queues/{queueName}/counts'>['counts'];

const liveCounts = ({ client }: Board, queueName: string) =>
  queryOptions({
    ...client.read('GET /api/pgq/queues/{queueName}/counts', { params: { queueName } }),
    meta: live,
  });

const pgqStates = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;

const names = { legacy: 'Bull', current: 'BullMQ', 'current-pro': 'BullMQ Pro' } as const;

/** The queues of a board: `infoOf` is undefined for one that is hidden, or not there. */
export function useQueueInfos(board: Board) {
  const isPgq = board.engine === 'pgq';
  const { data, error, refetch, isPending: loading } = useListing(board);
  const readable = mayReadBoard(data);
  const installed = useQuery({ ...pgqInfo(board), enabled: isPgq && readable }).data;
  const infoOf = (queueName: string, counts?: LiveCounts): QueueInfo | undefined => {
    const queue = (data?.queues as readonly (KvqQueue | PgqQueue)[] | undefined)?.find(
      ({ name }) => name === queueName,
    );
    const allowed = queue?.allowed ?? data?.allowed;
    return (
      queue &&
      (isPgq
        ? // Those who may not read what the library can do are told by its answers.
          pgqQueueInfo(queue as PgqQueue, allowed, installed, counts, !readable)
        : kvqQueueInfo(board, queue as KvqQueue, allowed))
    );
  };
  return { infoOf, loading, error, retry: () => void refetch() };
}

export function useQueueInfo(board: Board, queueName: string) {
  const { infoOf, ...rest } = useQueueInfos(board);
  const enabled = board.engine === 'pgq' && infoOf(queueName) !== undefined;
  const { counts } = useQuery({ ...liveCounts(board, queueName), enabled }).data ?? {};
  return { info: infoOf(queueName, counts), ...rest };
}

function pgqQueueInfo(
  queue: PgqQueue,
  allowed: readonly string[] | undefined,
  installed: Answer<'GET /api/pgq/info'> | undefined,
  counts: LiveCounts | undefined,
  unknown: boolean,
): QueueInfo {
  return {
    pgq: queue,
    title: queue.name,
    library: 'pg-boss',
    store: 'PostgreSQL',
    paused: false,
    deserted: false,
    countsEnded: false,
    readOnly: installed !== undefined && !installed.writable,
    allowed,
    rights: {
      writable: installed?.capabilities.bulk ?? unknown,
      retries: installed?.capabilities.retry ?? unknown,
      completedRetries: false,
      promote: false,
    },
    tabs: [
      { state: 'latest', capped: false },
      ...pgqStates.map((state) => ({
        state,
        count: counts?.[state].count,
        capped: counts?.[state].capped ?? false,
      })),
    ],
  };
}

function kvqQueueInfo(
  board: Board,
  queue: KvqQueue,
  allowed: readonly string[] | undefined,
): QueueInfo {
  const readOnly = queue.readOnlyMode || (board.param === undefined && uiConfig.readOnly === true);
  return {
    kvq: queue,
    title: queue.displayName ?? queue.name,
    library: names[queue.library],
    store: queue.datastore === 'sql' ? 'PostgreSQL' : 'Redis',
    description: queue.description,
    paused: queue.isPaused,
    pause: queue.pause,
    deserted: lacksWorker(kvqRow(board, queue)),
    countsEnded: queue.library !== 'legacy',
    readOnly,
    allowed,
    rights: {
      writable: !readOnly,
      retries: queue.allowRetries && !readOnly,
      completedRetries: queue.allowCompletedRetries,
      promote: queue.capabilities.promote,
    },
    tabs: queue.statuses.map((state) => ({
      state,
      count: state === 'latest' ? undefined : (queue.counts[state] ?? 0),
      capped: false,
    })),
    problem: queue.problem?.key,
  };
}
