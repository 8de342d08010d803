/** Searches the states of a Redis queue for jobs, one bounded chunk at a time. */

import type { JobStatus } from '../../model/types.ts';
import type { FoundJob, FoundJobs, JobCriteria } from '../../model/search-criteria.ts';
import type { SearchBudget } from '../../model/search-budget.ts';
import { matches } from './matches-criteria.ts';
import type { LocatedJob } from '../../model/store.ts';
import { jobsArguments, jobsScript, parseJobs } from '../jobs.ts';
import type { Script } from '../connect/script.ts';
import { readStep, stepBehind, stepInto, writeStep, type SearchStep } from './search-position.ts';
import { mostBytes } from '../job-pages.ts';
import { finishedStatuses } from '../../model/status.ts';
import { parseSearch, searchArguments, searchScript, type SearchRow } from './search-script.ts';

/** Jobs examined per script. */
const chunk = 200;

/**
 * The states in the order in which jobs pass through them: a job that moves during the search moves to a state that is
 * still to be searched.
 */
const searchOrder: readonly JobStatus[] = [
  'delayed',
  'waiting-children',
  'prioritized',
  'paused',
  'waiting',
  'active',
  'completed',
  'failed',
];

/** An id behind every other one of the same time, in the order of a set. */
const lastId = '\u{10FFFF}';

/** The parts of a queue that the search uses. */
interface ScannedQueue {
  readonly legacy: boolean;
  readonly statuses: readonly JobStatus[];
  run(script: Script, args: readonly (string | number)[]): Promise<unknown>;
}

/** A matching job, the position before it, and the number of jobs examined until then. */
interface Hit {
  readonly row: SearchRow;
  readonly before: SearchStep;
  readonly passed: number;
}

/** Whether a job is still in the state in which it was read. BullMQ reports paused jobs as waiting. */
function isStill(status: JobStatus, state: string): boolean {
  return state === status || (status === 'paused' && state === 'waiting');
}

/** Jobs with their states, as many from the start as the byte limit of the response allows, in short scripts. */
async function readJobs(
  queue: ScannedQueue,
  ids: readonly string[],
  budget: SearchBudget,
): Promise<readonly (LocatedJob | null)[]> {
  const jobs: (LocatedJob | null)[] = [];
  while (jobs.length < ids.length) {
    const rest = ids.slice(jobs.length);
    const args = jobsArguments(queue.legacy, Math.min(mostBytes, budget.bytesLeft), rest);
    const read = parseJobs(rest, await queue.run(jobsScript, args));
    budget.bytes += read.bytes;
    jobs.push(...read.jobs);
    if (budget.bytesLeft === 0 || read.jobs.length === 0) break;
  }
  return jobs;
}

/**
 * Continues the search from `criteria.after`, within its limit and budget. A job that moves appears once per response.
 */
export async function scanJobs(queue: ScannedQueue, criteria: JobCriteria): Promise<FoundJobs> {
  const { budget, limit } = criteria;
  const { finishedFrom, finishedTo } = criteria;
  const isEnded = finishedFrom !== undefined || finishedTo !== undefined;
  const statuses = searchOrder.filter(
    (status) =>
      queue.statuses.includes(status) &&
      criteria.statuses.includes(status) &&
      (!isEnded || finishedStatuses.has(status)),
  );
  // Jobs that ended later are passed over, and those that ended earlier are not read.
  const enter = (status: JobStatus): SearchStep =>
    finishedTo === undefined || finishedTo < 0
      ? stepInto(status)
      : stepBehind(stepInto(status), {
          status,
          id: lastId,
          position: 1,
          score: String(finishedTo),
        });
  const everywhere = statuses.length === queue.statuses.length;
  const { where } = criteria;
  const wanted = {
    data: criteria.path !== undefined || (where?.paths.length ?? 0) > 0,
    reason: criteria.error !== undefined || where?.readsError === true,
    more: where !== undefined,
  };
  const found = new Map<string, FoundJob>();
  const result = (next: SearchStep | null): FoundJobs => ({
    found: [...found.values()],
    counted: true,
    next: next && writeStep(next),
  });
  const [first] = statuses;
  if (first === undefined) return result(null);
  let step = criteria.after === undefined ? enter(first) : readStep(criteria.after, statuses);
  while (!budget.isSpent && found.size < limit) {
    const size = Math.min(chunk, budget.jobsLeft);
    // A state whose jobs are entered by their time is read by itself.
    const read = isEnded ? [step.status] : statuses;
    const answer = await queue.run(searchScript, searchArguments(read, step, size, wanted));
    const { isAll, rows } = parseSearch(answer, read);
    const hits: Hit[] = [];
    let passed = 0;
    let isOver = false;
    for (const row of rows) {
      const { finishedOn } = row.examined;
      if (finishedFrom !== undefined && finishedOn !== null && finishedOn < finishedFrom) {
        isOver = true;
        break;
      }
      if (found.size + hits.length >= limit) break;
      if (matches(row.examined, criteria) && !found.has(row.id)) {
        hits.push({ row, before: step, passed });
      }
      step = stepBehind(step, row);
      passed += 1;
    }
    const ids = hits.map(({ row }) => row.id);
    const jobs = await readJobs(queue, ids, budget);
    for (const [index, located] of jobs.entries()) {
      const status = hits[index]?.row.status;
      // A job that has left the requested state no longer matches.
      const fits = located && status && (everywhere || isStill(status, located.state));
      if (fits) found.set(located.job.id, located);
    }
    const unread = hits[jobs.length];
    budget.spend(unread?.passed ?? passed);
    if (unread) return result(unread.before);
    if (!isOver && !(isAll && passed === rows.length)) continue;
    const next = isEnded ? statuses[statuses.indexOf(step.status) + 1] : undefined;
    if (next === undefined) return result(null);
    step = enter(next);
  }
  return result(step);
}
