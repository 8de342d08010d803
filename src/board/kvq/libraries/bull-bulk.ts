/** Work on many jobs of Bull in steps, sparing what its own methods do not. */

import { bulkSize, DriverRefusal } from '../model/driver.ts';
import type { BulkStep, CleanableStatus } from '../model/driver.ts';
import type { RedisStore } from '../redis/store.ts';
import { keyOfStatus } from '../model/status.ts';
import { retryScriptOf } from './bull-access.ts';
import { jobOf, refusing } from './bull-refusals.ts';
import type { BullJob, BullQueue } from './bull-types.ts';
import { methodOf } from './record.ts';

/** Schedulers whose next runs are spared. */
const maxSchedulers = 100_000;

/** Jobs that are changed one by one at the same time. */
const abreast = 100;

export class BullBulk {
  readonly #queue: BullQueue;
  readonly #store: RedisStore;

  constructor(queue: BullQueue, store: RedisStore) {
    this.#queue = queue;
    this.#store = store;
  }

  retryStep(before: number): BulkStep {
    // Its script takes the oldest jobs, so as many as there were at the beginning are the ones that were there.
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
   * The library's own way takes the runs that schedulers wait for, which then never fire again, and finds no delayed
   * jobs at all when it is given a limit. Those at the front may have to stay; what comes after them is looked at
   * until there is nothing to remove any more, from the beginning again because workers take jobs meanwhile.
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

  /** Ids of the jobs in a state that were there first, or are due first. */
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

  /** Does something to each job; those that have gone meanwhile are passed over. Tells how many were there. */
  async #each(ids: readonly string[], work: (job: BullJob) => Promise<void>): Promise<number> {
    let done = 0;
    for (let index = 0; index < ids.length; index += abreast) {
      const some = ids.slice(index, index + abreast).map(async (id) => {
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
