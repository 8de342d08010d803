/** Searches queues one after the other, within the limits of one request. */

import type { BoardQueue } from '../queue/board-queue.ts';
import { GroupReader } from './group-reader.ts';
import { asError } from '../queue/problem-log.ts';
import type { FactsResult } from '../model/store.ts';
import type { JobStatus } from '../model/types.ts';
import { SearchBudget } from '../model/search-budget.ts';
import { InvalidPosition } from '../model/search-criteria.ts';
import type { FoundJob, JobCriteria, JobWhere } from '../model/search-criteria.ts';
import type { SearchPosition } from '../../core/index.ts';

/** Criteria common to all queues. */
export interface SearchCriteria extends Omit<
  JobCriteria,
  'statuses' | 'after' | 'budget' | 'where'
> {
  /** The only status to search, if given. */
  readonly status?: JobStatus;
  /** The filter as text, in a queue. */
  readonly whereIn?: ((queue: BoardQueue) => JobWhere) | undefined;
  /** Whether a job that was found may be shown. */
  readonly accepts: (found: FoundInQueue) => boolean;
}

export interface FoundInQueue extends FoundJob {
  readonly queue: BoardQueue;
}

/** A queue that could not be searched. */
export interface QueueProblem {
  readonly queue: BoardQueue;
  readonly error: Error;
}

/** The result of a search request. */
interface SearchOutcome {
  readonly found: FoundInQueue[];
  readonly problems: QueueProblem[];
  /** Whether the budget has counted the examined jobs. */
  readonly counted: boolean;
  /** The position to continue from; `null` at the end. */
  readonly next: SearchPosition | null;
}

/** A facts reader for searches. The facts decide which queues are skipped, so cached ones are not used. */
export function factsReader(): GroupReader {
  return new GroupReader(false, 0);
}

/** Current facts of the queues, so that empty queues cost no request. */
async function factsOf(
  reader: GroupReader,
  queues: readonly BoardQueue[],
): Promise<ReadonlyMap<BoardQueue, FactsResult>> {
  const groups = Map.groupBy(
    queues.map((queue) => queue.driver.store),
    (store) => store.group(),
  );
  const facts = await reader.read([...groups]);
  const unread: FactsResult = { error: new Error('The queue was not read.') };
  return new Map(queues.map((queue) => [queue, facts.get(queue.driver.store) ?? unread]));
}

/**
 * Searches the queues in name order from a position. With a single queue, its error rejects; among several, the error
 * becomes a problem and the search continues without that queue.
 */
export async function searchQueues(
  queues: readonly BoardQueue[],
  { status, accepts, whereIn, ...criteria }: SearchCriteria,
  from: SearchPosition | null,
  { reader, signal }: { readonly reader: GroupReader; readonly signal: AbortSignal },
): Promise<SearchOutcome & { readonly budget: SearchBudget }> {
  const alone = queues.length === 1;
  const ordered = queues
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .filter((queue) => from === null || queue.name >= from.queue);
  const facts = alone ? null : await factsOf(reader, ordered);
  const budget = new SearchBudget(signal);
  const found: FoundInQueue[] = [];
  const problems: QueueProblem[] = [];
  let counted = false;
  const stop = (next: SearchPosition | null) => ({ found, problems, counted, next, budget });
  for (const queue of ordered) {
    const { statuses: all, store } = queue.driver;
    const statuses = all.filter((known) => status === undefined || known === status);
    const known = facts?.get(queue);
    if (known && 'error' in known) {
      problems.push({ queue, error: known.error });
      continue;
    }
    const after = from?.queue === queue.name ? from.after : null;
    const where = whereIn?.(queue);
    const isEmpty = known && statuses.every((state) => (known.facts.counts[state] ?? 0) === 0);
    // An empty queue counts as completely examined.
    if (statuses.length === 0 || isEmpty) {
      counted = true;
      continue;
    }
    try {
      let position = after;
      do {
        const limit = criteria.limit - found.length;
        if (limit <= 0 || budget.isSpent) return stop({ queue: queue.name, after: position });
        const result = await store.find({
          ...criteria,
          ...(where && { where }),
          statuses,
          limit,
          budget,
          ...(position !== null && { after: position }),
        });
        const hits = result.found.map((job) => ({ queue, ...job })).filter(accepts);
        found.push(...hits);
        counted ||= result.counted;
        position = result.next;
        // Jobs that are not shown do not end a page, or its end would tell of them.
        if (hits.length === result.found.length && position !== null) {
          return stop({ queue: queue.name, after: position });
        }
      } while (position !== null);
    } catch (error) {
      if (alone || error instanceof InvalidPosition) throw error;
      problems.push({ queue, error: asError(error) });
    }
  }
  return stop(null);
}
