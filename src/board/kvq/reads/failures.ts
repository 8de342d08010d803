/** The failed jobs of queues for the errors of a board, as the sender of a request may see them. */

import type { Fingerprint, HistoryProvider, Inbox } from '../../core/index.ts';
import { BoardError, type FailurePart, type FailureSource, reasonBytes } from '../../core/index.ts';
import { reasonLength } from '../../../lib/index.ts';
import type { StoredFailure } from '../model/failures.ts';
import { InvalidPosition } from '../model/search-criteria.ts';
import type { FactsResult } from '../model/store.ts';
import { shownBeginning, type JobView } from '../present/job-view.ts';
import { problemOf } from '../present/present-queue.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { asError, type ProblemLog } from '../queue/problem-log.ts';

interface InboxOptions {
  readonly fingerprint: Fingerprint | undefined;
  readonly historyProvider: HistoryProvider | undefined;
  readonly problems: ProblemLog;
}

/** The conditions of a request. */
interface AskedFailures {
  readonly queues: readonly BoardQueue[];
  readonly snapshot: ReadonlyMap<BoardQueue, FactsResult>;
  readonly view: JobView;
  /** A part of the name of the jobs. */
  readonly name: string | undefined;
  readonly signal: AbortSignal;
}

/** A source that is not read: the name of its jobs may not be searched. */
const closed = new BoardError('SEARCH_FIELD_CLOSED', {
  code: 'INVALID_REQUEST',
  options: { field: 'name' },
});

/** No name of another queue is told where it is not known which queue a reason is of. */
const toNobody = { sees: () => false };

/** The part of a queue that a failure is, as the sender sees it. */
function partOf(
  queue: BoardQueue,
  { data, ...failure }: StoredFailure,
  view: JobView,
  fingerprint: Fingerprint | undefined,
): FailurePart {
  const { name: queueName, driver, formatters } = queue;
  const named = formatters.name === undefined && driver.nameOf === undefined;
  const name = named ? failure.name : null;
  const reason = shownBeginning(view, queue, failure.reason, reasonBytes);
  const told =
    data !== undefined && fingerprint
      ? view.problems.hostFunctions(queue).run('fingerprint', () =>
          fingerprint({
            queueName,
            id: failure.id,
            ...(name !== null && { name }),
            error: failure.reason,
            data: JSON.parse(data || 'null') as unknown,
          }),
        )
      : undefined;
  return { ...failure, queueName, reason, name, ...(typeof told === 'string' && { told }) };
}

/** The errors of some queues. */
export function inboxOf(
  { fingerprint, historyProvider, problems }: InboxOptions,
  { queues, snapshot, view, name, signal }: AskedFailures,
): Inbox {
  const byName = new Map(queues.map((queue) => [queue.name, queue]));
  const [first] = queues;
  const failedIn = (queue: BoardQueue): number | null => {
    const result = snapshot.get(queue);
    return result && 'facts' in result ? (result.facts.counts.failed ?? 0) : null;
  };
  const total = queues.reduce<number | null>((sum, queue) => {
    const failed = failedIn(queue);
    return sum === null || failed === null ? null : sum + failed;
  }, 0);
  return {
    total,
    signal,
    sourcesOf: (range) =>
      queues.map((queue): FailureSource => {
        const { store } = queue.driver;
        const whole = fingerprint === undefined ? 'releases' : 'jobs';
        const reads = queue.formatters.data ? 'reasons' : whole;
        return {
          name: queue.name,
          async step(after) {
            if (name !== undefined && !queue.isSearchable('name')) throw closed;
            const { failures, ...step } = await store.failures({ ...range, reads, after });
            problems.note(queue, 'failures', null);
            const parts = failures
              .filter((failure) => name === undefined || failure.name.includes(name))
              .map((failure) => partOf(queue, failure, view, fingerprint));
            return { ...step, parts };
          },
        };
      }),
    ...(first && {
      recorder: {
        provider: historyProvider,
        queues: [...byName.keys()],
        shown: (reason: string) => shownBeginning(toNobody, first, reason, reasonLength),
      },
    }),
    problemOf({ name: queueName }, thrown) {
      const queue = byName.get(queueName);
      if (!queue || queues.length === 1 || thrown instanceof InvalidPosition) return undefined;
      const error = asError(thrown);
      if (error !== closed) problems.note(queue, 'failures', error);
      const { key, options } = problemOf(queue, error);
      return { key, ...(options && { options: { ...options } }) };
    },
  };
}
