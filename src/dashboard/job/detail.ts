/** One job of either engine, with its values as the JSON text that is stored. */

import { queryOptions } from '@tanstack/react-query';

import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { instant } from '../format/time.ts';
import { live } from '../live/loop.ts';

export interface JobDetail {
  readonly id: string;
  readonly name: string;
  readonly queueName: string;
  readonly state: string;
  /** Identifies what was seen, for edits. */
  readonly version: string;
  /** JSON texts; undefined where there is nothing, or it is hidden. */
  readonly data?: string | undefined;
  /** Whether a formatter of the host shows something else instead of the data. */
  readonly isReplaced: boolean;
  readonly result?: string | undefined;
  readonly options?: string | undefined;
  readonly progress?: string | undefined;
  readonly percent?: number | undefined;
  readonly reason?: string | undefined;
  /** Stacks, the newest first. */
  readonly stacks: readonly string[];
  readonly attempts: number;
  readonly attemptsLimit?: number | undefined;
  readonly added?: number | undefined;
  /** When it may first run, if that is later than when it was added. */
  readonly runsAt?: number | undefined;
  readonly started?: number | undefined;
  readonly finished?: number | undefined;
  readonly worker?: string | undefined;
  readonly priority?: number | undefined;
  readonly orphaned: boolean;
  readonly link?: { readonly href: string; readonly text: string | undefined } | undefined;
  /** Address of the trace of the job. */
  readonly trace?: string | undefined;
  /** Further facts by name. */
  readonly facts: Readonly<Record<string, string>>;
  readonly truncated: readonly string[];
  /** The answer as it came. */
  readonly whole: unknown;
}

const text = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : JSON.stringify(value);

/** A part that a formatter replaces has no text. */
const isReplaced = (stored: string | undefined, shown: unknown): boolean =>
  stored === undefined && text(shown) !== undefined;

/** Facts that are there. */
function factsOf(facts: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(facts)
      .filter(
        ([, value]) =>
          value !== undefined && value !== null && value !== '' && value !== 0 && value !== false,
      )
      .map(([name, value]) => [name, String(value)]),
  );
}

function fromKvq(
  queueName: string,
  { job, status, version }: Answer<'GET /api/queues/{queueName}/{jobId}'>,
): JobDetail {
  const { raw = {}, delay, timestamp } = job;
  const limit = (job.opts as { attempts?: unknown } | null)?.attempts;
  const progress = job.progress;
  return {
    id: String(job.id ?? ''),
    name: job.name,
    queueName,
    state: status,
    version,
    data: raw.data ?? text(job.data),
    isReplaced: isReplaced(raw.data, job.data),
    result: raw.returnValue ?? text(job.returnValue),
    options: raw.opts ?? text(job.opts),
    progress: typeof progress === 'object' ? (raw.progress ?? text(progress)) : undefined,
    percent: typeof progress === 'number' && progress > 0 ? progress : undefined,
    reason: job.failedReason || job.deferredFailure || undefined,
    stacks: job.stacktrace,
    attempts: job.attempts,
    // BullMQ stores zero for a job that runs once.
    attemptsLimit: typeof limit === 'number' ? Math.max(1, limit) : undefined,
    added: timestamp,
    runsAt: job.runsAt ?? (delay ? timestamp + delay : undefined),
    started: job.processedOn ?? undefined,
    finished: job.finishedOn ?? undefined,
    worker: job.processedBy ?? undefined,
    priority: job.priority,
    orphaned: job.isOrphaned ?? false,
    link: job.externalUrl && { href: job.externalUrl.href, text: job.externalUrl.displayText },
    trace: job.traceUrl,
    facts: factsOf({
      groupId: job.groupId,
      deduplicationId: job.deduplicationId,
      stalledCounter: job.stalledCounter,
      attemptsStarted: job.attemptsStarted,
    }),
    truncated: job.truncated ?? [],
    whole: { job, status, version },
  };
}

interface ErrorOutput {
  readonly message?: unknown;
  readonly stack?: unknown;
  readonly value?: unknown;
}

/** An error as pg-boss stores it: an object with message and stack, or the thrown value. */
function errorIn(output: unknown): ErrorOutput {
  return typeof output === 'object' && output !== null ? output : {};
}

function fromPgq({
  job,
  version,
}: Answer<'GET /api/pgq/queues/{queueName}/jobs/{jobId}'>): JobDetail {
  const { raw = {} } = job;
  const { message, stack, value } = errorIn(job.output);
  const troubled = job.state === 'failed' || job.state === 'retry' || message !== undefined;
  const reason = message ?? value;
  const added = instant(job.createdOn);
  const startAfter = instant(job.startAfter);
  return {
    id: job.id,
    name: '',
    queueName: job.queueName,
    state: job.blocked ? 'blocked' : job.deferred ? 'deferred' : job.state,
    version,
    data: raw.data ?? text(job.data),
    isReplaced: isReplaced(raw.data, job.data),
    result: raw.output ?? text(job.output),
    reason: troubled && typeof reason === 'string' ? reason : undefined,
    stacks: troubled && typeof stack === 'string' ? [stack] : [],
    attempts: job.retryCount + (job.startedOn === null ? 0 : 1),
    attemptsLimit: job.retryLimit + 1,
    added,
    runsAt:
      startAfter !== undefined && added !== undefined && startAfter > added + 1_000
        ? startAfter
        : undefined,
    started: instant(job.startedOn),
    finished: instant(job.completedOn),
    priority: job.priority,
    orphaned: false,
    trace: job.traceUrl,
    facts: factsOf({
      policy: job.policy,
      singletonKey: job.singletonKey,
      group: job.groupId,
      deadLetter: job.deadLetter,
      deadLetterSource:
        job.deadLetterSource && `${job.deadLetterSource.queueName} ${job.deadLetterSource.id}`,
      keepUntil: job.keepUntil,
      expireInSeconds: job.expireInSeconds,
      retryDelay: job.retryDelay,
      retryBackoff: job.retryBackoff,
      heartbeatOn: job.heartbeatOn,
      pendingDependencies: job.pendingDependencies,
    }),
    truncated: [],
    whole: { job, version },
  };
}

export const jobDetail = (board: Board, queueName: string, jobId: string) =>
  queryOptions({
    queryKey: [board.basePath, 'job', queueName, jobId],
    queryFn: async ({ signal }): Promise<JobDetail> => {
      const params = { queueName, jobId };
      const query = { raw: '1' } as const;
      if (board.engine === 'pgq') {
        return fromPgq(
          await board.client.call('GET /api/pgq/queues/{queueName}/jobs/{jobId}', {
            params,
            query,
            signal,
          }),
        );
      }
      return fromKvq(
        queueName,
        await board.client.call('GET /api/queues/{queueName}/{jobId}', { params, query, signal }),
      );
    },
    meta: live,
  });
