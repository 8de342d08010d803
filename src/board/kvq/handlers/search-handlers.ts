/** Finds jobs: by id at once, otherwise a bounded piece of the queues at a time. */

import { BoardError } from '../../core/index.ts';
import type { EngineHandlers, HandlerContext } from '../../core/index.ts';
import { isStorableText } from '../../../schema/index.ts';
import type { kvqRoutes } from '../../contract/index.ts';
import type { BoardQueue } from '../board-queue.ts';
import { presentJob } from '../present-job.ts';
import type { FoundJob, JobCriteria } from '../search/criteria.ts';
import { readCursor, writeCursor } from '../search/cursor.ts';
import type { SearchPlace } from '../search/cursor.ts';
import type { AppJob, JobState } from '../types.ts';
import type { Scope } from './scope.ts';

/** Jobs one request looks at. */
const budget = 5_000;

/** Levels a path may go down. */
const maxPathLength = 32;

type SearchContext = HandlerContext<typeof kvqRoutes.searchJobs>;
type Query = SearchContext['query'];

/** What is answered. */
interface Answer {
  jobs: { queueName: string; job: AppJob; status: JobState }[];
  examined: number | null;
  nextCursor: string | null;
}

const invalid = (field: string): BoardError =>
  new BoardError('INVALID_QUERY_PARAM', { code: 'INVALID_REQUEST', options: { field } });

function criteriaOf(query: Query): Omit<JobCriteria, 'statuses' | 'limit' | 'budget'> {
  const { name, path, value, error, from, to } = query;
  for (const [field, text] of Object.entries({ name, path, value, error })) {
    if (text !== undefined && !isStorableText(text)) throw invalid(field);
  }
  const steps = path?.split('.');
  if (steps && steps.length > maxPathLength) throw invalid('path');
  return {
    ...(name !== undefined && { name }),
    ...(steps && { path: steps }),
    ...(value !== undefined && { value }),
    ...(error !== undefined && { error }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

const shown = (queue: BoardQueue, { job, state }: FoundJob): Answer['jobs'][number] => ({
  queueName: queue.name,
  job: presentJob(queue, job),
  status: state,
});

async function byId(queues: readonly BoardQueue[], id: string): Promise<Answer> {
  if (!isStorableText(id)) throw invalid('id');
  const found = await Promise.allSettled(queues.map((queue) => queue.driver.store.job(id)));
  const [first] = found;
  if (first?.status === 'rejected' && found.every(({ status }) => status === 'rejected')) {
    throw first.reason;
  }
  const jobs = found.flatMap((result, index) => {
    const queue = queues[index];
    return result.status === 'fulfilled' && result.value && queue
      ? [shown(queue, result.value)]
      : [];
  });
  return { jobs, examined: queues.length, nextCursor: null };
}

/** Looks through the queues in the order of their names, from the cursor's on. */
async function lookThrough(
  queues: readonly BoardQueue[],
  query: Query,
  search: string,
  signal: AbortSignal,
): Promise<Answer> {
  const criteria = criteriaOf(query);
  const from = query.cursor === undefined ? null : readCursor(search, query.cursor);
  if (query.cursor !== undefined && !from) throw invalid('cursor');
  const jobs: Answer['jobs'] = [];
  let examined = 0;
  let told = false;
  const ordered = queues
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .filter((queue) => from === null || queue.name >= from.queue);
  const stop = (place: SearchPlace): Answer => ({
    jobs,
    examined: told || examined > 0 ? examined : null,
    nextCursor: writeCursor(search, place),
  });
  for (const queue of ordered) {
    const { driver } = queue;
    const after = from?.queue === queue.name ? from.after : null;
    const limit = query.limit - jobs.length;
    if (limit <= 0 || examined >= budget || signal.aborted) {
      return stop({ queue: queue.name, after });
    }
    const statuses = driver.statuses.filter(
      (status) => query.status === undefined || status === query.status,
    );
    if (statuses.length === 0) continue;
    const result = await driver.store.find({
      ...criteria,
      statuses,
      limit,
      budget: budget - examined,
      ...(after !== null && { after }),
    });
    jobs.push(...result.found.map((found) => shown(queue, found)));
    if (result.examined !== null) told = true;
    examined += result.examined ?? 0;
    if (result.next !== null) return stop({ queue: queue.name, after: result.next });
  }
  return { jobs, examined: told ? examined : null, nextCursor: null };
}

export function searchHandlers(scope: Scope) {
  const searchIn = (
    queues: readonly BoardQueue[],
    route: string,
    { query, signal }: Pick<SearchContext, 'query' | 'signal'>,
  ) => {
    if (query.id !== undefined) return byId(queues, query.id);
    const { cursor: _cursor, limit: _limit, ...asked } = query;
    return lookThrough(queues, query, JSON.stringify([route, asked]), signal);
  };
  return {
    async searchQueueJobs(context) {
      const queue = await scope.queue(context);
      return searchIn([queue], queue.name, context);
    },
    async searchJobs(context) {
      return searchIn(await scope.visible(context.request), '', context);
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
