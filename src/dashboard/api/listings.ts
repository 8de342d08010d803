/** The listings of queues of the boards, and the boards that could not be read. */

import { useQueries, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';

import { allBoards } from './boards.ts';
import type { Board } from './boards.ts';
import type { Answer } from './client.ts';
import { kvqQueues, pgqQueues } from './queries.ts';

export type KvqListing = Answer<'GET /api/queues'>;
export type PgqListing = Answer<'GET /api/pgq/queues'>;
export type Listing = KvqListing | PgqListing;

/** A board that could not be read. */
export interface BoardFailure {
  readonly board: Board;
  readonly error: unknown;
  readonly retry: () => void;
  /** Whether something is known of it from before. */
  readonly stale: boolean;
}

// Both listings have the same key, but not the same type.
const listingOf = (board: Board): never =>
  (board.engine === 'kvq' ? kvqQueues(board) : pgqQueues(board)) as never;

/** One observer of a board: of two, the last one would decide which route is read again. */
export const useListing = (board: Board) => useQuery<Listing>(listingOf(board));

/** The listings of all boards, in their order. */
export const useListings = (): readonly UseQueryResult<Listing>[] =>
  useQueries({ queries: allBoards.map(listingOf) });

/** The failures among the answers of all boards. */
export const failuresOf = (answers: readonly UseQueryResult<unknown>[]): BoardFailure[] =>
  allBoards.flatMap((board, at) => {
    const { error, data, refetch } = answers[at] ?? {};
    return error
      ? [{ board, error, retry: () => void refetch?.(), stale: data !== undefined }]
      : [];
  });
