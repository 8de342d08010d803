/** Handler of the page of jobs in brief: of one status, or the newest of all. */

import { BoardError, type EngineHandlers, readCursor, writeCursor } from '../../core/index.ts';
import { presentSummary } from '../present/present-summary.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { SummaryPage } from '../model/job-summary.ts';
import type { JobStatus, JobSummaryField, Status } from '../model/types.ts';
import type { Scope } from './scope.ts';

const invalid = (field: string): BoardError =>
  new BoardError('INVALID_QUERY_PARAM', { code: 'INVALID_REQUEST', options: { field } });

/** The position in a cursor of a page of this status. */
function positionIn(queue: BoardQueue, status: Status, cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const position = readCursor(JSON.stringify(['jobs', status]), cursor);
  if (position?.queue !== queue.name || position.after === null) throw invalid('cursor');
  return position.after;
}

/** Whether functions of the host need the whole job. */
function needsWhole({ formatters, driver }: BoardQueue, fields: ReadonlySet<JobSummaryField>) {
  const named = formatters.name ?? driver.nameOf;
  return (
    (fields.has('name') && named !== undefined) ||
    (fields.has('data') && formatters.data !== undefined)
  );
}

/** The jobs of all pages, newest first; a job that moves during the read may be on two. */
function newest(pages: readonly SummaryPage[], limit: number) {
  const jobs = new Map(
    pages.flatMap(({ status, jobs: some }) =>
      some.map((summary) => [summary.job.id, { status, summary }] as const),
    ),
  );
  return [...jobs.values()]
    .toSorted((one, other) => other.summary.job.timestamp - one.summary.job.timestamp)
    .slice(0, limit);
}

export function jobPages(scope: Scope) {
  return {
    async listJobs(context) {
      const queue = await scope.queue(context);
      const { status, start, limit, cursor, fields, columns } = context.query;
      const isOne = status !== 'latest';
      if (!isOne && cursor !== undefined) throw invalid('cursor');
      if (start > 0 && (!isOne || cursor !== undefined)) throw invalid('start');
      const statuses: readonly JobStatus[] = queue.driver.statuses.filter(
        (each) => !isOne || each === status,
      );
      if (statuses.length === 0) return { jobs: [], total: 0, nextCursor: null };
      const after = positionIn(queue, status, cursor);
      const query = { statuses, start, limit, after, withData: fields.has('data') };
      // A column may lead into any part.
      const whole = columns !== undefined || needsWhole(queue, fields);
      const { maxReadBytes: maxBytes, heavy } = scope.options;
      // Others may wait for the same page, so that it is read although this client has gone.
      return heavy.run(async () => {
        const pages = await scope.snapshots.summaries(queue, { ...query, whole, maxBytes });
        const view = await scope.view(context.request);
        const next = isOne ? (pages[0]?.next ?? null) : null;
        return {
          jobs: newestOrListed(pages, isOne, limit).map(({ status: state, summary }) =>
            presentSummary(queue, summary, state, view, fields, columns),
          ),
          total: pages.reduce((sum, { total }) => sum + total, 0),
          nextCursor:
            next &&
            writeCursor(JSON.stringify(['jobs', status]), { queue: queue.name, after: next }),
        };
      });
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}

/** One status keeps the order of its page. */
function newestOrListed(pages: readonly SummaryPage[], isOne: boolean, limit: number) {
  if (!isOne) return newest(pages, limit);
  return pages.flatMap(({ status, jobs }) => jobs.map((summary) => ({ status, summary })));
}
