/** The queue driver for BullMQ. */

import { currentCapabilities } from '../model/capabilities.ts';
import { bulkSize, DriverRefusal } from '../model/driver.ts';
import type {
  BulkStep,
  CleanableStatus,
  NewJob,
  QueueDriver,
  Refusal,
  Schedule,
} from '../model/driver.ts';
import type { JobRecord } from '../model/job-record.ts';
import { SqlStore } from '../sql/store.ts';
import type {
  JobStatus,
  QueueLibrary,
  QueueMetrics,
  QueueRateLimit,
  QueueType,
} from '../model/types.ts';
import { chunksOf, sendCommand, statusesOf, storeOf } from './bullmq-access.ts';
import type { BullMqChunks, BullMqJob, BullMqQueue } from './bullmq-types.ts';
import { cleanInWindows } from './clean-windows.ts';
import { isRecord, memberOf, methodOf } from './record.ts';

/** Maximum number of log lines shown per job, newest lines kept. */
const maxLogLines = 10_000;

/** Meanings of the library's error codes. */
const refusals = new Map<unknown, Refusal>([
  [-1, 'missing'],
  [-2, 'active'],
  [-3, 'state'],
  [-6, 'active'],
  [-8, 'scheduled'],
  [-10, 'taken'],
  [-11, 'taken'],
]);

/** Distinguishes refusals from failures by code, or by message where the library has no code. */
async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const refusal = refusals.get(memberOf(error, 'code'));
    if (refusal) throw new DriverRefusal(refusal, error);
    const text = error instanceof Error ? error.message : '';
    if (/could not be removed because it is locked/.test(text)) {
      throw new DriverRefusal('active', error);
    }
    if (text.startsWith('Cannot obliterate queue with active jobs')) {
      throw new DriverRefusal('active', error);
    }
    throw error;
  }
}

/** See {@link QueueDriver}. */
export class BullMqDriver implements QueueDriver {
  readonly library: QueueLibrary;
  readonly type: QueueType = 'current';
  readonly name: string;
  readonly statuses: readonly JobStatus[];
  readonly capabilities: QueueDriver['capabilities'];
  readonly store: QueueDriver['store'];
  readonly #queue: BullMqQueue;
  readonly #chunks: BullMqChunks;

  constructor(queue: BullMqQueue, library: 'current' | 'current-pro' = 'current') {
    this.#queue = queue;
    this.library = library;
    this.name = queue.name;
    this.statuses = statusesOf(queue);
    this.capabilities = currentCapabilities(methodOf(queue, 'setGlobalRateLimit') !== null);
    this.store = storeOf(queue);
    this.#chunks = chunksOf(queue);
  }

  get defaultJobOptions(): Readonly<Record<string, unknown>> {
    const options = memberOf(this.#queue.opts, 'defaultJobOptions');
    return isRecord(options) ? options : {};
  }

  groupCounts(): ReturnType<QueueDriver['groupCounts']> {
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
    const job = await this.#queue.add(name, data, opts);
    return String(job.id);
  }

  async obliterate(force: boolean): Promise<void> {
    await refusing(this.#queue.obliterate({ force }));
  }

  async setGlobalConcurrency(limit: number): Promise<void> {
    if (limit > 0) {
      await this.#queue.setGlobalConcurrency(limit);
      return;
    }
    // With a limit of 0, no job would run.
    const remove = methodOf(this.#queue, 'removeGlobalConcurrency');
    await (remove ? remove() : sendCommand(this.#queue, 'hdel', 'meta', 'concurrency'));
  }

  async getRateLimit(): Promise<QueueRateLimit | null> {
    const limit = await methodOf(this.#queue, 'getGlobalRateLimit')?.();
    const [max, duration] = [Number(memberOf(limit, 'max')), Number(memberOf(limit, 'duration'))];
    return max > 0 && duration > 0 ? { max, duration } : null;
  }

  async setRateLimit(limit: QueueRateLimit | null): Promise<void> {
    if (limit) await methodOf(this.#queue, 'setGlobalRateLimit')?.(limit.max, limit.duration);
    else await methodOf(this.#queue, 'removeGlobalRateLimit')?.();
  }

  async releaseRateLimit(): Promise<void> {
    const release = methodOf(this.#queue, 'removeRateLimitKey');
    await (release ? release() : sendCommand(this.#queue, 'del', 'limiter'));
  }

  async metrics(kind: 'completed' | 'failed'): Promise<QueueMetrics> {
    if (this.store instanceof SqlStore) return this.store.metrics(kind);
    const { meta, data, count } = await this.#queue.getMetrics(kind);
    return { meta: { ...meta }, data: data.map((value) => Number(value) || 0), count };
  }

  async logs(id: string): Promise<readonly string[]> {
    return (await this.#queue.getJobLogs(id, -maxLogLines, -1)).logs;
  }

  async retry(id: string, state: 'failed' | 'completed'): Promise<void> {
    await refusing((await this.#job(id)).retry(state));
  }

  async remove(id: string): Promise<void> {
    await refusing((await this.#job(id)).remove());
  }

  async promote(id: string): Promise<void> {
    await refusing((await this.#job(id)).promote());
  }

  async updateData(id: string, data: unknown): Promise<void> {
    await refusing((await this.#job(id)).updateData(data));
  }

  async changeDelay(id: string, delay: number): Promise<void> {
    await refusing((await this.#job(id)).changeDelay(delay));
  }

  async changePriority(id: string, priority: number): Promise<void> {
    await refusing((await this.#job(id)).changePriority({ priority }));
  }

  async removeUnprocessedChildren(id: string): Promise<void> {
    const remove = methodOf(await this.#job(id), 'removeUnprocessedChildren');
    if (!remove) throw new DriverRefusal('unsupported');
    await refusing(remove());
  }

  schedulerOf(job: JobRecord): { id: string; isRunAt(next: number): boolean } | null {
    const id = job.repeatJobKey;
    return id === null ? null : { id, isRunAt: (next) => job.id === `repeat:${id}:${next}` };
  }

  retryStep(state: 'failed' | 'completed', before: number): BulkStep {
    return async () => (await this.#chunks.retry(state, bulkSize, before)) > 0;
  }

  promoteStep(): BulkStep {
    return async () => (await this.#chunks.promote(bulkSize)) > 0;
  }

  cleanStep(status: CleanableStatus, until: number): BulkStep {
    const clean = methodOf(this.#queue, 'clean');
    const type = status === 'waiting' ? 'wait' : status;
    return cleanInWindows(async (limit) => {
      const removed = await clean?.(Date.now() - until, limit, type);
      return Array.isArray(removed) ? removed.length : 0;
    });
  }

  drain(): Promise<void> {
    return this.#queue.drain(true);
  }

  removeScheduler(id: string): Promise<boolean> {
    return this.#queue.removeJobScheduler(id);
  }

  async updateScheduler(id: string, schedule: Schedule, template: NewJob): Promise<string | null> {
    const run = await refusing(this.#queue.upsertJobScheduler(id, schedule, template));
    const next = memberOf(run, 'id');
    return next === undefined ? null : String(next);
  }

  async #job(id: string): Promise<BullMqJob> {
    const job = await this.#queue.getJob(id);
    if (!job) throw new DriverRefusal('missing');
    return job;
  }
}
