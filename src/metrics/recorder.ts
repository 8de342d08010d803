/** The recorder: reads what queue libraries count, and keeps it in a store. */

import { randomUUID } from 'node:crypto';
import { checkOptions, refuseArguments, withTimeout, type OptionTableOf } from '../lib/index.ts';
import * as option from '../lib/option-rows.ts';
import { globalQueue, type SourceReading, type SourceRequest } from '../board/core/index.ts';
import { BoardQueue } from '../board/kvq/index.ts';
import { AttemptNotes } from './attempts.ts';
import type { WatchedWorker } from './attempts.ts';
import { resolveRetention, retentionRows } from './model/retention.ts';
import type { MetricsHistoryOptions } from './model/retention.ts';
import type { MetricsSource } from './model/source.ts';
import type { Commit, MetricsStore, QueueState, QueueWrite } from './model/store.ts';
import { hoursOf } from './model/samples.ts';
import { minuteOf, minutesPerDay } from './model/time.ts';
import { boardQueuesSource } from './sources/queues.ts';

/** Options of {@link MetricsRecorder}; `queues`, `sources` or both are required. */
export interface MetricsRecorderOptions extends MetricsHistoryOptions {
  /** Where the history is kept: `redisMetricsStore` or `sqlMetricsStore`. */
  readonly store: MetricsStore;
  /** Queues made by `bullmqQueue`, `bullQueue` or `bullmqProQueue`, or a function that gives them before each tick. */
  readonly queues?:
    | readonly BoardQueue[]
    | (() => readonly BoardQueue[] | Promise<readonly BoardQueue[]>);
  /** Further sources, such as those of `pgqMetricsSources`, or a function that gives them before each tick. */
  readonly sources?:
    | readonly MetricsSource[]
    | (() => readonly MetricsSource[] | Promise<readonly MetricsSource[]>);
  /** Milliseconds between two ticks. Default 60000. */
  readonly snapshotIntervalMs?: number;
  /** Whether durations of jobs are measured. Default true. */
  readonly latency?: boolean;
  /**
   * Finished jobs that a tick measures, shared among the queues, of which each has at least 50; of more, an even
   * selection stands for all. Default 5000.
   */
  readonly maxLatencySamplesPerTick?: number;
  /** Milliseconds before now that are measured by the next tick, for jobs stored after their time. Default 5000. */
  readonly latencySafetyMarginMs?: number;
  /**
   * Whether failed attempts are kept, of workers given to `watch`: their time, duration and reason, of each queue the
   * last ones. Default: none.
   */
  readonly attempts?: {
    /** Attempts that are kept of each queue. Default 10000. */
    readonly perQueue?: number;
  };
  /** Receives an error of the store, or of one queue; the next tick tries again. Default `console.warn`. */
  readonly onSnapshotError?: (error: Error, queue: string | undefined) => void;
}

const queueRow = {
  expected: 'a queue',
  plural: 'queues made by bullmqQueue, bullQueue or bullmqProQueue',
  fits: (value: unknown) => value instanceof BoardQueue,
};
const sourceRow = {
  ...option.withMethods('a metrics source', 'queues', 'read'),
  plural: 'metrics sources',
};

const optionTable = {
  store: option.required(option.withMethods('a metrics store', 'commit', 'counters')),
  queues: option.either(option.listOf(queueRow), option.func),
  sources: option.either(option.listOf(sourceRow), option.func),
  ...retentionRows,
  snapshotIntervalMs: option.wholeNumber(10, 2 ** 31 - 1),
  latency: option.boolean,
  maxLatencySamplesPerTick: option.wholeNumber(1, 1_000_000),
  latencySafetyMarginMs: option.wholeNumber(0, 3_600_000),
  attempts: option.objectOf({ perQueue: option.wholeNumber(1, 1_000_000) }),
  onSnapshotError: option.func,
} satisfies OptionTableOf<MetricsRecorderOptions>;

/** Minutes that a round of a tick reads of all queues together, and of one queue. */
const minutesPerRound = 6_000;
const [leastMinutes, mostMinutes] = [10, 1_500];

/** The fewest samples of a queue. */
const leastSamples = 50;

/** Milliseconds that a source has for an answer: one that hangs must stop neither the others nor the end of recording. */
const sourceMs = 30_000;

/** Rounds of a tick while a source has more minutes; the next tick goes on. */
const mostRounds = 2_000;

/** The first state of a queue without history. */
const unknown: QueueState = {
  completedNext: null,
  failedNext: null,
  sampledTo: null,
  leased: false,
};

/**
 * Records the history of queues. Several may record the same queues: counts are absolute and stored once, and the
 * durations of a queue are measured by one recorder at a time.
 */
export class MetricsRecorder {
  readonly #store: MetricsStore;
  readonly #sourcesOf: () => Promise<readonly MetricsSource[]>;
  readonly #settings: Omit<Commit, 'instance' | 'writes'>;
  readonly #intervalMs: number;
  readonly #latency: boolean;
  readonly #maxSamples: number;
  readonly #marginMs: number;
  readonly #attempts: AttemptNotes | undefined;
  readonly #perQueue: number;
  readonly #onError: (error: Error, queue: string | undefined) => void;
  #states = new Map<string, QueueState>();
  #instance: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  #stopped = false;

  /** @throws {TypeError} when neither `queues` nor `sources` is given, or an option is unknown or has a wrong type */
  constructor(options: MetricsRecorderOptions, ...more: readonly unknown[]) {
    refuseArguments('MetricsRecorder', 1, more);
    checkOptions('MetricsRecorder', options, optionTable);
    const { queues, sources } = options;
    if (!queues && !sources) {
      throw new TypeError('A MetricsRecorder requires "queues", "sources" or both');
    }
    const ofQueues = queues && boardQueuesSource(asFunction(queues));
    const further = sources ? asFunction(sources) : () => [];
    this.#sourcesOf = async () => [
      ...(ofQueues ? [ofQueues] : []),
      ...(await withTimeout(Promise.resolve(further()), sourceMs)),
    ];
    this.#store = options.store;
    this.#intervalMs = options.snapshotIntervalMs ?? 60_000;
    this.#latency = options.latency ?? true;
    this.#maxSamples = options.maxLatencySamplesPerTick ?? 5_000;
    this.#marginMs = options.latencySafetyMarginMs ?? 5_000;
    this.#onError = options.onSnapshotError ?? warnings();
    this.#perQueue = options.attempts?.perQueue ?? 10_000;
    this.#attempts = options.attempts && new AttemptNotes(this.#perQueue);
    this.#settings = {
      holder: randomUUID(),
      leaseMs: 2 * this.#intervalMs,
      retention: resolveRetention(options),
    };
  }

  /** Ticks at once, and then at each interval. The timer does not keep the process alive. */
  start(): this {
    if (this.#timer !== undefined) return this;
    this.#stopped = false;
    this.#timer = setInterval(() => void this.tick(), this.#intervalMs);
    this.#timer.unref();
    void this.tick();
    return this;
  }

  /**
   * Records once; skipped while another tick runs, which it then waits for. Never rejects: errors go to
   * `onSnapshotError`.
   */
  tick(): Promise<void> {
    this.#ticking ??= this.#tick().finally(() => {
      this.#ticking = undefined;
    });
    return this.#ticking;
  }

  /**
   * Keeps the failed attempts of a worker of this process; see `attempts`.
   *
   * @param worker a `Worker` of BullMQ, or a queue of Bull that processes jobs
   * @param queue the name of its queue on the board; default the name of the worker
   * @throws {TypeError} when the recorder keeps no attempts, or the worker has another type
   */
  watch(worker: WatchedWorker, queue?: string): this {
    if (!this.#attempts) throw new TypeError('"watch" requires the option "attempts"');
    const row = option.required(option.withMethods('a worker', 'on', 'off'));
    checkOptions('watch', { worker, queue }, { worker: row, queue: option.string });
    this.#attempts.watch(worker, queue ?? worker.name);
    return this;
  }

  /** Ends recording after the current tick. Closes neither the store nor the queues. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stopped = true;
    this.#attempts?.stop();
    await this.#ticking;
    await this.#storeAttempts().catch((error: unknown) => this.#report(error));
    const leased = [...this.#states].filter(([, { leased: is }]) => is).map(([queue]) => queue);
    this.#states.clear();
    await this.#store
      .release(this.#settings.holder, leased)
      .catch((error: unknown) => this.#report(error));
  }

  async #tick(): Promise<void> {
    try {
      await this.#storeAttempts();
      for (let round = 0; round < mostRounds; round += 1) {
        const more = await this.#round(round === 0);
        if (!more || this.#stopped) return;
      }
    } catch (error) {
      this.#report(error);
    }
  }

  async #storeAttempts(): Promise<void> {
    const taken = this.#attempts?.take();
    if (!taken || taken.size === 0) return;
    try {
      await this.#store.addAttempts(taken, this.#perQueue);
    } catch (error) {
      this.#attempts?.putBack(taken);
      throw error;
    }
  }

  /** Reads and writes once; returns whether there is more to read at once. */
  async #round(isFirst: boolean): Promise<boolean> {
    const sources = await this.#sourcesOf();
    const named = await this.#queuesOf(sources);
    const names = named.flatMap(([, mine]) => mine);
    this.#forgetExcept(names);
    const fresh = names.filter((name) => !this.#states.has(name));
    if (fresh.length > 0) {
      await this.#commit(fresh.map((queue) => ({ queue, completed: [], failed: [] })));
    }
    const readings = await Promise.all(
      named.map(([source, mine]) => {
        const requests = mine.map((name) => [name, this.#request(name, names.length)] as const);
        const reading = withTimeout(source.read(new Map(requests)), sourceMs);
        return reading.catch((error: unknown) => {
          this.#report(error);
          return new Map<string, SourceReading>();
        });
      }),
    );
    const writes: QueueWrite[] = [];
    let more = false;
    for (const [name, reading] of readings.flatMap((each) => [...each])) {
      if (reading instanceof Error) {
        if (isFirst) this.#report(reading, name);
        continue;
      }
      more ||= reading.more;
      writes.push(this.#writeOf(name, reading));
    }
    if (writes.length === 0) return false;
    return !(await this.#commit(writes)) || more;
  }

  /** The queues of each source; a name belongs to the first source that has it. */
  async #queuesOf(
    sources: readonly MetricsSource[],
  ): Promise<(readonly [MetricsSource, readonly string[]])[]> {
    const taken = new Set([globalQueue]);
    const lists = await Promise.all(
      sources.map((source) =>
        withTimeout(source.queues(), sourceMs).catch((error: unknown): string[] => {
          this.#report(error);
          return [];
        }),
      ),
    );
    return sources.map((source, index) => {
      const mine = (lists[index] ?? []).filter((name) => !taken.has(name));
      for (const name of mine) taken.add(name);
      return [source, mine];
    });
  }

  #request(name: string, queues: number): SourceRequest {
    const { completedNext, failedNext, sampledTo, leased } = this.#states.get(name) ?? unknown;
    const share = Math.floor(minutesPerRound / queues);
    const oldest = minuteOf(Date.now()) - this.#settings.retention.minutes * minutesPerDay;
    return {
      completedFrom: completedNext ?? oldest,
      failedFrom: failedNext ?? oldest,
      resumed: completedNext !== null && failedNext !== null,
      maxMinutes: Math.min(mostMinutes, Math.max(leastMinutes, share)),
      ...(this.#latency &&
        leased && {
          samples: {
            after: sampledTo,
            marginMs: this.#marginMs,
            tickMs: this.#intervalMs,
            limit: Math.max(leastSamples, Math.floor(this.#maxSamples / queues)),
          },
        }),
    };
  }

  #writeOf(queue: string, reading: SourceReading): QueueWrite {
    const { completed, failed, queueAge, samples, now } = reading;
    return {
      queue,
      completed: completed?.minutes ?? [],
      failed: failed?.minutes ?? [],
      ...(completed && { completedNext: completed.next }),
      ...(failed && { failedNext: failed.next }),
      ...(queueAge !== undefined && { age: { at: now, value: Math.round(queueAge) } }),
      ...(samples && {
        samples: {
          from: (this.#states.get(queue) ?? unknown).sampledTo,
          to: samples.upTo,
          hours: hoursOf(samples.jobs, samples.total),
        },
      }),
    };
  }

  /** Writes; returns false where the store holds other data than before, of which the states now are. */
  async #commit(writes: readonly QueueWrite[]): Promise<boolean> {
    const { instance, written, states } = await this.#store.commit({
      ...this.#settings,
      instance: this.#instance,
      writes,
    });
    if (!written) this.#states.clear();
    this.#instance = instance;
    for (const [queue, state] of states) this.#states.set(queue, state);
    return written;
  }

  #forgetExcept(names: readonly string[]): void {
    const known = new Set(names);
    for (const name of this.#states.keys()) if (!known.has(name)) this.#states.delete(name);
  }

  /** Tells the host; a function that throws or rejects must not end its process. */
  #report(error: unknown, queue?: string): void {
    const problem = error instanceof Error ? error : new Error(String(error));
    new Promise((resolve) => resolve(this.#onError(problem, queue))).catch((fault: unknown) =>
      console.warn(`Metrics recorder: "onSnapshotError" failed: ${String(fault)}`),
    );
  }
}

function asFunction<Members>(
  given: Members | (() => Members | Promise<Members>),
): () => Members | Promise<Members> {
  return typeof given === 'function' ? (given as () => Members | Promise<Members>) : () => given;
}

/** Prints a line for each reason: the queues of a datastore that is away fail together, tick after tick. */
function warnings(): (error: Error, queue: string | undefined) => void {
  const failed = new Map<string, string[]>();
  const print = (): void => {
    for (const [reason, [first, ...others]] of failed) {
      const more = others.length === 0 ? ' was' : ` and ${others.length} more were`;
      console.warn(`Metrics recorder: the queue "${first}"${more} not recorded: ${reason}`);
    }
    failed.clear();
  };
  return (error, queue) => {
    // A store that is full, or refuses the account, is unavailable like one that is away: its words tell which.
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    const reason = `${error.message}${cause}`;
    if (queue === undefined) {
      console.warn(`Metrics recorder: the history was not recorded: ${reason}`);
      return;
    }
    if (failed.size === 0) queueMicrotask(print);
    failed.set(reason, [...(failed.get(reason) ?? []), queue]);
  };
}
