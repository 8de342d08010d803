/**
 * The runs of commands over many jobs: one at a time per queue, and beside it one that only counts, independent of the
 * client that started them.
 */

import { randomUUID } from 'node:crypto';

import { translationKey } from '../../contract/index.ts';
import type { BulkAction, BulkRun, ErrorKey } from '../../contract/index.ts';
import { BoardError } from '../board-error.ts';
import type { BoardEvents } from '../events.ts';

/** Milliseconds for which the result of a run is kept. */
const keptMs = 3_600_000;

/** The most runs at a time, as many that only count beside them, and the most that are kept. */
const [mostRunning, mostKept] = [8, 500];

/** The outcome of a part of a run. */
export interface BulkProgress {
  readonly examined?: number;
  readonly matched?: number;
  readonly changed?: number;
  /** Jobs that matched and were not changed, by reason. */
  readonly refused?: Partial<Readonly<Record<ErrorKey, number>>> | undefined;
}

/** A run for its work. */
export interface BulkControl {
  /** Aborted when the run is cancelled, or the board closes. The work stops between two chunks. */
  readonly signal: AbortSignal;
  /** Tells how many jobs may have to be examined. */
  expect(total: number | null): void;
  report(progress: BulkProgress): void;
}

/** A run to start. */
export interface BulkWork {
  readonly queueName: string;
  readonly action: BulkAction;
  readonly dryRun: boolean;
  run(control: BulkControl): Promise<void>;
}

interface Kept {
  readonly work: BulkWork;
  readonly id: string;
  readonly startedAt: number;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  total: number | null;
  counts: { examined: number; matched: number; changed: number };
  readonly refused: Map<ErrorKey, number>;
  state: BulkRun['state'];
  endedAt: number | null;
  problem?: BulkRun['problem'];
}

const emptyCounts = () => ({ examined: 0, matched: 0, changed: 0 });

/** The run as told to clients. */
function view(run: Kept): BulkRun {
  const { queueName, action, dryRun } = run.work;
  return {
    id: run.id,
    queueName,
    action,
    dryRun,
    state: run.state,
    total: run.total,
    ...run.counts,
    refused: [...run.refused].map(([key, count]) => ({
      count,
      reason: { key: translationKey(key) },
    })),
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    ...(run.problem && { problem: run.problem }),
  };
}

/** The runs of a board. */
export class BulkRuns {
  readonly #runs = new Map<string, Kept>();
  readonly #events: BoardEvents;
  readonly #problemOf: (error: unknown) => BoardError;
  #isClosed = false;

  /** @param problemOf the error for the answer of a run that failed; it is also logged */
  constructor(events: BoardEvents, problemOf: (error: unknown) => BoardError) {
    this.#events = events;
    this.#problemOf = problemOf;
  }

  /**
   * Starts a run.
   *
   * @throws {BoardError} BULK_RUNNING while the queue has a run of the same kind, BULK_LIMIT while there are too many
   */
  start(work: BulkWork): BulkRun {
    this.#forgetOld();
    const running = [...this.#runs.values()].filter(
      ({ state, work: { dryRun } }) => state === 'running' && dryRun === work.dryRun,
    );
    const other = running.find(({ work: { queueName } }) => queueName === work.queueName);
    if (other) throw new BoardError('BULK_RUNNING', { options: { id: other.id } });
    if (running.length >= mostRunning || this.#isClosed) throw new BoardError('BULK_LIMIT');
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const run: Kept = {
      work,
      id: randomUUID(),
      startedAt: Date.now(),
      abort: new AbortController(),
      ended,
      total: null,
      counts: emptyCounts(),
      refused: new Map(),
      state: 'running',
      endedAt: null,
    };
    this.#runs.set(run.id, run);
    this.#events.tell({ type: 'bulk.started', run: view(run) });
    void this.#run(run).finally(() => end());
    return view(run);
  }

  /** The run with that id, if it is kept. */
  find(id: string): BulkRun | undefined {
    this.#forgetOld();
    const run = this.#runs.get(id);
    return run && view(run);
  }

  /** All kept runs, newest first. */
  all(): BulkRun[] {
    this.#forgetOld();
    return [...this.#runs.values()].map(view).toReversed();
  }

  /** Asks a run to stop; it ends after its current chunk. */
  cancel(id: string): void {
    this.#runs.get(id)?.abort.abort();
  }

  /** Resolves when the run has ended, or after the given milliseconds. */
  async settled(id: string, milliseconds: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
    await Promise.race([this.#runs.get(id)?.ended, late]);
    clearTimeout(timer);
  }

  /** Stops all runs and waits for their current chunks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { abort } of this.#runs.values()) abort.abort();
    await Promise.all(Array.from(this.#runs.values(), ({ ended }) => ended));
  }

  async #run(run: Kept): Promise<void> {
    const { counts, refused } = run;
    try {
      await run.work.run({
        signal: run.abort.signal,
        expect: (total) => {
          run.total = total;
        },
        report: (progress) => {
          counts.examined += progress.examined ?? 0;
          counts.matched += progress.matched ?? 0;
          counts.changed += progress.changed ?? 0;
          for (const [key, count] of Object.entries(progress.refused ?? {})) {
            if (count > 0)
              refused.set(key as ErrorKey, (refused.get(key as ErrorKey) ?? 0) + count);
          }
        },
      });
      run.state = run.abort.signal.aborted ? 'cancelled' : 'completed';
    } catch (error) {
      run.state = 'failed';
      run.problem = { ...this.#problemOf(error).toJSON().error };
    }
    run.endedAt = Date.now();
    this.#events.tell({ type: 'bulk.ended', run: view(run) });
  }

  /** Results that are old, or too many: the oldest go first, and none that runs. */
  #forgetOld(): void {
    const since = Date.now() - keptMs;
    for (const [id, { endedAt }] of this.#runs) {
      if (endedAt === null) continue;
      if (endedAt < since || this.#runs.size > mostKept) this.#runs.delete(id);
    }
  }
}
