/** The queue driver for BullMQ. */

import { currentCapabilities } from '../model/capabilities.ts';
import {
  DriverRefusal,
  type JobCommand,
  type NewJob,
  type QueueDriver,
  type Schedule,
} from '../model/driver.ts';
import type { ChangedQueue } from '../redis/changes/bulk.ts';
import { pauseOnRedis, resumeOnRedis } from '../redis/pause-note.ts';
import { claimOnRedis, renewOnRedis } from '../redis/scheduler-writes.ts';
import { RedisStore } from '../redis/store.ts';
import type { JobStatus, QueueLibrary, QueueType } from '../model/types.ts';
import { repeatStrategyOf } from './bullmq/foreign.ts';
import { sendCommand, statusesOf, storeOf } from './bullmq-access.ts';
import { refusing } from './bullmq-refusals.ts';
import type { BullMqJob, BullMqQueue } from './bullmq-types.ts';
import { isRecord, memberOf, methodOf } from './record.ts';
import { RedisDriver } from './redis-driver.ts';

/** Creates or replaces a scheduler; the id of its next run, `null` when it never fires. */
export async function upsertScheduler(
  queue: BullMqQueue,
  id: string,
  schedule: Schedule,
  template: NewJob,
): Promise<string | null> {
  const run = await refusing(queue.upsertJobScheduler(id, schedule, template));
  const next = memberOf(run, 'id');
  return next === undefined ? null : String(next);
}

/** See {@link QueueDriver}. */
export class BullMqDriver extends RedisDriver implements QueueDriver {
  readonly library: QueueLibrary;
  readonly type: QueueType = 'current';
  readonly name: string;
  readonly statuses: readonly JobStatus[];
  readonly capabilities: QueueDriver['capabilities'];
  readonly store: QueueDriver['store'];
  readonly acceptsRepeat: boolean;
  readonly #queue: BullMqQueue;

  constructor(queue: BullMqQueue, library: 'current' | 'current-pro' = 'current') {
    super();
    this.#queue = queue;
    this.library = library;
    this.name = queue.name;
    this.statuses = statusesOf(queue);
    this.acceptsRepeat = memberOf(queue, 'getBackend') === undefined;
    this.capabilities = currentCapabilities(methodOf(queue, 'setGlobalRateLimit') !== null);
    this.store = storeOf(queue);
  }

  get defaultJobOptions(): Readonly<Record<string, unknown>> {
    const options = memberOf(this.#queue.opts, 'defaultJobOptions');
    return isRecord(options) ? options : {};
  }

  readonly pause: QueueDriver['pause'] = (note) =>
    pauseOnRedis(this.jobs, () => this.#queue.pause(), note);

  readonly resume: QueueDriver['resume'] = () =>
    resumeOnRedis(this.jobs, () => this.#queue.resume());

  readonly add: QueueDriver['add'] = async ({ name, data, opts }) => {
    const job = await this.#queue.add(name, data, opts);
    return String(job.id);
  };

  readonly setGlobalConcurrency: QueueDriver['setGlobalConcurrency'] = async (limit) => {
    if (limit > 0) {
      await this.#queue.setGlobalConcurrency(limit);
      return;
    }
    // With a limit of 0, no job would run.
    const remove = methodOf(this.#queue, 'removeGlobalConcurrency');
    await (remove ? remove() : sendCommand(this.#queue, 'hdel', 'meta', 'concurrency'));
  };

  readonly getRateLimit: QueueDriver['getRateLimit'] = async () => {
    const limit = await methodOf(this.#queue, 'getGlobalRateLimit')?.();
    const [max, duration] = [Number(memberOf(limit, 'max')), Number(memberOf(limit, 'duration'))];
    return max > 0 && duration > 0 ? { max, duration } : null;
  };

  readonly setRateLimit: QueueDriver['setRateLimit'] = async (limit) => {
    if (limit) await methodOf(this.#queue, 'setGlobalRateLimit')?.(limit.max, limit.duration);
    else await methodOf(this.#queue, 'removeGlobalRateLimit')?.();
  };

  readonly releaseRateLimit: QueueDriver['releaseRateLimit'] = async () => {
    const release = methodOf(this.#queue, 'removeRateLimitKey');
    await (release ? release() : sendCommand(this.#queue, 'del', 'limiter'));
  };

  protected async changeInGroup(id: string, command: JobCommand): Promise<void> {
    const job = await this.#job(id);
    const run = async (method: string, ...given: unknown[]): Promise<void> => {
      const call = methodOf(job, method);
      if (!call) throw new DriverRefusal('unsupported');
      await refusing(call(...given));
    };
    if (command.act === 'retry') await run('retry', command.from);
    else if (command.act === 'promote') await run('promote');
    else if (command.act === 'remove') await run('remove');
    else if (command.act === 'priority') {
      await run('changePriority', { priority: command.priority });
    } else throw new DriverRefusal('unsupported');
  }

  readonly removeUnprocessedChildren: QueueDriver['removeUnprocessedChildren'] = async (id) => {
    const remove = methodOf(await this.#job(id), 'removeUnprocessedChildren');
    if (!remove) throw new DriverRefusal('unsupported');
    await refusing(remove());
  };

  readonly schedulerOf: QueueDriver['schedulerOf'] = ({ repeatJobKey }) => repeatJobKey;

  readonly removeScheduler: QueueDriver['removeScheduler'] = (id) =>
    this.#queue.removeJobScheduler(id);

  readonly updateScheduler: QueueDriver['updateScheduler'] = async (id, schedule, template) => {
    const next = await upsertScheduler(this.#queue, id, schedule, template);
    if (next !== null && this.store instanceof RedisStore) await renewOnRedis(this.jobs, next);
    return next;
  };

  readonly createScheduler: QueueDriver['createScheduler'] = async (id, schedule, template) => {
    if (id === undefined) throw new DriverRefusal('missing');
    const next = await claimOnRedis(this.jobs, id, () =>
      this.updateScheduler(id, schedule, template),
    );
    return next === null ? null : id;
  };

  readonly runFinder: QueueDriver['runFinder'] = async () => {
    // Where Redis has never answered, the library rejects this promise without a way to catch it.
    await this.store.ready();
    const strategy = await repeatStrategyOf(this.#queue);
    return async (name, schedule, previous) => {
      const now = Date.now();
      const { every, startDate = now, endDate = Infinity } = schedule;
      // The library looks at the end when it adds a run, which is when the previous one begins.
      if ((previous ?? now) > endDate) return null;
      if (every !== undefined) {
        return previous === null ? Math.max(startDate, now) : previous + every;
      }
      const next = Number((await strategy(previous ?? now, schedule, name)) ?? Number.NaN);
      return Number.isFinite(next) ? Math.max(next, now) : null;
    };
  };

  protected get jobs(): ChangedQueue {
    if (this.store instanceof RedisStore) {
      const { settings, run } = this.store.changed;
      if (this.library !== 'current-pro') return { settings, run };
      return {
        settings: { ...settings, groups: true },
        run,
        moveInGroup: (id, act, state) =>
          this.changeInGroup(
            id,
            act === 'promote' ? { act } : { act, from: state === 'completed' ? state : 'failed' },
          ),
      };
    }
    throw new TypeError('The queue is not on Redis.');
  }

  async #job(id: string): Promise<BullMqJob> {
    const job = await this.#queue.getJob(id);
    if (!job) throw new DriverRefusal('missing');
    return job;
  }
}
