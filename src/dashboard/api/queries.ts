/** The queries of the dashboard: keys begin with the board, so that a command can have all of its reads repeated. */

import { QueryClient, queryOptions } from '@tanstack/react-query';

import { live } from '../live/loop.ts';
import type { Board } from './boards.ts';
import { failureOf } from './errors.ts';

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // The loop asks again; only a first read is repeated at once.
      retry: (count, error) => count < 1 && failureOf(error).status === 0,
      retryDelay: 300,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** The listing of a board, which its stream brings too. */
const listing = ({ basePath }: Board) => ({ queryKey: [basePath, 'queues'], meta: live });

export const kvqQueues = (board: Board) =>
  queryOptions({
    ...board.client.read('GET /api/queues', { query: { jobs: 'false' } }),
    ...listing(board),
  });

export const pgqQueues = (board: Board) =>
  queryOptions({ ...board.client.read('GET /api/pgq/queues'), ...listing(board) });

/** Whether the sender may read what concerns the board as a whole; a listing says it. */
export const mayReadBoard = (
  listing: { readonly allowed?: readonly string[] | undefined } | undefined,
): boolean =>
  listing !== undefined &&
  (listing.allowed === undefined || listing.allowed.includes('board.read'));

export const pgqInfo = ({ client }: Board) =>
  queryOptions({ ...client.read('GET /api/pgq/info'), staleTime: 30_000 });

export const kvStats = ({ client }: Board) =>
  queryOptions({ ...client.read('GET /api/kv/stats'), staleTime: 30_000, retry: false });

/** The activity of the queues, minute by minute of the last hour. */
export const activity = ({ client }: Board) =>
  queryOptions({ ...client.read('GET /api/activity', { query: { minutes: '60' } }), meta: live });

/** Values beyond the thresholds of the host; a client without the permission does not ask again. */
export const attention = ({ client, hasAttention = false }: Board) =>
  queryOptions({
    ...client.read('GET /api/attention'),
    enabled: ({ state }) => hasAttention && failureOf(state.error).status !== 403,
    meta: live,
  });

/** Reads of a board, or of one of its queues, are repeated. */
export function repeatReads({ basePath }: Board): Promise<void> {
  return queries.invalidateQueries({ queryKey: [basePath] });
}
