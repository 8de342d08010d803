/** The queue driver for Bull. */

import { legacyCapabilities } from '../model/capabilities.ts';
import type { QueueDriver, Schedule } from '../model/driver.ts';
import type { ChangedQueue } from '../redis/changes/bulk.ts';
import { pauseOnRedis, resumeOnRedis } from '../redis/pause-note.ts';
import { claimOnRedis } from '../redis/scheduler-writes.ts';
import { RedisStore } from '../redis/store.ts';
import { legacyStatuses } from '../model/status.ts';
import type { QueueLibrary, QueueType } from '../model/types.ts';
import type { BullQueue } from './bull-types.ts';
import { assertDryRuns, defaultOptionsOf, dryRun } from './bull/foreign.ts';
import { memberOf, methodOf } from './record.ts';
import { RedisDriver } from './redis-driver.ts';
import type { RedisClient } from '../redis/connect/client.ts';

function isClient(value: unknown): value is RedisClient {
  return ['pipeline', 'call'].every((name) => typeof memberOf(value, name) === 'function');
}

function storeOf(queue: BullQueue): RedisStore {
  const qualifiedName = queue.toKey('').slice(0, -1);
  const clientName = memberOf(queue, 'clientName');
  return new RedisStore({
    legacy: true,
    statuses: legacyStatuses,
    qualifiedName,
    clientName:
      typeof clientName === 'function' ? String(Reflect.apply(clientName, queue, [])) : '',
    connection: queue.client,
    client: async () => {
      const { client } = queue;
      if (isClient(client)) return client;
      throw new TypeError('The queue does not have a Redis client.');
    },
  });
}

const unsupported = (): Promise<never> =>
  Promise.reject(new Error('The library does not support this operation; check its capabilities.'));

/** The schedule as the library names its parts. */
function repeatOf({ pattern, ...schedule }: Schedule): object {
  return { ...schedule, ...(pattern !== undefined && { cron: pattern }) };
}

/** See {@link QueueDriver}. */
export class BullDriver extends RedisDriver implements QueueDriver {
  readonly library: QueueLibrary = 'legacy';
  readonly type: QueueType = 'legacy';
  readonly name: string;
  readonly statuses: QueueDriver['statuses'] = legacyStatuses;
  readonly capabilities: QueueDriver['capabilities'] = legacyCapabilities;
  readonly store: RedisStore;
  readonly acceptsRepeat = true;
  readonly #queue: BullQueue;

  constructor(queue: BullQueue) {
    super();
    this.#queue = queue;
    this.name = queue.name;
    this.store = storeOf(queue);
  }

  protected get jobs(): ChangedQueue {
    return this.store.changed;
  }

  protected readonly changeInGroup = unsupported;

  get defaultJobOptions(): Readonly<Record<string, unknown>> {
    return defaultOptionsOf(this.#queue);
  }

  readonly pause: QueueDriver['pause'] = (note) =>
    pauseOnRedis(this.jobs, () => this.#queue.pause(), note);

  readonly resume: QueueDriver['resume'] = () =>
    resumeOnRedis(this.jobs, () => this.#queue.resume());

  readonly add: QueueDriver['add'] = async ({ name, data, opts }) => {
    const add = methodOf(this.#queue, 'add');
    return String(memberOf(await add?.(name, data, opts), 'id'));
  };

  /** Has no effect: the library does not support this limit. */
  readonly setGlobalConcurrency: QueueDriver['setGlobalConcurrency'] = async () => {};

  readonly getRateLimit: QueueDriver['getRateLimit'] = async () => null;

  readonly setRateLimit = unsupported;

  /** Has no effect: without a limit, there is nothing to release. */
  readonly releaseRateLimit: QueueDriver['releaseRateLimit'] = async () => {};

  readonly removeUnprocessedChildren = unsupported;

  readonly schedulerOf: QueueDriver['schedulerOf'] = (job) => {
    const key = memberOf(job.opts['repeat'], 'key');
    return typeof key === 'string' ? key : null;
  };

  readonly removeScheduler: QueueDriver['removeScheduler'] = async (id) => {
    const known = await this.store.scheduler(id);
    if (known) await this.#queue.removeRepeatableByKey(id);
    return known !== null;
  };

  readonly updateScheduler = unsupported;

  readonly createScheduler: QueueDriver['createScheduler'] = async (
    id,
    schedule,
    { name, data, opts },
  ) => {
    const options = () => ({
      ...opts,
      repeat: repeatOf(schedule),
      ...(id !== undefined && { jobId: id }),
    });
    const first = dryRun(this.#queue, name, options());
    if (!first) return null;
    const add = methodOf(this.#queue, 'add');
    const added = await claimOnRedis(this.store.changed, first.key, async () =>
      add?.(name, data, options()),
    );
    return added == null ? null : first.key;
  };

  readonly runFinder: QueueDriver['runFinder'] = async () => {
    assertDryRuns(this.#queue);
    return async (name, schedule, previous) => {
      // The library looks at the end when it adds a run, which is when the previous one begins.
      if (previous !== null && previous > (schedule.endDate ?? Infinity)) return null;
      const options = {
        repeat: repeatOf(schedule),
        ...(previous !== null && { prevMillis: previous }),
      };
      return dryRun(this.#queue, name, options)?.at ?? null;
    };
  };
}
