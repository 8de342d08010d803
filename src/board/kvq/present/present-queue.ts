/** Converts a queue to the contract. */

import { type BoardAction, resources } from '../../contract/index.ts';
import { BoardError } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { unavailableAnswer } from '../errors/unavailable.ts';
import type { FactsResult, QueueFacts } from '../model/store.ts';
import type { AppJob, AppQueue, Status, QueueDefaultJobOptions } from '../model/types.ts';
import * as z from 'zod';

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
    ...(facts.pause && { pause: facts.pause }),
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

const known: Readonly<Record<string, z.core.$ZodType | undefined>> =
  resources.QueueDefaultJobOptions.shape;

/** The value after a JSON round trip; `undefined` when it has no JSON. */
function asJson(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The library handles options of other types than in the contract; they are not shown. */
export function presentDefaultOptions(
  options: Readonly<Record<string, unknown>>,
): QueueDefaultJobOptions {
  const shown = Object.entries(options).flatMap(([name, given]) => {
    const value = asJson(given);
    if (value === undefined) return [];
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    return !schema || z.safeParse(schema, value).success ? [[name, value] as const] : [];
  });
  return Object.fromEntries(shown);
}

interface Kept {
  readonly queue: BoardQueue;
  readonly jobsPerPage: number;
  readonly text: string;
}

export class QueueTexts {
  readonly #showWorkers: boolean;
  readonly #kept = new WeakMap<FactsResult, Kept>();

  constructor(showWorkers: boolean) {
    this.#showWorkers = showWorkers;
  }

  /** The text of a queue without jobs, for senders who may do the same in all queues. */
  of(queue: BoardQueue, result: FactsResult, jobsPerPage: number): string {
    const kept = this.#kept.get(result);
    if (kept?.queue === queue && kept.jobsPerPage === jobsPerPage) return kept.text;
    const shown = { jobs: [], status: undefined, page: 1, jobsPerPage };
    const text = JSON.stringify(
      presentQueue(queue, result, { ...shown, showWorkers: this.#showWorkers }),
    );
    this.#kept.set(result, { queue, jobsPerPage, text });
    return text;
  }
}
