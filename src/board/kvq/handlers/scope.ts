/** Shared parts of the handlers: visible queues, jobs and changes. */

import { withTimeout } from '../../../lib/index.ts';
import { BoardError, QueueVisibility, requireWritable } from '../../core/index.ts';
import type { HookRequest } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { DriverRefusal } from '../model/driver.ts';
import type { Refusal } from '../model/driver.ts';
import type { ProblemLog } from '../queue/problem-log.ts';
import type { QueueRegistry } from '../queue/queue-registry.ts';
import type { Snapshots } from '../reads/snapshots.ts';
import type { LocatedJob } from '../model/store.ts';
import { timeouts } from '../timeouts.ts';

/** Board options that the handlers use. */
export interface ScopeOptions {
  readonly showWorkers: boolean;
  readonly hideKvDetails: boolean;
  readonly problems: ProblemLog;
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
      return guard ? guard(request) : true;
    });
  }

  /** The queues that the sender may see. */
  async visible(request: HookRequest): Promise<BoardQueue[]> {
    const queues = [...this.registry.byName.values()];
    if (queues.every((queue) => queue.visibilityGuard === undefined)) return queues;
    const names = queues.map(({ name }) => name);
    const visible = await this.#visibility.visibleAmong(request, names);
    return queues.filter(({ name }) => visible.has(name));
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

  /** A job of the queue with its state. */
  async job(queue: BoardQueue, id: string): Promise<LocatedJob> {
    const located = await queue.driver.store.job(id);
    if (!located) throw new BoardError('JOB_NOT_FOUND');
    return located;
  }

  /** Changes a queue: only while its datastore is available, and invalidates cached reads. */
  async change<Result>(
    queue: BoardQueue,
    work: () => Promise<Result>,
    limit = timeouts().changeMs,
  ): Promise<Result> {
    await queue.driver.store.ready();
    queue.driver.changed();
    try {
      return await withTimeout(work(), limit);
    } finally {
      queue.driver.changed();
      this.snapshots.forget(queue);
    }
  }
}

/** Runs `work`; `answer` maps a refusal of the library to the response. */
export async function unlessRefused<Result>(
  work: Promise<Result>,
  answer: Partial<Record<Refusal, () => BoardError | Promise<BoardError>>>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DriverRefusal)) throw error;
    if (error.refusal === 'missing') throw new BoardError('JOB_NOT_FOUND', { cause: error });
    const refusal = await answer[error.refusal]?.();
    throw refusal ?? error;
  }
}
