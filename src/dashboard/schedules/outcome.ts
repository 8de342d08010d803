/** What became of the last job of a schedule. */

import { queryOptions } from '@tanstack/react-query';

import type { ScheduleRow } from './rows.ts';

const ended: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled', null]);

/** Milliseconds between two reads of a job that has not ended. */
const pendingMs = 5_000;

/** The state of the last job; null where it is gone. */
export const outcomeOf = ({ board, queue: queueName, lastJobId: id }: ScheduleRow) =>
  queryOptions({
    queryKey: [board.basePath, 'outcome', queueName, id],
    queryFn: async ({ signal }): Promise<string | null> => {
      if (id === undefined) return null;
      // A search for an id answers with nothing where the job is gone.
      if (board.engine === 'kvq') {
        const { jobs } = await board.client.call('GET /api/queues/{queueName}/search', {
          params: { queueName },
          query: { id, limit: '1' },
          signal,
        });
        return jobs[0]?.status ?? null;
      }
      const { jobs } = await board.client.call('GET /api/pgq/search', {
        query: { id, queues: queueName, limit: '1' },
        signal,
      });
      return jobs[0]?.state ?? null;
    },
    enabled: id !== undefined,
    staleTime: 30_000,
    // A job that has ended stays as it is; many rows would ask for nothing.
    refetchInterval: ({ state }) => (ended.has(state.data) ? false : pendingMs),
  });
