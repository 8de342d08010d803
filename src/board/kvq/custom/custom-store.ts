/** Reads the queue of a host's adapter. Its parts that an adapter does not have are empty. */

import { withTimeout } from '../../../lib/index.ts';
import { UnreachableError } from '../errors/unavailable.ts';
import { DriverRefusal } from '../model/driver.ts';
import { unknownPlace } from '../model/course.ts';
import type { JobRecord } from '../model/job-record.ts';
import { maxLogLines } from '../model/read-limits.ts';
import { InvalidPosition } from '../model/search-criteria.ts';
import type { FoundJob } from '../model/search-criteria.ts';
import { examinedOf } from '../model/examined.ts';
import type { QueueStore } from '../model/store.ts';
import { bucketOf, releaseOf } from '../../core/index.ts';
import { mostCounted, tallyOf } from '../../contract/index.ts';
import type { JobStatus } from '../model/types.ts';
import { matches } from '../redis/search/matches-criteria.ts';
import { timeouts } from '../timeouts.ts';
import { recordOf, revisionOf } from './adapter-job.ts';
import type { QueueAdapter } from './queue-adapter.ts';

/** Jobs that a search examines at once. */
const chunk = 200;

/** Characters of data in brief. */
const briefLength = 1_000;

/** Runs a method of the adapter; an error means that the queue is unavailable. */
export async function asked<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await withTimeout(work(), timeouts().libraryMs);
  } catch (cause) {
    if (cause instanceof DriverRefusal) throw cause;
    throw new UnreachableError('The adapter of the queue failed.', { cause });
  }
}

/** A job within the bytes that are left. */
function bounded(job: JobRecord, left: { bytes: number }, withData: boolean): JobRecord {
  const size = JSON.stringify([job.data, job.returnvalue]).length;
  if (withData && size <= left.bytes) {
    left.bytes -= size;
    return job;
  }
  return { ...job, data: null, returnvalue: null, truncated: ['data', 'returnvalue'] };
}

/** The number of jobs before a page or a search, as a position. */
function offsetOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidPosition('The position is not in this queue.');
  return Number(text);
}

/** The number of adapters; each is a datastore of its own. */
let stores = 0;

/** See {@link QueueStore}. */
export class CustomStore implements QueueStore {
  readonly datastore: QueueStore['datastore'];
  readonly qualifiedName: string;
  readonly #adapter: QueueAdapter;
  readonly #group: string;

  constructor(adapter: QueueAdapter) {
    stores += 1;
    this.#group = `custom ${stores}`;
    this.#adapter = adapter;
    this.datastore = adapter.datastore;
    this.qualifiedName = adapter.name;
  }

  readonly ready: QueueStore['ready'] = async () => {
    await asked(() => this.#adapter.isPaused());
  };

  /** Each adapter is read by itself. */
  readonly group: QueueStore['group'] = () => this.#group;

  readonly facts: QueueStore['facts'] = (queues) => {
    return Promise.all(
      queues.map(async () => {
        const [counts, isPaused] = await asked(() =>
          Promise.all([this.#adapter.counts(), this.#adapter.isPaused()]),
        );
        const facts = {
          counts,
          isPaused,
          jobSchedulerCount: 0,
          globalConcurrency: null,
          activeRateLimitTtl: 0,
        };
        return { facts, hasWorkers: null };
      }),
    );
  };

  readonly recordings: QueueStore['recordings'] = async (queues) =>
    queues.map(() => new Error('An adapter of the host is not recorded.'));

  readonly activity: QueueStore['activity'] = async (queues) => {
    const kept = { completed: 0, failed: 0 };
    return queues.map(() => ({
      activity: { waitingSince: null, workers: null, completed: null, failed: null, kept },
    }));
  };

  readonly pages: QueueStore['pages'] = async (statuses, start, end, { maxBytes, withData }) => {
    const left = { bytes: maxBytes };
    const read = await asked(() =>
      Promise.all(
        statuses.map(async (status) => {
          return { status, jobs: await this.#adapter.jobs(status, start, end) };
        }),
      ),
    );
    return read.map(({ status, jobs }) => ({
      status,
      jobs: jobs.map((job) => bounded(recordOf(job), left, withData)),
    }));
  };

  readonly timeline: QueueStore['timeline'] = async (buckets) => {
    const { from, bucketMs } = buckets;
    const [added, completed, failed] = [tallyOf(buckets), tallyOf(buckets), tallyOf(buckets)];
    let examined = 0;
    let isPartial = false;
    for (const status of this.#adapter.statuses) {
      for (let start = 0, more = true; more; start += chunk) {
        if (examined >= mostCounted) {
          isPartial = true;
          break;
        }
        const read = start;
        const jobs = await asked(() => this.#adapter.jobs(status, read, read + chunk - 1));
        more = jobs.length === chunk;
        examined += jobs.length;
        for (const { timestamp, finishedOn } of jobs) {
          added.add(timestamp);
          if (status === 'completed') completed.add(finishedOn ?? Number.NaN);
          if (status === 'failed') failed.add(finishedOn ?? Number.NaN);
        }
      }
    }
    return {
      from,
      bucketMs,
      added: added.counted,
      completed: completed.counted,
      failed: failed.counted,
      examined,
      partial: isPartial ? ['added', 'completed', 'failed'] : [],
    };
  };

  /** A position is a number of jobs. */
  readonly failures: QueueStore['failures'] = async (query) => {
    const { since, at, reads, after } = query;
    const start = after === null ? 0 : offsetOf(after);
    const jobs = await asked(() => this.#adapter.jobs('failed', start, start + chunk - 1));
    const failures = jobs.map(recordOf).flatMap(({ id, name, data, failedReason, finishedOn }) => {
      if (finishedOn === null || finishedOn < since || finishedOn > at) return [];
      return {
        id,
        name,
        reason: failedReason ?? '',
        release: reads === 'reasons' ? null : releaseOf(data),
        bucket: bucketOf(query, finishedOn),
        count: 1,
        firstAt: finishedOn,
        lastAt: finishedOn,
        ...(reads === 'jobs' && { data: JSON.stringify(data) }),
      };
    });
    const next = jobs.length < chunk ? null : String(start + jobs.length);
    return { failures, examined: jobs.length, next };
  };

  readonly summaries: QueueStore['summaries'] = async ({
    statuses,
    start,
    limit,
    after,
    withData,
    whole,
    maxBytes,
  }) => {
    const from = after === null ? start : offsetOf(after);
    const limits = { maxBytes, withData: withData || whole };
    const [counts, pages] = await Promise.all([
      asked(() => this.#adapter.counts()),
      this.pages(statuses, from, from + limit - 1, limits),
    ]);
    return pages.map(({ jobs }, index) => {
      const status = statuses[index] as JobStatus;
      const total = counts[status] ?? 0;
      const brief = (job: JobRecord): string | null =>
        withData && !whole ? JSON.stringify(job.data).slice(0, briefLength) : null;
      return {
        status,
        total,
        jobs: jobs.map((job) => ({ job, data: brief(job) })),
        next: jobs.length < limit || from + limit >= total ? null : String(from + limit),
      };
    });
  };

  readonly logs: QueueStore['logs'] = async (id) => {
    const lines = await asked(() => this.#adapter.logs(id));
    return { lines: lines.slice(-maxLogLines), total: lines.length };
  };

  readonly logPage: QueueStore['logPage'] = async (id, start, limit) => {
    const lines = await asked(() => this.#adapter.logs(id));
    return { lines: lines.slice(start, start + limit), total: lines.length };
  };

  readonly events: QueueStore['events'] = async () => ({ moments: [], since: null });

  readonly place: QueueStore['place'] = async () => unknownPlace;

  readonly metrics: QueueStore['metrics'] = async () => {
    throw new Error('An adapter of the host has no metrics.');
  };

  readonly job: QueueStore['job'] = async (id, withTexts = false) => {
    const located = await asked(() => this.#adapter.job(id));
    if (!located) return null;
    const { job: given, state } = located;
    const job = recordOf(given);
    const { data, opts, progress, returnvalue } = job;
    const parts = {
      data: JSON.stringify(data),
      opts: JSON.stringify(opts),
      progress: JSON.stringify(progress),
      returnValue: JSON.stringify(returnvalue),
    };
    const revision = revisionOf(given, state);
    return { job, state, revision, parts, ...(withTexts && { texts: parts }) };
  };

  readonly flowJobs: QueueStore['flowJobs'] = async (ids) => {
    const jobs = await Promise.all(ids.map((id) => this.job(id)));
    const dependencies = { processed: 0, unprocessed: 0, ignored: 0, failed: 0 };
    return jobs.map(
      (located) => located && { ...located, dependencies, childKeys: [], ignoredReasons: {} },
    );
  };

  readonly workers: QueueStore['workers'] = async (queues) => queues.map(() => null);

  readonly stats: QueueStore['stats'] = async () => null;

  readonly schedulers: QueueStore['schedulers'] = async () => [];

  readonly scheduler: QueueStore['scheduler'] = async () => null;

  readonly latestWithPrefix: QueueStore['latestWithPrefix'] = async () => [];

  /** Visits the states one after the other, newest jobs first; a position is a state and a number of jobs. */
  readonly find: QueueStore['find'] = async (criteria) => {
    const { budget, limit, after } = criteria;
    const statuses = this.#adapter.statuses.filter((status) => criteria.statuses.includes(status));
    const [at = '0', passed = '0'] = after === undefined ? [] : after.split(':');
    const found: FoundJob[] = [];
    let [index, offset] = [offsetOf(at), offsetOf(passed)];
    for (; index < statuses.length; index += 1, offset = 0) {
      const status = statuses[index] as JobStatus;
      for (let more = true; more;) {
        if (budget.isSpent || found.length >= limit) {
          return { found, counted: true, next: `${index}:${offset}` };
        }
        const from = offset;
        const jobs = await asked(() => this.#adapter.jobs(status, from, from + chunk - 1));
        more = jobs.length === chunk;
        for (const given of jobs) {
          if (found.length >= limit) {
            more = true;
            break;
          }
          offset += 1;
          budget.spend(1);
          const job = recordOf(given);
          const text = JSON.stringify(job.data);
          if (!matches(examinedOf(job, status, text), criteria)) continue;
          budget.bytes += text.length;
          found.push({ job, state: status });
        }
      }
    }
    return { found, counted: true, next: null };
  };
}
