/** The filter as text of a search or a run. Its grammar is large, and loaded with its first use. */

import type { JobWhere } from '../model/search-criteria.ts';
import { shownReason, type JobView } from '../present/job-view.ts';
import type { BoardQueue } from '../queue/board-queue.ts';

/** A filter that a request asks. */
export interface AskedWhere {
  /** Fields and paths that it names. */
  readonly paths: ReadonlySet<string>;
  /** The range in which a job has to have ended. */
  readonly within: { readonly finishedFrom?: number; readonly finishedTo?: number };
  /** The filter in a queue, where an error counts as the sender sees it: it may name a hidden child. */
  readonly whereIn: (queue: BoardQueue) => JobWhere;
}

/** @throws {BoardError} INVALID_QUERY_PARAM when the text is not a filter */
export async function askedWhere(
  { where }: { readonly where?: string | undefined },
  view: Pick<JobView, 'sees'>,
  now?: number,
): Promise<AskedWhere | undefined> {
  if (where === undefined) return undefined;
  const [{ readWhere }, { endsWithin, whereOf }] = await Promise.all([
    import('../../filters/where.ts'),
    import('../model/job-where.ts'),
  ]);
  const asked = readWhere('kvq', where, now);
  return {
    paths: asked.paths,
    within: endsWithin(asked),
    whereIn: (queue) => whereOf(asked, (error) => shownReason(view, queue, error)),
  };
}

/** The filter of a run, which tells times from its beginning. */
export async function fixedFilter(
  filter: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  if (filter['where'] === undefined) return filter;
  const { fixedFilter: fixed } = await import('../../filters/where.ts');
  return fixed('kvq', filter);
}
