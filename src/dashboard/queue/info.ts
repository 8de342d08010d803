/** The properties and capabilities of a queue, for either engine. */

import { queryOptions, useQuery } from '@tanstack/react-query';

import type { Board, QueuePlace } from '../api/boards.ts';
import { useListing } from '../api/listings.ts';
import type { KvqListing, PgqListing } from '../api/listings.ts';
import { mayReadBoard, pgqInfo } from '../api/queries.ts';
import { uiConfig } from '../config.ts';
import { live } from '../live/loop.ts';
import type { QueueRights } from '../job/verbs.ts';
import type { KvqQueue, PgqQueue } from '../overview/rows.ts';

export interface StateTab {
  /** `latest`: all of them. */
  readonly state: string;
  readonly count: number | null | undefined;
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

const liveCounts = ({ client }: Board, queueName: string) =>
  queryOptions({
    ...client.read('GET /api/pgq/queues/{queueName}/counts', { params: { queueName } }),
    meta: live,
  });

const pgqStates = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;

export interface QueueAnswer {
  readonly info: QueueInfo | undefined;
  readonly loading: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

const names = { legacy: 'Bull', current: 'BullMQ', 'current-pro': 'BullMQ Pro' } as const;

export function useQueueInfo(board: Board, queueName: string): QueueAnswer {
  const isPgq = board.engine === 'pgq';
  const listing = useListing(board);
  const readable = mayReadBoard(listing.data);
  const installed = useQuery({ ...pgqInfo(board), enabled: isPgq && readable });
  // A queue that is not listed is hidden, or not there.
  const listed = listing.data?.queues.some(({ name }) => name === queueName) ?? false;
  const counts = useQuery({ ...liveCounts(board, queueName), enabled: isPgq && listed });
  const { error, refetch, isPending: loading } = listing;
  const retry = () => void refetch();
  if (isPgq) {
    const answer = listing.data as PgqListing | undefined;
    const queue = answer?.queues.find(({ name }) => name === queueName);
    if (!queue) return { info: undefined, loading, error, retry };
    const capabilities = installed.data?.capabilities;
    // Those who may not read what the library can do are told by its answers.
    const unknown = listing.data !== undefined && !readable;
    const writable = capabilities?.bulk ?? unknown;
    return {
      loading,
      error,
      retry,
      info: {
        pgq: queue,
        title: queue.name,
        library: 'pg-boss',
        store: 'PostgreSQL',
        paused: false,
        readOnly: installed.data !== undefined && !installed.data.writable,
        allowed: queue.allowed ?? answer?.allowed,
        rights: {
          writable,
          retries: capabilities?.retry ?? unknown,
          completedRetries: false,
          promote: false,
        },
        tabs: [
          { state: 'latest', count: undefined, capped: false },
          ...pgqStates.map((state) => ({
            state,
            count: counts.data?.counts[state].count,
            capped: counts.data?.counts[state].capped ?? false,
          })),
        ],
      },
    };
  }
  const answer = listing.data as KvqListing | undefined;
  const queue = answer?.queues.find(({ name }) => name === queueName);
  if (!queue) return { info: undefined, loading, error, retry };
  const readOnly = queue.readOnlyMode || (board.param === undefined && uiConfig.readOnly === true);
  return {
    loading,
    error,
    retry,
    info: {
      kvq: queue,
      title: queue.displayName ?? queue.name,
      library: names[queue.library],
      store: queue.datastore === 'sql' ? 'PostgreSQL' : 'Redis',
      description: queue.description,
      paused: queue.isPaused,
      readOnly,
      allowed: queue.allowed ?? answer?.allowed,
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
    },
  };
}
