/** Shared parts of the handlers: visible queues, jobs and changes. */

import { withTimeout } from '../../../lib/index.ts';
import type { BoardAction } from '../../contract/index.ts';
import {
  BoardError,
  QueueVisibility,
  parseExact,
  requireWritable,
  restored,
  withStoredDigits,
} from '../../core/index.ts';
import type {
  BoardPermissions,
  EngineHost,
  HistoryScope,
  HookRequest,
  VersionOf,
} from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { DriverRefusal, type Refusal } from '../model/driver.ts';
import type { ReadLimits } from '../model/read-limits.ts';
import type { ProblemLog } from '../queue/problem-log.ts';
import type { QueueRegistry } from '../queue/queue-registry.ts';
import type { JobView } from '../present/job-view.ts';
import { locationFinder, type FlowView, type LocationFinder } from '../reads/flow.ts';
import type { Snapshots } from '../reads/snapshots.ts';
import type { VersionedJob } from '../model/store.ts';
import { isOutcomeUnknown } from '../errors/unavailable.ts';
import type { Fingerprint, HeavyReads, HistoryProvider, TraceUrl } from '../../core/index.ts';
import { timeouts } from '../timeouts.ts';
import { shownContent } from '../present/present-job.ts';

/** Board options that the handlers use. */
interface ScopeOptions {
  readonly showWorkers: boolean;
  readonly hideKvDetails: boolean;
  /** Maximum bytes of a page, a log window or a flow. */
  readonly maxReadBytes: number;
  readonly problems: ProblemLog;
  readonly traceUrl: TraceUrl | undefined;
  readonly fingerprint: Fingerprint | undefined;
  readonly historyProvider: HistoryProvider | undefined;
  readonly permissions: BoardPermissions;
  readonly versionOf: VersionOf;
  readonly whoSent: EngineHost['whoSent'];
  readonly heavy: HeavyReads;
}

/** The parts of a request that identify its queue. */
interface Addressed {
  readonly params: { readonly queueName: string };
  readonly request: HookRequest;
}

export class Scope {
  readonly registry: QueueRegistry;
  readonly snapshots: Snapshots;
  readonly options: ScopeOptions;
  readonly #visibility: QueueVisibility;

  constructor(registry: QueueRegistry, snapshots: Snapshots, options: ScopeOptions) {
    this.registry = registry;
    this.snapshots = snapshots;
    this.options = options;
    this.#visibility = new QueueVisibility((request, name) => {
      const guard = registry.byName.get(name)?.visibilityGuard;
      return guard ? guard(request, name) : true;
    }, options.permissions);
  }

  /** The limits of a read for a response. */
  get limits(): ReadLimits {
    return { maxBytes: this.options.maxReadBytes, withData: true };
  }

  /** Whether every sender may see and change every queue. */
  get isOpen(): boolean {
    if (this.options.permissions.isAsked) return false;
    const queues = [...this.registry.byName.values()];
    return queues.every(({ readOnly, visibilityGuard }) => !readOnly && !visibilityGuard);
  }

  /** Whether every sender sees every queue alike. */
  get showsAll(): boolean {
    if (this.options.permissions.isAsked) return false;
    return [...this.registry.byName.values()].every((queue) => queue.visibilityGuard === undefined);
  }

  /** The queues that the sender may see, and in which they may do the action. */
  async visible(request: HookRequest, action?: BoardAction): Promise<BoardQueue[]> {
    const queues = [...this.registry.byName.values()];
    if (this.showsAll) return queues;
    const names = queues.map(({ name }) => name);
    const visible = await this.#visibility.visibleAmong(request, names, action);
    return queues.filter(({ name }) => visible.has(name));
  }

  /** The queues whose history the sender may see; of those no longer on the board, only where none is hidden. */
  async history(request: HookRequest): Promise<HistoryScope> {
    const { registry } = this;
    const names = new Set((await this.visible(request)).map(({ name }) => name));
    const all = names.size === registry.byName.size;
    return {
      all,
      readOnly: registry.isReadOnly,
      allows: async (name) => names.has(name) || (all && !registry.byName.has(name)),
      names: async () => [...names],
      isReadOnly: (name) => registry.byName.get(name)?.readOnly === true,
    };
  }

  /** The jobs as the sender sees them. */
  async view(request: HookRequest): Promise<JobView> {
    return this.viewAmong(await this.visible(request, 'job.read'));
  }

  /** The jobs as somebody sees them who may read these queues. */
  viewAmong(queues: readonly BoardQueue[]): JobView {
    const finders = new Map<BoardQueue, LocationFinder>();
    const visible = new Set(queues);
    return {
      problems: this.options.problems,
      traceUrl: this.options.traceUrl,
      sees: (near, key) => {
        const find = finders.get(near) ?? this.#finder(near, visible);
        finders.set(near, find);
        return find(key) !== null;
      },
    };
  }

  /** The flows of a queue as the sender sees them. */
  async flowView(near: BoardQueue, request: HookRequest): Promise<FlowView> {
    const find = this.#finder(near, new Set(await this.visible(request, 'job.read')));
    return { ...(await this.view(request)), find };
  }

  /** Finds keys among all queues, since the key of a hidden queue may begin with the name of a visible one. */
  #finder(near: BoardQueue, visible: ReadonlySet<BoardQueue>): LocationFinder {
    const find = locationFinder(near, [...this.registry.byName.values()]);
    return (key) => {
      const location = find(key);
      return location && visible.has(location.queue) ? location : null;
    };
  }

  /** The queue in the path; a hidden queue counts as missing. */
  async queue({ params, request }: Addressed): Promise<BoardQueue> {
    const { queueName } = params;
    const queue = this.registry.byName.get(queueName);
    await this.#visibility.require(request, queueName, queue !== undefined);
    return queue as BoardQueue;
  }

  /** The queue in the path; throws if it is read-only. */
  async writable(context: Addressed): Promise<BoardQueue> {
    const queue = await this.queue(context);
    requireWritable(queue);
    return queue;
  }

  /** Qualified names of the queues beside this one whose jobs the sender may remove. */
  async reach(request: HookRequest, near: BoardQueue): Promise<string[]> {
    const group = near.driver.store.group();
    return (await this.visible(request, 'job.remove'))
      .filter(({ readOnly, driver }) => !readOnly && driver.store.group() === group)
      .map(({ driver }) => driver.store.qualifiedName);
  }

  /** A job of the queue with its state; with its parts as stored, if asked for. */
  async job(queue: BoardQueue, id: string, withTexts = false): Promise<VersionedJob> {
    const located = await this.jobIfAny(queue, id, withTexts);
    if (!located) throw new BoardError('JOB_NOT_FOUND');
    return located;
  }

  /** The same; null when the queue has no such job. */
  async jobIfAny(queue: BoardQueue, id: string, withTexts = false): Promise<VersionedJob | null> {
    const located = await queue.driver.store.job(id, withTexts);
    const { stateInGroup } = queue.driver;
    if (located?.state !== 'unknown' || !stateInGroup) return located;
    return { ...located, state: await stateInGroup.call(queue.driver, id) };
  }

  /** The version of a job, made of what everybody who may read it is shown. */
  versionOf(queue: BoardQueue, job: VersionedJob): string {
    const host = this.options.problems.hostFunctions(queue);
    return this.options.versionOf([queue.name, shownContent(queue, job, host)]);
  }

  /**
   * The data to store for data that a client has sent: places that are as a formatter has shown them keep what is stored,
   * and numbers that were shown rounded keep the stored digits.
   *
   * @param stored the data, and its text
   * @param field the place of the data in the body
   */
  storedData(
    queue: BoardQueue,
    [data, text]: readonly [data: unknown, text: string | undefined],
    sent: unknown,
    raw: boolean,
    field: string,
  ): unknown {
    const { data: format } = queue.formatters;
    if (raw && !format) return sent;
    const exact = parseExact(text ?? 'null');
    if (!format) return withStoredDigits(sent, exact, field);
    const host = this.options.problems.hostFunctions(queue);
    // A formatter may change what it receives.
    const shown = host.run('data', () => format(structuredClone(data))) ?? null;
    // A refusal would tell which numbers the formatter hides.
    return withStoredDigits(restored(sent, shown, data, field), exact, undefined);
  }

  /**
   * Changes a queue: only while its datastore is available, and invalidates cached reads. Throws `OUTCOME_UNKNOWN` for
   * a change that was sent and not answered.
   */
  async change<Result>(
    queue: BoardQueue,
    work: () => Promise<Result>,
    limit = timeouts().changeMs,
  ): Promise<Result> {
    await queue.driver.store.ready();
    queue.driver.changed();
    try {
      return await withTimeout(work(), limit);
    } catch (error) {
      throw isOutcomeUnknown(error) ? outcomeUnknown(error) : error;
    } finally {
      queue.driver.changed();
      this.snapshots.forget(queue);
    }
  }
}

/** Timeout in milliseconds of a change of all jobs of a queue, longer than clients wait. */
export const bulkTimeoutMs = 24 * 3_600_000;

/** A client that repeats the request might make the change twice, so there is no `Retry-After`. */
const outcomeUnknown = (cause: unknown): BoardError =>
  new BoardError('OUTCOME_UNKNOWN', { code: 'OUTCOME_UNKNOWN', cause });

/** Refusals with the same response for every operation. */
const common: Partial<Record<Refusal, (error: DriverRefusal) => BoardError>> = {
  missing: (cause) => new BoardError('JOB_NOT_FOUND', { cause }),
  changed: ({ state }) => new BoardError('JOB_CHANGED', { options: { state } }),
  parent: () => new BoardError('JOB_PARENT_PROTECTED'),
  child: () => new BoardError('QUEUE_READ_ONLY'),
};

/** Runs `work`; `answer` maps a refusal of the library to the response. */
export async function unlessRefused<Result>(
  work: Promise<Result>,
  answer: Partial<Record<Refusal, () => BoardError | Promise<BoardError>>> = {},
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DriverRefusal)) throw error;
    const refusal = await (answer[error.refusal] ?? common[error.refusal])?.(error);
    throw refusal ?? error;
  }
}

/** Steps of a removal; what refuses one is the answer. */
export const obliterating = <Result>(work: Promise<Result>): Promise<Result> =>
  unlessRefused(work, {
    state: () => new BoardError('QUEUE_NOT_PAUSED'),
    active: () =>
      new BoardError('QUEUE_HAS_ACTIVE_JOBS', {
        message: { key: 'QUEUE_HAS_ACTIVE_JOBS_DETAILS' },
      }),
  });
