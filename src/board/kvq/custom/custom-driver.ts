/** Changes the queue of a host's adapter. Bulk commands are single ones on the jobs that were there when they were asked. */

import { Turns } from '../../core/index.ts';
import { legacyCapabilities } from '../model/capabilities.ts';
import { bulkSize, DriverRefusal } from '../model/driver.ts';
import type {
  BulkSelection,
  BulkStep,
  JobCommand,
  JobConditions,
  QueueDriver,
  Refusal,
} from '../model/driver.ts';
import type { JobStatus, QueueCapabilities, QueueLibrary, QueueType } from '../model/types.ts';
import { examinedOf } from '../model/examined.ts';
import { type AdapterJob, recordOf, revisionOf } from './adapter-job.ts';
import { CustomStore, asked } from './custom-store.ts';
import {
  type AdapterOutcome,
  type JobFits,
  WritableQueueAdapter,
  QueueAdapter,
} from './queue-adapter.ts';
import { refuseArguments } from '../../../lib/index.ts';
import { BoardQueue } from '../queue/board-queue.ts';
import { checkQueueOptions, type QueueOptions } from '../queue/queue-options.ts';

const capabilities: QueueCapabilities = {
  ...legacyCapabilities,
  completedRetry: true,
  nativeMetrics: false,
  workers: false,
  jobSchedulers: { update: false, run: false, create: false, preview: false, kinds: [] },
  jobOptionsSchema: 'current',
};

const unsupported = (): Promise<never> => Promise.reject(new DriverRefusal('unsupported'));

const always: JobFits = () => true;

/** See {@link QueueDriver}. */
export class CustomDriver implements QueueDriver {
  readonly library: QueueLibrary = 'current';
  readonly type: QueueType = 'current';
  readonly name: string;
  readonly statuses: readonly JobStatus[];
  readonly capabilities: QueueCapabilities;
  readonly store: CustomStore;
  readonly acceptsRepeat = false;
  readonly defaultJobOptions: QueueDriver['defaultJobOptions'] = {};
  readonly setRateLimit = unsupported;
  readonly releaseRateLimit = unsupported;
  readonly setGlobalConcurrency = unsupported;
  readonly removeUnprocessedChildren = unsupported;
  readonly updateScheduler = unsupported;
  readonly createScheduler = unsupported;
  readonly runFinder = unsupported;
  readonly #adapter: QueueAdapter;

  constructor(adapter: QueueAdapter) {
    this.#adapter = adapter;
    this.name = adapter.name;
    this.statuses = [...adapter.statuses];
    const isWritable = adapter instanceof WritableQueueAdapter;
    this.capabilities = isWritable
      ? capabilities
      : { ...capabilities, pause: false, promote: false, updateData: false, completedRetry: false };
    this.store = new CustomStore(adapter);
  }

  readonly groupCounts: QueueDriver['groupCounts'] = () => null;

  readonly changed: QueueDriver['changed'] = () => {};

  readonly pause: QueueDriver['pause'] = () => asked(() => this.#writable.pause());

  readonly resume: QueueDriver['resume'] = () => asked(() => this.#writable.resume());

  readonly add: QueueDriver['add'] = ({ name, data, opts }) =>
    this.#writable.add({ name, data, options: opts });

  readonly obliterateStep: QueueDriver['obliterateStep'] = (force) => {
    let [isFirst, isLeft] = [true, false];
    const left = this.statuses.map((status) =>
      this.#step(
        status,
        () => true,
        async (id) => {
          const outcome = await this.#writable.remove(id, always);
          isLeft ||= outcome !== 'done' && outcome !== 'missing';
          return outcome;
        },
      ),
    );
    return async () => {
      const { active = 0 } = isFirst ? await asked(() => this.#adapter.counts()) : {};
      isFirst = false;
      if (active > 0 && !force) throw new DriverRefusal('active');
      if (!(await asked(() => this.#adapter.isPaused()))) throw new DriverRefusal('state');
      const [step] = left;
      const outcome = step ? await step() : { changed: 0, skipped: 0, spared: 0, more: false };
      if (!outcome.more) left.shift();
      // Without a reason, an adapter leaves the jobs that a worker is processing.
      if (left.length === 0 && isLeft) throw new DriverRefusal('active');
      return { ...outcome, more: left.length > 0 };
    };
  };

  readonly getRateLimit: QueueDriver['getRateLimit'] = async () => null;

  readonly change: QueueDriver['change'] = async (id, command, conditions) => {
    const fits = fitting(conditions);
    const outcome = await asked(() => this.#run(id, command, fits));
    if (outcome === 'done') return;
    const state = (await this.store.job(id))?.state;
    throw new DriverRefusal(outcome, undefined, state);
  };

  readonly schedulerOf: QueueDriver['schedulerOf'] = () => null;

  readonly retryStep: QueueDriver['retryStep'] = (state, before) =>
    this.#step(
      state,
      ({ finishedOn }) => (finishedOn ?? 0) <= before,
      (id) => this.#writable.retry(id, (_job, found) => found === state),
    );

  readonly promoteStep: QueueDriver['promoteStep'] = (until) =>
    this.#step(
      'delayed',
      ({ timestamp }) => timestamp <= until,
      (id) => this.#writable.promote(id, always),
    );

  readonly cleanStep: QueueDriver['cleanStep'] = (status, until) =>
    this.#step(
      status,
      ({ finishedOn, timestamp }) => (finishedOn ?? timestamp) <= until,
      (id) => this.#writable.remove(id, (_job, found) => found === status),
    );

  readonly selectionStep: QueueDriver['selectionStep'] = (selection) => {
    const { act, status, until, dryRun, criteria, accepts } = selection;
    let offset = 0;
    const comparesData = criteria.path !== undefined || (criteria.where?.paths.length ?? 0) > 0;
    const isMet = (job: AdapterJob): boolean =>
      (job.finishedOn ?? job.timestamp) <= until &&
      accepts(
        examinedOf(recordOf(job), status, comparesData ? JSON.stringify(job.data ?? null) : ''),
      );
    return async () => {
      const jobs = await asked(() => this.#adapter.jobs(status, offset, offset + bulkSize - 1));
      let [matched, changed] = [0, 0];
      const refused: Partial<Record<Refusal, number>> = {};
      const turns = new Turns();
      for (const job of jobs) {
        await turns.pause();
        const outcome = isMet(job) ? await this.#selected(job.id, act, status, dryRun) : null;
        if (outcome !== null) {
          matched += 1;
          selection.found?.(job.failedReason ?? '', job.finishedOn ?? job.timestamp);
        }
        if (outcome === 'done' && !dryRun) changed += 1;
        else offset += 1;
        if (outcome !== null && outcome !== 'done') refused[outcome] = (refused[outcome] ?? 0) + 1;
      }
      return { examined: jobs.length, matched, changed, refused, more: jobs.length === bulkSize };
    };
  };

  /** Changes a job of a selection if it is still in the status. */
  #selected(
    id: string,
    act: BulkSelection['act'],
    status: JobStatus,
    dryRun: boolean,
  ): Promise<AdapterOutcome> {
    if (dryRun) return Promise.resolve('done');
    return asked(() => this.#writable[act](id, (_job, found) => found === status));
  }

  readonly removeScheduler: QueueDriver['removeScheduler'] = async () => false;

  get #writable(): WritableQueueAdapter {
    if (this.#adapter instanceof WritableQueueAdapter) return this.#adapter;
    throw new DriverRefusal('unsupported');
  }

  #run(id: string, command: JobCommand, fits: JobFits): Promise<AdapterOutcome> {
    switch (command.act) {
      case 'retry':
        return this.#writable.retry(id, fits);
      case 'promote':
        return this.#writable.promote(id, fits);
      case 'remove':
        return this.#writable.remove(id, fits);
      case 'data':
        return this.#writable.updateData(id, command.data, fits);
      case 'release':
      case 'delay':
      case 'priority':
        return unsupported();
    }
  }

  /** Runs a command on the jobs of a status that were there; those that stay are passed over. */
  #step(
    status: JobStatus,
    wasThere: (job: AdapterJob) => boolean,
    run: (id: string) => Promise<AdapterOutcome>,
  ): BulkStep {
    let offset = 0;
    return async () => {
      const jobs = await asked(() => this.#adapter.jobs(status, offset, offset + bulkSize - 1));
      let [changed, skipped] = [0, 0];
      for (const job of jobs) {
        if (!wasThere(job)) {
          offset += 1;
        } else if ((await asked(() => run(job.id))) === 'done') {
          changed += 1;
        } else {
          skipped += 1;
          offset += 1;
        }
      }
      return { changed, skipped, spared: 0, more: jobs.length === bulkSize };
    };
  }
}

/** The conditions of a client as a test of the job. */
function fitting({ expectedState, revision }: JobConditions): JobFits {
  return (job, state) =>
    (expectedState === undefined || expectedState === state) &&
    (revision === undefined || revision === revisionOf(job, state));
}

/**
 * A queue of an adapter that the host has written. Without commands (`QueueAdapter`), the queue is read-only.
 *
 * @throws {TypeError} when the adapter does not extend `QueueAdapter`, or an option is unknown or has a wrong type
 */
export function customQueue(adapter: QueueAdapter, options?: QueueOptions): BoardQueue;
export function customQueue(
  adapter: QueueAdapter,
  options?: QueueOptions,
  ...more: readonly unknown[]
): BoardQueue {
  refuseArguments('customQueue', 2, more);
  if (!(adapter instanceof QueueAdapter)) {
    throw new TypeError('customQueue: "adapter" must extend QueueAdapter');
  }
  checkQueueOptions('customQueue', options);
  const { readOnlyMode, readOnly = readOnlyMode ?? false, ...others } = options ?? {};
  const isReadOnly = readOnly || !(adapter instanceof WritableQueueAdapter);
  return new BoardQueue(new CustomDriver(adapter), { ...others, readOnly: isReadOnly });
}
