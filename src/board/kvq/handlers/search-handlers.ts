/** Finds jobs: by id directly, otherwise by scanning a bounded part of the queues per request. */

import {
  BoardError,
  type EngineHandlers,
  type HandlerContext,
  readCursor,
  writeCursor,
} from '../../core/index.ts';
import { isStorableText } from '../../../schema/index.ts';
import type { kvqRoutes } from '../../contract/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { mayNameChild, shownReason, type JobView } from '../present/job-view.ts';
import { presentJob } from '../present/present-job.ts';
import { jobColumns } from '../present/present-summary.ts';
import { problemOf } from '../present/present-queue.ts';
import { asError } from '../queue/problem-log.ts';
import { clockOf, withClock } from '../../filters/clock.ts';
import { examinedOf } from '../model/examined.ts';
import type { DataRange } from '../model/search-criteria.ts';
import { factsReader, searchQueues } from '../reads/search-queues.ts';
import type { FoundInQueue, QueueProblem, SearchCriteria } from '../reads/search-queues.ts';
import type { AppJob, JobState } from '../model/types.ts';
import { isUnavailable } from '../errors/unavailable.ts';
import { type AskedWhere, askedWhere } from '../reads/asked-where.ts';
import type { Scope } from './scope.ts';
import { timeouts } from '../timeouts.ts';
import { settleWithin } from '../reads/group-reader.ts';

/** Maximum number of segments of a path. */
const maxPathLength = 32;

type SearchContext = HandlerContext<typeof kvqRoutes.searchJobs>;
export type Query = SearchContext['query'];

/** The response. */
interface Answer {
  jobs: {
    queueName: string;
    job: AppJob;
    status: JobState;
    columns?: (string | null)[] | undefined;
  }[];
  examined: number | null;
  nextCursor: string | null;
  problems?: { queueName: string; problem: { key: string } }[];
}

const invalid = (field: string): BoardError =>
  new BoardError('INVALID_QUERY_PARAM', { code: 'INVALID_REQUEST', options: { field } });

const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(text);

/** Bounds of one kind: of numbers, if they are. */
function rangeOf(min: string | undefined, max: string | undefined): DataRange {
  const given = [min, max].filter((bound) => bound !== undefined);
  if (!given.every(isNumber)) {
    if (given.some(isNumber)) throw invalid('max');
    return { of: 'string', ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  }
  if (!given.every((bound) => Number.isFinite(Number(bound)))) throw invalid('max');
  return {
    of: 'number',
    ...(min !== undefined && { min: Number(min) }),
    ...(max !== undefined && { max: Number(max) }),
  };
}

export function criteriaOf(
  query: Query,
  within: AskedWhere['within'] = {},
): Omit<SearchCriteria, 'accepts' | 'whereIn'> {
  const { name, path, value, contains, min, max, error, from, to, status, limit } = query;
  for (const [field, text] of Object.entries({ name, path, value, contains, min, max, error })) {
    if (text !== undefined && !isStorableText(text)) throw invalid(field);
  }
  const steps = path?.split('.');
  if (steps && steps.length > maxPathLength) throw invalid('path');
  const finishedFrom = Math.max(query.finishedFrom ?? -Infinity, within.finishedFrom ?? -Infinity);
  const finishedTo = Math.min(query.finishedTo ?? Infinity, within.finishedTo ?? Infinity);
  return {
    limit,
    ...(status !== undefined && { status }),
    ...(name !== undefined && { name }),
    ...(steps && { path: steps }),
    ...(value !== undefined && { value }),
    ...(contains !== undefined && { contains }),
    ...((min !== undefined || max !== undefined) && { range: rangeOf(min, max) }),
    ...(query.ignoreCase && { ignoreCase: true }),
    ...(error !== undefined && { error }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(finishedFrom > -Infinity && { finishedFrom }),
    ...(finishedTo < Infinity && { finishedTo }),
  };
}

/** The refusal to search a queue by a part that its formatter replaces. */
export function closedField(
  queue: BoardQueue,
  { name, path }: Query,
  where: AskedWhere | undefined,
): BoardError | undefined {
  const paths = [...(where?.paths ?? [])];
  const asked = [
    ['name', 'name', name !== undefined || paths.includes('name')],
    ['path', 'data', path !== undefined],
    ['data', 'data', paths.some((each) => each.startsWith('data.'))],
  ] as const;
  const closed = asked.find(([, part, isAsked]) => isAsked && !queue.isSearchable(part));
  if (!closed) return undefined;
  const options = { field: closed[0] };
  return new BoardError('SEARCH_FIELD_CLOSED', { code: 'INVALID_REQUEST', options });
}

/** Whether the sender sees the text for which a job was found. */
function hitIn(
  view: JobView,
  { error }: Query,
  where: SearchCriteria['whereIn'],
): (found: FoundInQueue) => boolean {
  return ({ queue, job, state }) => {
    const reason = job.failedReason ?? '';
    const isTold = where && mayNameChild(reason) && where(queue).readsError;
    if (isTold && !where(queue).meets(examinedOf(job, state, JSON.stringify(job.data)))) {
      return false;
    }
    const shown = error === undefined ? reason : shownReason(view, queue, reason);
    return shown === reason || shown.toLowerCase().includes(String(error).toLowerCase());
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
  const { heavy } = scope.options;

  /** The queues that could not be searched; if all of them failed, the request fails. */
  const problemsOf = (queues: readonly BoardQueue[], problems: readonly QueueProblem[]) => {
    // A refusal is not a failure to be logged.
    const failures = problems.filter(({ error }) => !(error instanceof BoardError));
    const failed = new Map(failures.map(({ queue, error }) => [queue, error]));
    for (const queue of queues)
      scope.options.problems.note(queue, 'search', failed.get(queue) ?? null);
    const [first] = problems;
    if (!first) return {};
    if (problems.length === queues.length) {
      throw (problems.find(({ error }) => isUnavailable(error)) ?? first).error;
    }
    return {
      problems: problems.map(({ queue, error }) => ({
        queueName: queue.name,
        problem: problemOf(queue, error),
      })),
    };
  };

  const shown = (
    found: readonly FoundInQueue[],
    view: JobView,
    columns: Query['columns'],
  ): Answer['jobs'] =>
    found.map(({ queue, job: stored, state }) => {
      const job = { ...presentJob(queue, stored, view), state };
      return {
        queueName: queue.name,
        job,
        status: state,
        ...(columns && jobColumns(job, columns)),
      };
    });

  const searchIn = async (
    queues: readonly BoardQueue[],
    route: string,
    { query, signal, request }: Pick<SearchContext, 'query' | 'signal' | 'request'>,
  ): Promise<Answer> => {
    const view = await scope.view(request);
    if (query.id !== undefined) {
      const { found, problems } = await findById(queues, query.id);
      const jobs = shown(found, view, query.columns);
      const examined = queues.length;
      return { jobs, examined, nextCursor: null, ...problemsOf(queues, problems) };
    }
    const { cursor: _cursor, limit: _limit, columns, ...asked } = query;
    const { now, cursor } = clockOf(query);
    const where = await askedWhere(query, view, now);
    const criteria = { ...criteriaOf(query, where?.within), whereIn: where?.whereIn };
    const search = JSON.stringify([route, asked]);
    const from = cursor === undefined ? null : readCursor(search, cursor);
    if (cursor !== undefined && !from) throw invalid('cursor');
    const closed = queues.flatMap((queue) => {
      const error = closedField(queue, query, where);
      return error ? { queue, error } : [];
    });
    if (closed.length === queues.length && closed[0]) throw closed[0].error;
    const refused = new Set(closed.map(({ queue }) => queue));
    const open = queues.filter((queue) => !refused.has(queue));
    const accepts = hitIn(view, query, criteria.whereIn);
    const outcome = await searchQueues(open, { ...criteria, accepts }, from, { reader, signal });
    return {
      jobs: shown(outcome.found, view, columns),
      examined: outcome.counted ? outcome.budget.examined : null,
      nextCursor: withClock(query.where, now, outcome.next && writeCursor(search, outcome.next)),
      ...problemsOf(queues, [...closed, ...outcome.problems]),
    };
  };

  return {
    async searchQueueJobs(context) {
      const queue = await scope.queue(context);
      return heavy.run(() => searchIn([queue], queue.name, context), context.signal);
    },
    async searchJobs(context) {
      const queues = await scope.visible(context.request, 'job.read');
      return heavy.run(() => searchIn(queues, '', context), context.signal);
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
