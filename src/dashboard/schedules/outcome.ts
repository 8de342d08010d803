/** The outcomes of the last jobs of a schedule. */

import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import type { ScheduleRow } from './rows.ts';

/** A run that has begun. */
export interface Outcome {
  readonly jobId: string;
  readonly state: string;
  /** When it was due; undefined where the engine does not tell. */
  readonly due: number | undefined;
}

/** Runs that are shown. */
const most = 5;

const ended: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled', undefined]);

/** Milliseconds between two reads, while the last job has not ended, and otherwise. */
const [pendingMs, endedMs] = [5_000, 60_000];

async function runsOf(
  { board, queue: queueName, key: schedulerId, lastJobId: id }: ScheduleRow,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  if (board.engine === 'kvq') {
    const { runs } = await board.client.call(
      'GET /api/queues/{queueName}/job-schedulers/{schedulerId}/runs',
      { params: { queueName, schedulerId }, query: { limit: most }, signal },
    );
    return runs.map(({ jobId, status, dueOn }) => ({ jobId, state: status, due: dueOn }));
  }
  // pg-boss keeps the id of the last job alone. A search for an id answers with nothing where the job is gone.
  if (id === undefined) return [];
  const { jobs } = await board.client.call('GET /api/pgq/search', {
    query: { id, queues: queueName, limit: '1' },
    signal,
  });
  return jobs.map(({ state }) => ({ jobId: id, state, due: undefined }));
}

/** The last runs of a schedule whose jobs are stored, newest first. */
export const outcomesOf = (row: ScheduleRow) =>
  queryOptions({
    // The next run changes when one has begun.
    // No command repeats it: a schedule that has been removed has no runs to ask for.
    queryKey: ['outcomes', row.board.basePath, row.queue, row.key, row.next, row.lastJobId],
    queryFn: ({ signal }) => runsOf(row, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    // A job that has ended stays as it is; many rows would ask for nothing.
    refetchInterval: ({ state }) => (ended.has(state.data?.[0]?.state) ? endedMs : pendingMs),
  });
