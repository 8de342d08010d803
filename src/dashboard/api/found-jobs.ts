/** Jobs of either engine that a search has found, as one kind. */

import { instant } from '../format/time.ts';
import type { Board } from './boards.ts';

export interface FoundJob {
  readonly board: Board;
  readonly queue: string;
  readonly id: string;
  /** Empty where jobs have no names. */
  readonly name: string;
  readonly state: string;
  /** When it was added, or finished for pg-boss. */
  readonly at: number | undefined;
  readonly reason?: string | undefined;
}

/** @param queue of all queues without one */
export async function findJobs(
  board: Board,
  queue: string | undefined,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<FoundJob[]> {
  const { client, engine } = board;
  if (engine === 'pgq') {
    const asked = { ...query, queues: queue };
    const { jobs } = await client.call('GET /api/pgq/search', { query: asked, signal });
    return jobs.map(({ queueName, id, state, completedOn }) => ({
      board,
      queue: queueName,
      id,
      name: '',
      state,
      at: instant(completedOn),
    }));
  }
  const { jobs } =
    queue === undefined
      ? await client.call('GET /api/search', { query, signal })
      : await client.call('GET /api/queues/{queueName}/search', {
          params: { queueName: queue },
          query,
          signal,
        });
  return jobs.map(({ queueName, job, status }) => ({
    board,
    queue: queueName,
    id: String(job.id ?? ''),
    name: job.name,
    state: status,
    at: job.timestamp,
    reason: job.failedReason,
  }));
}
