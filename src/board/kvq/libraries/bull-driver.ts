/** Bull as the board drives it. */

import { legacyCapabilities } from '../capabilities.ts';
import { bulkSize, DriverRefusal } from '../driver.ts';
import type { BulkStep, CleanableStatus, NewJob, QueueDriver, Refusal } from '../driver.ts';
import type { JobRecord } from '../job-record.ts';
import type { RedisStore } from '../redis/store.ts';
import { legacyStatuses } from '../status.ts';
import type { QueueLibrary, QueueMetrics, QueueType } from '../types.ts';
import { retryScriptOf, storeOf } from './bull-access.ts';
import type { BullJob, BullQueue } from './bull-types.ts';
import { isRecord, memberOf, methodOf } from './record.ts';

/** Most log lines of a job that are shown: the last ones. */
const maxLogLines = 10_000;

/** Schedulers whose next runs are spared. */
const maxSchedulers = 100_000;

/** Jobs that are changed one by one at the same time. */
const abreast = 100;

/** The library has no codes; its texts tell refusals from failures. */
const refusals: readonly (readonly [text: RegExp, refusal: Refusal])[] = [
  [/is not in a delayed state|has not failed/, 'state'],
  [/is locked|^Could not remove job|with active jobs/, 'active'],
  [/doesn't exist|^Missing key for job/, 'missing'],
];

async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    const refusal = refusals.find(([pattern]) => pattern.test(text))?.[1];
    throw refusal ? new DriverRefusal(refusal, error) : error;
  }
}

const unsupported = (): Promise<never> =>
  Promise.reject(new Error('The library cannot do this; its capabilities say so.'));

/** See {@link QueueDriver}. */
export class BullDriver implements QueueDriver {
  readonly library: QueueLibrary = 'legacy';
  readonly type: QueueType = 'legacy';
  readonly name: string;
  readonly statuses: QueueDriver['statuses'] = legacyStatuses;
  readonly capabilities: QueueDriver['capabilities'] = legacyCapabilities;
  readonly store: RedisStore;
  readonly #queue: BullQueue;

  constructor(queue: BullQueue) {
    this.#queue = queue;
    this.name = queue.name;
    this.store = storeOf(queue);
  }

  get defaultJobOptions(): Readonly<Record<string, unknown>> {
    const options = memberOf(this.#queue, 'defaultJobOptions');
    return isRecord(options) ? options : {};
  }

  groupCounts(): null {
    return null;
  }

  changed(): void {}

  pause(): Promise<void> {
    return this.#queue.pause();
  }

  resume(): Promise<void> {
    return this.#queue.resume();
  }

  async add({ name, data, opts }: NewJob): Promise<string> {
    const add = methodOf(this.#queue, 'add');
    return String(memberOf(await add?.(name, data, opts), 'id'));
  }

  async obliterate(force: boolean): Promise<void> {
    await refusing(this.#queue.obliterate({ force }));
  }

  /** The library has no such limit; it is accepted and has no effect. */
  async setGlobalConcurrency(): Promise<void> {}

  async getRateLimit(): Promise<null> {
    return null;
  }

  setRateLimit(): Promise<void> {
    return unsupported();
  }

  /** The library has no such limit, so none is active. */
  async releaseRateLimit(): Promise<void> {}

  async metrics(kind: 'completed' | 'failed'): Promise<QueueMetrics> {
    const { meta, data, count } = await this.#queue.getMetrics(kind);
    return { meta: { ...meta }, data: data.map((value) => Number(value) || 0), count };
  }

  async logs(id: string): Promise<readonly string[]> {
    return (await this.#queue.getJobLogs(id, -maxLogLines, -1)).logs;
  }

  async retry(id: string): Promise<void> {
    await refusing((await this.#job(id)).retry());
  }

  async remove(id: string): Promise<void> {
    await refusing((await this.#job(id)).remove());
  }

  async promote(id: string): Promise<void> {
    await refusing((await this.#job(id)).promote());
  }

  async updateData(id: string, data: unknown): Promise<void> {
    const update = methodOf(await this.#job(id), 'update');
    await refusing(Promise.resolve(update?.(data)));
  }

  changeDelay(): Promise<void> {
    return unsupported();
  }

  changePriority(): Promise<void> {
    return unsupported();
  }

  removeUnprocessedChildren(): Promise<void> {
    return unsupported();
  }

  schedulerOf(job: JobRecord): { id: string; isRunAt(next: number): boolean } | null {
    const key = memberOf(job.opts['repeat'], 'key');
    if (typeof key !== 'string') return null;
    return {
      id: key,
      isRunAt: (next) => job.id.startsWith('repeat:') && job.id.endsWith(`:${next}`),
    };
  }

  retryStep(_state: 'failed' | 'completed', before: number): BulkStep {
    // Its script takes the oldest jobs, so as many as there were at the beginning are the ones that were there.
    let left: number | undefined;
    const retry = retryScriptOf(this.#queue);
    return async () => {
      left ??= await this.store.countFinished('failed', before);
      if (left <= 0) return false;
      await retry(Math.min(left, bulkSize));
      left -= bulkSize;
      return left > 0;
    };
  }

  promoteStep(): BulkStep {
    return async () => {
      const ids = await this.store.ids('delayed', 0, bulkSize - 1);
      return this.#each(ids, (job) => job.promote());
    };
  }

  cleanStep(status: CleanableStatus, grace: number): BulkStep {
    if (status === 'prioritized') return async () => false;
    if (status === 'delayed') return this.#cleanDelayed(grace);
    const clean = methodOf(this.#queue, 'clean');
    const type = status === 'waiting' ? 'wait' : status;
    return async () => {
      const removed = await clean?.(grace, type, bulkSize);
      return Array.isArray(removed) && removed.length > 0;
    };
  }

  /** Nothing is left once every status has been cleaned, and the library's own way forgets the schedulers. */
  async drain(): Promise<void> {}

  async removeScheduler(id: string): Promise<boolean> {
    const known = await this.store.scheduler(id);
    if (known) await this.#queue.removeRepeatableByKey(id);
    return known !== null;
  }

  updateScheduler(): Promise<boolean> {
    return unsupported();
  }

  /** The library's own way finds no delayed jobs when it is given a limit, and does not spare scheduled runs. */
  #cleanDelayed(grace: number): BulkStep {
    let from = 0;
    return async () => {
      const until = Date.now() - grace;
      const ids = await this.store.ids('delayed', from, from + bulkSize - 1);
      const awaited = await this.#awaitedRuns();
      let removed = 0;
      await this.#each(ids, async (job) => {
        if (job.timestamp > until || awaited.has(String(job.id))) return;
        await job.remove();
        removed += 1;
      });
      from += ids.length - removed;
      return ids.length > 0;
    };
  }

  async #awaitedRuns(): Promise<ReadonlySet<string | null>> {
    const schedulers = await this.store.schedulers(maxSchedulers);
    return new Set(schedulers.map((scheduler) => scheduler.nextRunJobId));
  }

  /** Does something to each job; those that have gone meanwhile are passed over. Tells whether any was there. */
  async #each(ids: readonly string[], work: (job: BullJob) => Promise<void>): Promise<boolean> {
    let done = 0;
    for (let index = 0; index < ids.length; index += abreast) {
      const some = ids.slice(index, index + abreast).map(async (id) => {
        try {
          await refusing(work(await this.#job(id)));
          done += 1;
        } catch (error) {
          if (!(error instanceof DriverRefusal)) throw error;
        }
      });
      await Promise.all(some);
    }
    return done > 0;
  }

  async #job(id: string): Promise<BullJob> {
    const job = await this.#queue.getJob(id);
    if (!job) throw new DriverRefusal('missing');
    return job;
  }
}
