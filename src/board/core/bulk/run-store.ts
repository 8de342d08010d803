/** Where runs are kept, so that every instance of a board sees, stops and continues them. */

import type { BulkAction, BulkRun, ErrorKey, TranslatableMessage } from '../../contract/index.ts';
import { foundOf } from './found.ts';

/** Milliseconds for which a run belongs to its instance after a write, and between two writes of an instance at work. */
export const [leaseMs, beatMs] = [10_000, 3_000];

/** Milliseconds for which the result of a run is kept, and a run that no instance continues. */
export const [keptMs, waitingMs] = [3_600_000, 86_400_000];

/** The most runs at a time, as many that only count beside them, and the most that are kept. */
export const [mostRunning, mostKept] = [8, 500];

type Refused = Partial<Readonly<Record<ErrorKey, number>>>;

/** The outcome of a part of a run. */
export interface BulkProgress {
  readonly examined?: number;
  readonly matched?: number;
  readonly changed?: number;
  /** Jobs that matched and were not changed, by reason. */
  readonly refused?: Refused | undefined;
}

/** A run to start. */
export interface NewRun {
  readonly id: string;
  readonly queueName: string;
  readonly action: BulkAction;
  readonly dryRun: boolean;
  /** The most jobs per second; null, which is the default, for all that can be done. */
  readonly rate?: number | null | undefined;
  /** The run whose jobs it gives back; null, which is the default, for a command. */
  readonly undoes?: string | null | undefined;
  /** Whether it keeps what it takes from its jobs, where the store can. Default false. */
  readonly keeps?: boolean;
  /** All that its work needs, as JSON. */
  readonly spec: string;
}

/** A run as it is kept. Times in epoch milliseconds, on the clock of the store. */
export interface KeptRun extends Omit<BulkRun, 'refused'> {
  readonly refused: Refused;
  /** Whether it shall stop. */
  readonly cancelled: boolean;
}

/** The hold of an instance on a run. Every write names it: after another instance has taken the run over, none succeeds. */
export interface RunClaim {
  readonly id: string;
  /** Grows with each owner. */
  readonly fence: number;
  /** Whether the store can note a job in the step that changes it. */
  readonly marks: boolean;
  /** Whether what the run takes from its jobs is kept for an undo. */
  readonly keeps: boolean;
}

/** A run for the instance that works on it. */
export interface ClaimedRun extends RunClaim {
  readonly run: KeptRun;
  readonly spec: string;
  /** The text of what a dry run has found. */
  readonly found?: string | undefined;
  /** The last position that was written. */
  readonly position: string | undefined;
}

/** A change of a run by its owner, who keeps it for another {@link leaseMs}. */
export interface RunChange extends BulkProgress {
  readonly total?: number | null;
  /** Where the work goes on after this part. */
  readonly position?: string | undefined;
  readonly end?: 'completed' | 'cancelled' | 'failed';
  /** The findings of a dry run so far: the text of `FoundJobs`. */
  readonly found?: string | undefined;
  /** Kept with the end. */
  readonly problem?: TranslatableMessage;
  /**
   * Gives the run back for an instance to continue. In a store that only this process has, the run has failed with the
   * problem, or is cancelled.
   */
  readonly release?: boolean;
}

/** Runs a statement of a store in a transaction that is open. */
export type RunWithin = (
  text: string,
  values: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Keeps runs. All of its decisions are single steps, on its own clock. */
export interface RunStore {
  /** Equal for stores of the same runs. */
  readonly key: string;
  /** Why runs are kept in the memory of this process only. */
  readonly warning?: string | undefined;
  /** Adds a run, unless its queue has one of its kind, or there are too many. */
  start(run: NewRun): Promise<ClaimedRun | { readonly running: string } | 'limit'>;
  /** The runs that are kept, newest first; with an id, that one. */
  list(id?: string): Promise<readonly KeptRun[]>;
  /** Runs whose owner has not written for longer than {@link leaseMs}, or has given them back. */
  waiting(): Promise<readonly Pick<KeptRun, 'id' | 'queueName'>[]>;
  /** Takes a waiting run over; undefined when it waits no more, or there are too many. */
  claim(id: string): Promise<ClaimedRun | undefined>;
  /**
   * Writes a change; undefined, without a change, when the run has another owner or has ended.
   *
   * @param within runs the statement in the transaction of the part, where the store is in the same database
   */
  write(claim: RunClaim, change: RunChange, within?: RunWithin): Promise<KeptRun | undefined>;
  /** Asks a run to stop; one that waits has ended with that. Undefined when it does not run. */
  cancel(id: string): Promise<KeptRun | undefined>;
}

/** Another instance has the run: this one stops without a word. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor() {
    super('Another instance works on the run.');
  }
}

/** The sums of two outcomes. */
export function sumOf<Sums extends Required<BulkProgress>>(sums: Sums, more: BulkProgress): Sums {
  const refused: Partial<Record<ErrorKey, number>> = { ...sums.refused };
  for (const [key, count] of Object.entries(more.refused ?? {}) as [ErrorKey, number][]) {
    if (count > 0) refused[key] = (refused[key] ?? 0) + count;
  }
  return {
    ...sums,
    examined: sums.examined + (more.examined ?? 0),
    matched: sums.matched + (more.matched ?? 0),
    changed: sums.changed + (more.changed ?? 0),
    refused,
  };
}

/** Whether a kept run has ended so long ago, or is so far behind the newest, that it is forgotten. */
const isOld = ({ endedAt }: KeptRun, kept: number): boolean =>
  endedAt !== null && (endedAt < Date.now() - keptMs || kept > mostKept);

/** Keeps runs in the memory of the process: they end with it. */
export function memoryRunStore(key = 'memory'): RunStore {
  const runs = new Map<string, KeptRun>();
  const forgetOld = (): void => {
    for (const [id, run] of runs) if (isOld(run, runs.size)) runs.delete(id);
  };
  return {
    key,
    async start({ spec, keeps: _keeps, rate = null, undoes = null, ...run }) {
      forgetOld();
      const running = [...runs.values()].filter(
        ({ state, dryRun }) => state === 'running' && dryRun === run.dryRun,
      );
      const other = running.find(({ queueName }) => queueName === run.queueName);
      if (other) return { running: other.id };
      if (running.length >= mostRunning) return 'limit';
      const kept: KeptRun = {
        ...run,
        rate,
        undoes,
        undoable: false,
        state: 'running',
        total: null,
        examined: 0,
        matched: 0,
        changed: 0,
        refused: {},
        startedAt: Date.now(),
        endedAt: null,
        cancelled: false,
      };
      runs.set(run.id, kept);
      return {
        id: run.id,
        fence: 1,
        marks: false,
        keeps: false,
        run: kept,
        spec,
        position: undefined,
      };
    },
    async list(id) {
      forgetOld();
      const all = [...runs.values()].toReversed();
      return id === undefined ? all : all.filter((run) => run.id === id);
    },
    waiting: async () => [],
    claim: async () => undefined,
    async write({ id }, { total, problem, end, release, found, ...progress }) {
      const run = runs.get(id);
      if (run?.state !== 'running') return undefined;
      const released = problem ? 'failed' : 'cancelled';
      const state = end ?? (release ? released : undefined);
      const next = {
        ...sumOf(run, progress),
        ...(total !== undefined && { total }),
        ...(problem && { problem }),
        ...(found !== undefined && { found: foundOf(found) }),
        ...(state && { state, endedAt: Date.now() }),
      };
      runs.set(id, next);
      return next;
    },
    async cancel(id) {
      const run = runs.get(id);
      if (run?.state !== 'running') return undefined;
      const next = { ...run, cancelled: true };
      runs.set(id, next);
      return next;
    },
  };
}
