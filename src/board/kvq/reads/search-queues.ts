/** Looks through queues one after the other, as far as one request goes. */

import type { BoardQueue } from '../queue/board-queue.ts';
import { GroupReader } from './group-reader.ts';
import { asError } from '../queue/problem-log.ts';
import type { FactsResult } from '../model/store.ts';
import type { JobStatus } from '../model/types.ts';
import { SearchBudget } from '../model/search-budget.ts';
import { InvalidPlace } from '../model/search-criteria.ts';
import type { FoundJob, JobCriteria } from '../model/search-criteria.ts';
import type { SearchPlace } from './search-cursor.ts';

/** The criteria that apply to every queue. */
export interface Quest extends Omit<JobCriteria, 'statuses' | 'after' | 'budget'> {
  /** The only status that is asked for, if one is. */
  readonly status?: JobStatus;
}

/** A job and its queue. */
export interface FoundInQueue extends FoundJob {
  readonly queue: BoardQueue;
}

/** A queue that could not be looked through. */
export interface QueueProblem {
  readonly queue: BoardQueue;
  readonly error: Error;
}

/** How far a search has come. */
export interface Looked {
  readonly found: FoundInQueue[];
  readonly problems: QueueProblem[];
  /** Whether the budget has counted the jobs that were looked at. */
  readonly counted: boolean;
  /** Where to go on; `null` at the end. */
  readonly next: SearchPlace | null;
}

/** A reader of facts for searches: they are not shown, so nothing old will do. */
export function factsReader(): GroupReader {
  return new GroupReader(false, 0);
}

/** The facts of the queues now, so that those without jobs cost no question of their own. */
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
 * Looks through the queues in the order of their names, on from a place. One queue alone rejects with its error;
 * among others its error is a problem that the search goes on without.
 */
export async function lookThrough(
  queues: readonly BoardQueue[],
  { status, ...quest }: Quest,
  from: SearchPlace | null,
  { reader, signal }: { readonly reader: GroupReader; readonly signal: AbortSignal },
): Promise<Looked & { readonly budget: SearchBudget }> {
  const alone = queues.length === 1;
  const ordered = queues
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .filter((queue) => from === null || queue.name >= from.queue);
  const facts = alone ? null : await factsOf(reader, ordered);
  const budget = new SearchBudget(signal);
  const found: FoundInQueue[] = [];
  const problems: QueueProblem[] = [];
  let counted = false;
  const stop = (next: SearchPlace | null) => ({ found, problems, counted, next, budget });
  for (const queue of ordered) {
    const { statuses: all, store } = queue.driver;
    const statuses = all.filter((known) => status === undefined || known === status);
    const known = facts?.get(queue);
    if (known && 'error' in known) {
      problems.push({ queue, error: known.error });
      continue;
    }
    const after = from?.queue === queue.name ? from.after : null;
    const isEmpty = known && statuses.every((state) => (known.facts.counts[state] ?? 0) === 0);
    // Without jobs, everything in it has been looked at.
    if (statuses.length === 0 || isEmpty) {
      counted = true;
      continue;
    }
    const limit = quest.limit - found.length;
    if (limit <= 0 || budget.isSpent) return stop({ queue: queue.name, after });
    try {
      const result = await store.find({
        ...quest,
        statuses,
        limit,
        budget,
        ...(after !== null && { after }),
      });
      found.push(...result.found.map((job) => ({ queue, ...job })));
      counted ||= result.counted;
      if (result.next !== null) return stop({ queue: queue.name, after: result.next });
    } catch (error) {
      if (alone || error instanceof InvalidPlace) throw error;
      problems.push({ queue, error: asError(error) });
    }
  }
  return stop(null);
}
