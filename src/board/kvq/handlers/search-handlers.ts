/** Finds jobs: by id directly, otherwise by scanning a bounded part of the queues per request. */

import { BoardError, datastoreUnavailable } from '../../core/index.ts';
import type { EngineHandlers, HandlerContext } from '../../core/index.ts';
import { isStorableText } from '../../../schema/index.ts';
import type { kvqRoutes } from '../../contract/index.ts';
import { settleWithin } from '../reads/settle-within.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { presentJob } from '../present/present-job.ts';
import { problemOf } from '../present/present-queue.ts';
import { asError } from '../queue/problem-log.ts';
import { readCursor, writeCursor } from '../reads/search-cursor.ts';
import { factsReader, searchQueues } from '../reads/search-queues.ts';
import type { FoundInQueue, QueueProblem, SearchCriteria } from '../reads/search-queues.ts';
import type { AppJob, JobState } from '../model/types.ts';
import { isUnavailable } from '../errors/unavailable.ts';
import type { Scope } from './scope.ts';
import { timeouts } from '../timeouts.ts';

/** Maximum number of segments of a path. */
const maxPathLength = 32;

type SearchContext = HandlerContext<typeof kvqRoutes.searchJobs>;
type Query = SearchContext['query'];

/** The response. */
interface Answer {
  jobs: { queueName: string; job: AppJob; status: JobState }[];
  examined: number | null;
  nextCursor: string | null;
  problems?: { queueName: string; problem: { key: string } }[];
}

const invalid = (field: string): BoardError =>
  new BoardError('INVALID_QUERY_PARAM', { code: 'INVALID_REQUEST', options: { field } });

function criteriaOf(query: Query): SearchCriteria {
  const { name, path, value, error, from, to, status, limit } = query;
  for (const [field, text] of Object.entries({ name, path, value, error })) {
    if (text !== undefined && !isStorableText(text)) throw invalid(field);
  }
  const steps = path?.split('.');
  if (steps && steps.length > maxPathLength) throw invalid('path');
  return {
    limit,
    ...(status !== undefined && { status }),
    ...(name !== undefined && { name }),
    ...(steps && { path: steps }),
    ...(value !== undefined && { value }),
    ...(error !== undefined && { error }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** Searches every queue for the id. With a single queue, its error rejects. */
async function findById(
  queues: readonly BoardQueue[],
  id: string,
): Promise<{ found: FoundInQueue[]; problems: QueueProblem[] }> {
  if (!isStorableText(id)) throw invalid('id');
  const works = queues.map((queue) => queue.driver.store.job(id));
  const [only] = works;
  const outcomes = await settleWithin(works, timeouts());
  if (works.length === 1) await only;
  const found: FoundInQueue[] = [];
  const problems: QueueProblem[] = [];
  for (const [index, queue] of queues.entries()) {
    const outcome = outcomes[index];
    if (outcome && 'error' in outcome) problems.push({ queue, error: asError(outcome.error) });
    else if (outcome?.value) found.push({ queue, ...outcome.value });
  }
  return { found, problems };
}

export function searchHandlers(scope: Scope) {
  const reader = factsReader();

  /** The queues that could not be searched; if all of them failed, the request fails. */
  const problemsOf = (queues: readonly BoardQueue[], problems: readonly QueueProblem[]) => {
    const failed = new Map(problems.map(({ queue, error }) => [queue, error]));
    for (const queue of queues)
      scope.options.problems.note(queue, 'search', failed.get(queue) ?? null);
    const [first] = problems;
    if (!first) return {};
    if (problems.length === queues.length) {
      const away = problems.find(({ error }) => isUnavailable(error));
      throw away ? datastoreUnavailable(away.error) : first.error;
    }
    return {
      problems: problems.map(({ queue, error }) => ({
        queueName: queue.name,
        problem: problemOf(error),
      })),
    };
  };

  const shown = (found: readonly FoundInQueue[]): Answer['jobs'] =>
    found.map(({ queue, job, state }) => ({
      queueName: queue.name,
      job: presentJob(queue, job),
      status: state,
    }));

  const searchIn = async (
    queues: readonly BoardQueue[],
    route: string,
    { query, signal }: Pick<SearchContext, 'query' | 'signal'>,
  ): Promise<Answer> => {
    if (query.id !== undefined) {
      const { found, problems } = await findById(queues, query.id);
      const jobs = shown(found);
      const examined = queues.length;
      return { jobs, examined, nextCursor: null, ...problemsOf(queues, problems) };
    }
    const { cursor, limit: _limit, ...asked } = query;
    const criteria = criteriaOf(query);
    const search = JSON.stringify([route, asked]);
    const from = cursor === undefined ? null : readCursor(search, cursor);
    if (cursor !== undefined && !from) throw invalid('cursor');
    const outcome = await searchQueues(queues, criteria, from, { reader, signal });
    return {
      jobs: shown(outcome.found),
      examined: outcome.counted ? outcome.budget.examined : null,
      nextCursor: outcome.next && writeCursor(search, outcome.next),
      ...problemsOf(queues, outcome.problems),
    };
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
