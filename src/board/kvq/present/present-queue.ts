/** Converts a queue to the contract. */

import type { BoardAction } from '../../contract/index.ts';
import { BoardError } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { unavailableAnswer } from '../errors/unavailable.ts';
import type { FactsResult, QueueFacts } from '../model/store.ts';
import type { AppJob, AppQueue, Status } from '../model/types.ts';

/** The parts of a queue besides its facts. */
export interface Shown {
  readonly jobs: AppJob[];
  /** Why the jobs could not be read. */
  readonly jobsError?: Error | undefined;
  /** The listed status; all of them if absent. */
  readonly status: Status | undefined;
  readonly page: number;
  readonly jobsPerPage: number;
  readonly showWorkers: boolean;
  /** The actions of the sender, if they differ from those of the listing. */
  readonly allowed?: BoardAction[] | undefined;
}

/** Replaces the facts of a queue that could not be read. */
const noFacts: QueueFacts = {
  counts: {},
  jobSchedulerCount: 0,
  isPaused: false,
  globalConcurrency: null,
  activeRateLimitTtl: 0,
};

/** The first and last position of a page; several statuses share one page. */
export function pageRange(
  status: Status | undefined,
  page: number,
  jobsPerPage: number,
): { start: number; end: number } {
  const start = status === undefined || status === 'latest' ? 0 : (page - 1) * jobsPerPage;
  return { start, end: start + jobsPerPage - 1 };
}

function pageCount(facts: QueueFacts, { status, jobsPerPage }: Shown): number {
  if (status === undefined || status === 'latest') return 1;
  return Math.ceil((facts.counts[status] ?? 0) / jobsPerPage);
}

/** The queue as `AppQueue`. Parts that could not be read are empty, and `problem` tells why. */
export function presentQueue(queue: BoardQueue, result: FactsResult, shown: Shown): AppQueue {
  const { driver, options } = queue;
  const facts = 'facts' in result ? result.facts : noFacts;
  const { capabilities } = driver;
  const workers = capabilities.workers && shown.showWorkers;
  const problem = 'error' in result ? result.error : shown.jobsError;
  return {
    delimiter: options.delimiter ?? '',
    name: queue.name,
    ...(options.displayName && { displayName: options.displayName }),
    ...(options.description && { description: options.description }),
    counts: { ...facts.counts },
    jobs: shown.jobs,
    statuses: [...queue.statuses],
    pagination: {
      pageCount: pageCount(facts, shown),
      range: pageRange(shown.status, shown.page, shown.jobsPerPage),
    },
    readOnlyMode: queue.readOnly,
    allowRetries: queue.allowRetries,
    allowCompletedRetries: queue.allowCompletedRetries,
    isPaused: facts.isPaused,
    type: driver.type,
    library: driver.library,
    datastore: driver.store.datastore,
    capabilities: workers ? capabilities : { ...capabilities, workers: false },
    globalConcurrency: facts.globalConcurrency,
    activeRateLimitTtl: facts.activeRateLimitTtl,
    supportsGlobalRateLimit: capabilities.globalRateLimit,
    jobSchedulerCount: facts.jobSchedulerCount,
    hasWorkers: workers && 'facts' in result ? result.hasWorkers : null,
    ...(shown.allowed && { allowed: shown.allowed }),
    ...(problem && { problem: problemOf(queue, problem) }),
  };
}

/** The error key for a queue that could not be read. */
export function problemOf(
  { driver }: BoardQueue,
  error: Error,
): ReturnType<BoardError['toJSON']>['error'] {
  if (error instanceof BoardError) return error.toJSON().error;
  const known = unavailableAnswer(error, driver.store.datastore);
  return (known ?? new BoardError('INTERNAL_SERVER_ERROR')).toJSON().error;
}
