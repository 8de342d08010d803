/** The queue driver for Bull. */

import { legacyCapabilities } from '../model/capabilities.ts';
import type { BulkStep, CleanableStatus, NewJob, QueueDriver } from '../model/driver.ts';
import type { JobRecord } from '../model/job-record.ts';
import type { RedisStore } from '../redis/store.ts';
import { legacyStatuses } from '../model/status.ts';
import type { QueueLibrary, QueueMetrics, QueueType } from '../model/types.ts';
import { storeOf } from './bull-access.ts';
import { BullBulk } from './bull-bulk.ts';
import { jobOf, refusing } from './bull-refusals.ts';
import type { BullQueue } from './bull-types.ts';
import { isRecord, memberOf, methodOf } from './record.ts';

/** Maximum number of log lines shown per job, newest lines kept. */
const maxLogLines = 10_000;

const unsupported = (): Promise<never> =>
  Promise.reject(new Error('The library does not support this operation; check its capabilities.'));

/** See {@link QueueDriver}. */
export class BullDriver implements QueueDriver {
  readonly library: QueueLibrary = 'legacy';
  readonly type: QueueType = 'legacy';
  readonly name: string;
  readonly statuses: QueueDriver['statuses'] = legacyStatuses;
  readonly capabilities: QueueDriver['capabilities'] = legacyCapabilities;
  readonly store: RedisStore;
  readonly #queue: BullQueue;
  readonly #bulk: BullBulk;

  constructor(queue: BullQueue) {
    this.#queue = queue;
    this.name = queue.name;
    this.store = storeOf(queue);
    this.#bulk = new BullBulk(queue, this.store);
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

  /** Has no effect: the library does not support this limit. */
  async setGlobalConcurrency(): Promise<void> {}

  async getRateLimit(): Promise<null> {
    return null;
  }

  setRateLimit(): Promise<void> {
    return unsupported();
  }

  /** Has no effect: without a limit, there is nothing to release. */
  async releaseRateLimit(): Promise<void> {}

  async metrics(kind: 'completed' | 'failed'): Promise<QueueMetrics> {
    const { meta, data, count } = await this.#queue.getMetrics(kind);
    return { meta: { ...meta }, data: data.map((value) => Number(value) || 0), count };
  }

  async logs(id: string): Promise<readonly string[]> {
    return (await this.#queue.getJobLogs(id, -maxLogLines, -1)).logs;
  }

  async retry(id: string): Promise<void> {
    await refusing((await jobOf(this.#queue, id)).retry());
  }

  async remove(id: string): Promise<void> {
    await refusing((await jobOf(this.#queue, id)).remove());
  }

  async promote(id: string): Promise<void> {
    await refusing((await jobOf(this.#queue, id)).promote());
  }

  async updateData(id: string, data: unknown): Promise<void> {
    const update = methodOf(await jobOf(this.#queue, id), 'update');
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
    return this.#bulk.retryStep(before);
  }

  promoteStep(): BulkStep {
    return this.#bulk.promoteStep();
  }

  cleanStep(status: CleanableStatus, until: number): BulkStep {
    return this.#bulk.cleanStep(status, until);
  }

  /**
   * Has no effect: the clean steps have removed all jobs, and the method of the library would also remove the
   * schedulers.
   */
  async drain(): Promise<void> {}

  async removeScheduler(id: string): Promise<boolean> {
    const known = await this.store.scheduler(id);
    if (known) await this.#queue.removeRepeatableByKey(id);
    return known !== null;
  }

  updateScheduler(): Promise<null> {
    return unsupported();
  }
}
