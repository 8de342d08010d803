/**
 * Bulk operations on Bull jobs in steps. They keep the jobs that schedulers wait for, unlike the methods of the
 * library.
 */

import { bulkSize, DriverRefusal } from '../model/driver.ts';
import type { BulkStep, CleanableStatus } from '../model/driver.ts';
import type { RedisStore } from '../redis/store.ts';
import { keyOfStatus } from '../model/status.ts';
import { retryScriptOf } from './bull-access.ts';
import { jobOf, refusing } from './bull-refusals.ts';
import type { BullJob, BullQueue } from './bull-types.ts';
import { methodOf } from './record.ts';

/** Maximum number of schedulers whose next runs are kept. */
const maxSchedulers = 100_000;

/** Jobs that are changed concurrently. */
const concurrency = 100;

export class BullBulk {
  readonly #queue: BullQueue;
  readonly #store: RedisStore;

  constructor(queue: BullQueue, store: RedisStore) {
    this.#queue = queue;
    this.#store = store;
  }

  retryStep(before: number): BulkStep {
    // The script takes the oldest jobs first, so the initial count covers exactly the jobs that existed at the start.
    let left: number | undefined;
    const retry = retryScriptOf(this.#queue);
    return async () => {
      left ??= await this.#store.countFinished('failed', before);
      if (left <= 0) return false;
      await retry(Math.min(left, bulkSize));
      left -= bulkSize;
      return left > 0;
    };
  }

  promoteStep(): BulkStep {
    return async () => {
      const ids = await this.#store.ids('delayed', 0, bulkSize - 1);
      const promoted = await this.#each(ids, (job) => job.promote());
      return promoted > 0 && ids.length === bulkSize;
    };
  }

  cleanStep(status: CleanableStatus, until: number): BulkStep {
    const clean = methodOf(this.#queue, 'clean');
    const type = status === 'waiting' ? 'wait' : status;
    const byLibrary: BulkStep = async () => {
      const removed = await clean?.(Date.now() - until, type, bulkSize);
      return Array.isArray(removed) && removed.length > 0;
    };
    if (status === 'delayed') return this.#cleanOneByOne(status, until);
    if (status !== 'waiting' && status !== 'paused') return byLibrary;
    const sparingRuns = this.#cleanOneByOne(status, until);
    return async () => ((await this.#store.schedulers(1)).length > 0 ? sparingRuns() : byLibrary());
  }

  /**
   * Removes jobs one by one. The `clean` method of the library also removes the next runs of schedulers, which then
   * never fire again, and finds no delayed jobs when a limit is given. Jobs at the front may have to stay, so the scan
   * continues behind them, and restarts from the front until nothing is left to remove, because workers take jobs
   * meanwhile.
   */
  #cleanOneByOne(status: 'delayed' | 'waiting' | 'paused', until: number): BulkStep {
    let from = 0;
    let removedSince = 0;
    return async () => {
      const ids = await this.#oldest(status, from);
      const awaited = await this.#awaitedRuns();
      let removed = 0;
      await this.#each(ids, async (job) => {
        if (job.timestamp > until || awaited.has(String(job.id))) return;
        await job.remove();
        removed += 1;
      });
      from += ids.length - removed;
      removedSince += removed;
      if (ids.length > 0) return true;
      const again = removedSince > 0 && from > 0;
      [from, removedSince] = [0, 0];
      return again;
    };
  }

  /** Ids of the jobs in a state, oldest or earliest due first. */
  async #oldest(status: 'delayed' | 'waiting' | 'paused', from: number): Promise<string[]> {
    const to = from + bulkSize - 1;
    if (status === 'delayed') return this.#store.ids(status, from, to);
    const key = this.#queue.toKey(keyOfStatus(status));
    const ids = await methodOf(this.#queue.client, 'lrange')?.(key, -1 - to, -1 - from);
    return Array.isArray(ids) ? ids.map(String) : [];
  }

  async #awaitedRuns(): Promise<ReadonlySet<string | null>> {
    const schedulers = await this.#store.schedulers(maxSchedulers);
    return new Set(schedulers.map((scheduler) => scheduler.nextRunJobId));
  }

  /** Applies a change to each job and returns the number of jobs found; missing jobs are skipped. */
  async #each(ids: readonly string[], work: (job: BullJob) => Promise<void>): Promise<number> {
    let done = 0;
    for (let index = 0; index < ids.length; index += concurrency) {
      const some = ids.slice(index, index + concurrency).map(async (id) => {
        try {
          await refusing(work(await jobOf(this.#queue, id)));
          done += 1;
        } catch (error) {
          if (!(error instanceof DriverRefusal)) throw error;
        }
      });
      await Promise.all(some);
    }
    return done;
  }
}
