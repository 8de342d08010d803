/**
 * The runs of commands over many jobs: one at a time per queue, and beside it one that only counts, independent of the
 * client that started them. This instance works on those that it has started or taken over from one that is gone.
 */

import { randomUUID } from 'node:crypto';

import { translationKey } from '../../contract/index.ts';
import type { BulkAction, BulkRun, ErrorKey } from '../../contract/index.ts';
import { BoardError } from '../board-error.ts';
import type { BoardEvents } from '../events.ts';
import { FoundJobs } from './found.ts';
import { Pace } from './pace.ts';
import { RunLost, beatMs } from './run-store.ts';
import type {
  BulkProgress,
  ClaimedRun,
  KeptRun,
  RunChange,
  RunClaim,
  RunStore,
  RunWithin,
} from './run-store.ts';

/** A run for its work. */
export interface BulkControl {
  /** Aborted when the run is cancelled or lost, or the board closes. The work stops between two chunks. */
  readonly signal: AbortSignal;
  /** The hold on the run, for a datastore that notes a job in the step that changes it. */
  readonly mark: RunClaim | undefined;
  /** The id under which what is taken from jobs is kept; undefined where nothing is. */
  readonly keeps: string | undefined;
  /** Where an earlier owner has stopped. */
  readonly position: string | undefined;
  /** Told of each job that a dry run finds; undefined for others. */
  readonly found: FoundJobs | undefined;
  /** The most jobs that a part may change. */
  readonly most: number;
  /** Awaited between two parts: gives others a turn, and keeps the rate of the run. */
  next(): Promise<void>;
  /** Tells how many jobs may have to be examined. */
  expect(total: number | null): Promise<void>;
  /**
   * Writes the outcome of a part and where the work goes on. A part that changes jobs of the same database passes its
   * transaction as `within`, so that neither counts without the other.
   *
   * @throws {RunLost} when another instance has taken the run over
   */
  report(progress: BulkProgress, position?: string, within?: RunWithin): Promise<void>;
}

/** A run to start. */
export interface PreparedRun {
  readonly queueName: string;
  readonly action: BulkAction;
  readonly dryRun: boolean;
  /** The most jobs per second. Default: all that can be done. */
  readonly rate?: number | null | undefined;
  /** The run whose jobs it gives back. */
  readonly undoes?: string | null | undefined;
  /** Whether it keeps what it takes from its jobs. Default false. */
  readonly keeps?: boolean;
  /** All that the work needs besides, in JSON: an instance that continues the run has no request. */
  readonly spec: object;
}

/** The work of runs, and where they are kept. */
export interface RunWorks {
  /** The stores of all queues. */
  stores(): readonly RunStore[];
  storeOf(queueName: string): RunStore;
  /** Whether this instance may continue runs of the queue. */
  mayContinue(queueName: string): Promise<boolean>;
  /** Works until the end, or until the signal is aborted. */
  work(run: PreparedRun, control: BulkControl): Promise<void>;
}

/** Where runs tell what happens to them. */
interface RunTold {
  readonly events: BoardEvents;
  /** The error for the answer of a run that failed; it is also logged. */
  problemOf(error: unknown, queueName: string): BoardError;
  warn(message: string): void;
}

/** The run as told to clients. */
export function viewOf({ refused, cancelled: _cancelled, ...run }: KeptRun): BulkRun {
  return {
    ...run,
    refused: Object.entries(refused).map(([key, count]) => ({
      count,
      reason: { key: translationKey(key as ErrorKey) },
    })),
  };
}

/** Continuations without progress after which an error of the datastore is not temporary, and the run has failed. */
const mostTries = 20;

/** The runs of a board. */
export class BulkRuns {
  /** Those that this instance works on. */
  readonly #own = new Map<
    string,
    { readonly abort: AbortController; readonly ended: Promise<void> }
  >();
  readonly #works: RunWorks;
  readonly #told: RunTold;
  readonly #warned = new Set<string>();
  /** Runs that an error of the datastore has stopped: where they began then, and how often there. */
  readonly #tries = new Map<string, { readonly at: string; readonly count: number }>();
  #isClosed = false;
  #polling: ReturnType<typeof setTimeout> | undefined;

  constructor(works: RunWorks, told: RunTold) {
    this.#works = works;
    this.#told = told;
  }

  /** Continues runs whose instance is gone, from now on. */
  takeOver(): void {
    this.#polling = setTimeout(() => {
      void this.#poll().finally(() => {
        if (!this.#isClosed) this.takeOver();
      });
    }, beatMs);
    this.#polling.unref();
  }

  /**
   * Starts a run.
   *
   * @throws {BoardError} BULK_RUNNING while the queue has a run of the same kind, BULK_LIMIT while there are too many
   */
  async start({ spec, keeps = false, ...run }: PreparedRun): Promise<BulkRun> {
    if (this.#isClosed) throw new BoardError('BULK_LIMIT');
    const store = this.#works.storeOf(run.queueName);
    const id = randomUUID();
    const started = await store.start({
      ...run,
      id,
      keeps: keeps && !run.dryRun,
      spec: JSON.stringify(spec),
    });
    if (started === 'limit') throw new BoardError('BULK_LIMIT');
    if ('running' in started) {
      throw new BoardError('BULK_RUNNING', { options: { id: started.running } });
    }
    const begun = viewOf(started.run);
    this.#told.events.tell({ type: 'bulk.started', run: begun });
    this.#begin(store, started);
    return begun;
  }

  /** All kept runs, newest first; with an id, that one. A store that is away has none, unless all are. */
  async list(id?: string): Promise<BulkRun[]> {
    const read = await Promise.allSettled(this.#stores().map((store) => store.list(id)));
    const known = new Map<string, BulkRun>();
    for (const each of read) {
      if (each.status === 'fulfilled') for (const run of each.value) known.set(run.id, viewOf(run));
    }
    const failed = read.find((each) => each.status === 'rejected');
    if (failed && (known.size === 0 || read.length === 1)) throw failed.reason;
    return [...known.values()].toSorted((one, other) => other.startedAt - one.startedAt);
  }

  /** Asks a run to stop; it ends after its current chunk. */
  async cancel({ id, queueName }: Pick<BulkRun, 'id' | 'queueName'>): Promise<void> {
    // First here: a chunk under way may hold the run in the store until it ends, and the next must not begin.
    this.#own.get(id)?.abort.abort('cancelled');
    const run = await this.#works.storeOf(queueName).cancel(id);
    // One that nobody works on has ended with that.
    if (run?.state === 'cancelled') this.#tellEnd(run);
  }

  /** Resolves when a run of this instance has ended, or after the given milliseconds. */
  async settled(id: string, milliseconds: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
    await Promise.race([this.#own.get(id)?.ended, late]);
    clearTimeout(timer);
  }

  /** Stops working after the current chunks, and gives the runs back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#polling);
    for (const { abort } of this.#own.values()) abort.abort('closed');
    await Promise.all(Array.from(this.#own.values(), ({ ended }) => ended));
  }

  #stores(): RunStore[] {
    return [...new Map(this.#works.stores().map((store) => [store.key, store])).values()];
  }

  /** Takes over the runs that wait. A store that is away is asked again later. */
  async #poll(): Promise<void> {
    const take = async (store: RunStore): Promise<void> => {
      for (const { id, queueName } of await store.waiting()) {
        const isOther = !this.#isClosed && !this.#own.has(id);
        if (!isOther || !(await this.#works.mayContinue(queueName))) continue;
        const claimed = await store.claim(id);
        if (claimed) this.#begin(store, claimed);
      }
      const { key, warning } = store;
      if (warning === undefined || this.#warned.has(key)) return;
      this.#warned.add(key);
      this.#told.warn(warning);
    };
    await Promise.allSettled(this.#stores().map(take));
  }

  #tellEnd(run: KeptRun): void {
    this.#tries.delete(run.id);
    this.#told.events.tell({ type: 'bulk.ended', run: viewOf(run) });
  }

  #begin(store: RunStore, claimed: ClaimedRun): void {
    const abort = new AbortController();
    if (claimed.run.cancelled) abort.abort('cancelled');
    if (this.#isClosed) abort.abort('closed');
    const ended = this.#drive(store, claimed, abort).finally(() => this.#own.delete(claimed.id));
    this.#own.set(claimed.id, { abort, ended });
  }

  /**
   * A run that its datastore did not serve is given back, and continued after the last part that was written: a part
   * without an answer may have been, and its owner has lost its hold then. Any other error ends the run.
   */
  #afterError({ id, run, position }: ClaimedRun, error: BoardError): RunChange {
    const problem = { ...error.toJSON().error };
    const at = JSON.stringify([position, run.examined]);
    const before = this.#tries.get(id);
    const count = before?.at === at ? before.count + 1 : 1;
    if (error.status < 503 || count > mostTries) return { end: 'failed', problem };
    this.#tries.set(id, { at, count });
    return { release: true, problem };
  }

  /** Works on a run, keeps it meanwhile, and writes its end. */
  async #drive(store: RunStore, claimed: ClaimedRun, abort: AbortController): Promise<void> {
    const { signal } = abort;
    const { queueName, rate } = claimed.run;
    const found = claimed.run.dryRun ? new FoundJobs(claimed.found) : undefined;
    const pace = new Pace(rate, claimed.run.changed);
    const write = async (change: RunChange, within?: RunWithin): Promise<KeptRun> => {
      const kept = await store.write(claimed, change, within);
      if (kept?.cancelled) abort.abort('cancelled');
      if (kept) {
        pace.told(kept.changed);
        return kept;
      }
      abort.abort('lost');
      throw new RunLost();
    };
    const beat = setInterval(() => {
      write({}).catch(() => undefined);
    }, beatMs);
    beat.unref();
    let last: RunChange;
    try {
      if (!signal.aborted) {
        const spec = JSON.parse(claimed.spec) as object;
        await this.#works.work(
          { ...claimed.run, spec },
          {
            signal,
            mark: claimed.marks ? claimed : undefined,
            keeps: claimed.keeps ? claimed.id : undefined,
            position: claimed.position,
            found,
            most: pace.most,
            next: () => pace.turn(signal),
            expect: async (total) => {
              if (claimed.run.total === null) await write({ total });
            },
            report: async (progress, position, within) => {
              const more = {
                ...(position !== undefined && { position }),
                ...(found && { found: found.text }),
              };
              await write({ ...progress, ...more }, within);
            },
          },
        );
      }
      last =
        signal.reason === 'closed'
          ? { release: true }
          : { end: signal.aborted ? 'cancelled' : 'completed' };
    } catch (error) {
      last =
        error instanceof RunLost
          ? {}
          : this.#afterError(claimed, this.#told.problemOf(error, queueName));
    }
    clearInterval(beat);
    if (signal.reason === 'lost' || (!last.end && !last.release)) return;
    try {
      const kept = await write(last);
      if (kept.state !== 'running') this.#tellEnd(kept);
    } catch (error) {
      // Another instance continues the run when this one has not written for long.
      if (!(error instanceof RunLost)) this.#told.problemOf(error, queueName);
    }
  }
}
