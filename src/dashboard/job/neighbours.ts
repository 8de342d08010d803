/** The jobs around one in the list that a person came from. */

import { useQuery } from '@tanstack/react-query';

import { useBoard } from '../api/boards.ts';
import { readFilter } from '../queue/filter-language.ts';
import { jobPage, pageSizeOf } from '../queue/jobs.ts';
import { useView } from '../view.ts';
import type { JobDetail } from './detail.ts';

/** The jobs before and after in the list that the person came from. */
export function useNeighbours(job: JobDetail): {
  previous: string | undefined;
  next: string | undefined;
} {
  const board = useBoard();
  const view = useView();
  const read = readFilter(board.engine, view.q ?? '');
  const { data } = useQuery({
    ...jobPage(board, job.queueName, {
      state: view.state ?? 'latest',
      cursor: view.cursor,
      size: pageSizeOf(view),
      order: view.order === 'asc' ? 'asc' : 'desc',
      search: read.search,
    }),
    enabled: read.error === undefined,
    // The list stays as it was while its jobs are looked through.
    staleTime: Number.POSITIVE_INFINITY,
    meta: {},
  });
  const at = data?.jobs.findIndex(({ id }) => id === job.id) ?? -1;
  return {
    previous: at > 0 ? data?.jobs[at - 1]?.id : undefined,
    next: at >= 0 ? data?.jobs[at + 1]?.id : undefined,
  };
}
