/** Jobs of a board by a few words: an id is found directly, otherwise names, then reasons of failures are searched. */

import { queryOptions } from '@tanstack/react-query';

import type { Board } from '../api/boards.ts';
import { failureOf } from '../api/errors.ts';

export interface FoundJob {
  readonly board: Board;
  readonly queue: string;
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly reason: string | undefined;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const limit = 5;

async function searchKvq(board: Board, text: string, signal: AbortSignal): Promise<FoundJob[]> {
  const ask = (query: { id: string } | { name: string } | { error: string }) =>
    board.client.call('GET /api/search', { query: { ...query, limit: String(limit) }, signal });
  const [byId, byName, byError] = await Promise.all([
    ask({ id: text }),
    ask({ name: text }),
    ask({ error: text }),
  ]);
  const jobs = [byId, byName, byError].flatMap((answer) => answer.jobs);
  const known = new Map(
    jobs.map(({ queueName, job, status }) => [
      `${queueName} ${job.id}`,
      {
        board,
        queue: queueName,
        id: String(job.id ?? ''),
        name: job.name,
        state: status,
        reason: job.failedReason,
      },
    ]),
  );
  return [...known.values()].slice(0, 2 * limit);
}

async function searchPgq(board: Board, text: string, signal: AbortSignal): Promise<FoundJob[]> {
  const query = uuid.test(text) ? { id: text } : { error: text };
  const { jobs } = await board.client.call('GET /api/pgq/search', {
    query: { ...query, limit: String(limit) },
    signal,
  });
  return jobs.map(({ queueName, id, state }) => ({
    board,
    queue: queueName,
    id,
    name: '',
    state,
    reason: uuid.test(text) ? undefined : text,
  }));
}

export const findJobs = (board: Board, text: string) =>
  queryOptions({
    queryKey: [board.basePath, 'find', text],
    enabled: text.length > 1,
    queryFn: async ({ signal }): Promise<FoundJob[]> => {
      try {
        return board.engine === 'kvq'
          ? await searchKvq(board, text, signal)
          : await searchPgq(board, text, signal);
      } catch (error) {
        // A closed field or a forbidden search finds nothing.
        if (failureOf(error).status >= 400 && failureOf(error).status < 500) return [];
        throw error;
      }
    },
    staleTime: 10_000,
  });
