/** How many jobs of a list fit each condition of its filter alone, where one answer of a search can tell. */

import { useQuery } from '@tanstack/react-query';

import type { QueuePlace } from '../api/boards.ts';
import { exact } from '../format/number.ts';
import { readFilter } from '../queue/filter-language.ts';
import { perAnswer, readJobs, within } from '../queue/jobs.ts';
import { spanOf } from '../timeline/span.ts';
import { useView } from '../view.ts';

export interface CountedConditions extends QueuePlace {
  readonly conditions: readonly string[];
  /** Whether the list below was read in little time; it comes first. */
  readonly ready: boolean;
}

/** The numbers of jobs by condition, a `+` behind those of full answers; undefined where an answer looks at too few jobs. */
export function useConditionCounts({ board, queueName, conditions, ready }: CountedConditions) {
  const { state = 'latest', asOf, from, to } = useView();
  const { data } = useQuery({
    queryKey: [board.basePath, 'conditions', queueName, state, asOf, from, to, conditions],
    enabled: ready,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async ({ signal }) => {
      const span = spanOf({ from, to });
      const counts: (string | undefined)[] = [];
      // One after the other: a board searches for few at a time.
      for (const q of conditions) {
        const query = {
          ...readFilter(board.engine, { q, asOf }).search?.query,
          ...(span && within(board.engine, state, span)),
        };
        const listing = { state, cursor: undefined, size: perAnswer, order: 'desc' } as const;
        const { jobs, nextCursor } = await readJobs(
          board,
          queueName,
          { ...listing, search: { query } },
          signal,
        );
        const isFull = jobs.length >= perAnswer;
        counts.push(
          nextCursor === null ? exact(jobs.length) : isFull ? `${exact(jobs.length)}+` : undefined,
        );
      }
      return counts;
    },
  });
  return data ?? [];
}
