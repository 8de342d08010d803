/** The interface to a queue library: all changes, and the reads that require the library. */

import type { ErrorKey, QueuePause } from '../../contract/index.ts';
import type { RunClaim, RunStore, RunWithin } from '../../core/index.ts';
import type { JobRecord } from './job-record.ts';
import type { JobCriteria } from './search-criteria.ts';
import type { QueueStore } from './store.ts';
import type {
  JobState,
  JobStatus,
  QueueCapabilities,
  QueueLibrary,
  QueueRateLimit,
  QueueType,
} from './types.ts';

/** A schedule to set. Times and intervals in milliseconds. */
export interface Schedule {
  readonly pattern?: string;
  readonly every?: number;
  readonly tz?: string;
  readonly limit?: number;
  readonly startDate?: number;
  readonly endDate?: number;
  /** Runs that already count towards the limit. */
  readonly count?: number;
}

/** A job to add. */
export interface NewJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: Readonly<Record<string, unknown>>;
}

/** The bodies for which keys of additions stand, beside the jobs of a queue. Keys and bodies are digests. */
export interface IdempotencyKeys {
  /** Notes the body of a key in one step, from now for a time, unless the key stands for another body. */
  claim(key: string, body: string, lifetimeMs: number): Promise<'new' | 'same' | 'other'>;
  /** Forgets a key that stands for the body. */
  release(key: string, body: string): Promise<void>;
}

/** A change of one job. Delays in milliseconds from now. */
export type JobCommand =
  | { readonly act: 'retry'; readonly from: 'failed' | 'completed' }
  | { readonly act: 'promote' }
  /** Removes the job with its children, which must all be within the reach, like a parent that awaits the job. */
  | { readonly act: 'remove'; readonly reach: Reach }
  /** Moves an active job whose worker is gone back to the waiting ones. */
  | { readonly act: 'release' }
  | { readonly act: 'data'; readonly data: unknown }
  | { readonly act: 'delay'; readonly delay: number }
  | { readonly act: 'priority'; readonly priority: number };

/** The condition on a job for a change: its state, and the revision of an earlier read. */
export interface JobConditions {
  readonly expectedState?: string | undefined;
  readonly revision?: string | undefined;
}

/** Why an operation was refused. `parent` and `child`: it would change a job beyond the reach of the sender. */
export type Refusal =
  | 'missing'
  | 'active'
  | 'state'
  | 'scheduled'
  | 'taken'
  | 'unsupported'
  | 'parent'
  | 'child'
  | 'changed'
  | 'exists'
  | 'started'
  | 'awaited';

/** A refusal of the library; the response depends on the operation. */
export class DriverRefusal extends Error {
  override readonly name = 'DriverRefusal';
  readonly refusal: Refusal;
  /** The state of the job, if the refusal reports it. */
  readonly state: string | undefined;

  constructor(refusal: Refusal, cause?: unknown, state?: string) {
    super(`The operation was refused: ${refusal}.`, { cause });
    this.refusal = refusal;
    this.state = state;
  }
}

/** The number of jobs by refusal. */
export function tallied(refused: ReadonlyMap<string, Refusal>): Partial<Record<Refusal, number>> {
  const counts: Partial<Record<Refusal, number>> = {};
  for (const refusal of refused.values()) counts[refusal] = (counts[refusal] ?? 0) + 1;
  return counts;
}

/** Statuses whose jobs a library can clean. */
export type CleanableStatus =
  | 'completed'
  | 'failed'
  | 'delayed'
  | 'active'
  | 'waiting'
  | 'prioritized'
  | 'paused';

/** The jobs that a bulk operation has met. */
export interface BulkCounts {
  readonly changed: number;
  /** Jobs that cannot be changed, for example because their data is gone. */
  readonly skipped: number;
  /** Jobs left because their removal would change a job beyond the reach of the sender. */
  readonly spared: number;
}

/**
 * One step of a bulk operation: processes at most a thousand jobs and returns whether there may be more. The board
 * repeats it until none are left, or until the client disconnects.
 */
export type BulkStep = () => Promise<BulkCounts & { readonly more: boolean }>;

/** Further parts of a job that a filter as text compares. */
export interface ComparedParts extends Pick<
  JobRecord,
  'id' | 'processedOn' | 'processedBy' | 'attemptsMade' | 'priority'
> {
  readonly state: string;
}

/** The parts of a job that a filter compares; `data` is the stored JSON, empty unless it is asked for. */
export interface ExaminedJob {
  readonly name: string;
  readonly error: string;
  readonly timestamp: number;
  /** When it completed or failed; null before. */
  readonly finishedOn: number | null;
  readonly data: string;
  /** The values that a filter as text compares besides, read where there is one. */
  readonly more?: ComparedParts;
}

/** The jobs of a status that a filter accepts, and what becomes of them. */
export interface BulkSelection {
  readonly act: 'retry' | 'promote' | 'remove';
  readonly status: JobStatus;
  /** Jobs that came into the status after this time stay. */
  readonly until: number;
  readonly reach: Reach;
  /** Whether jobs are only counted. */
  readonly dryRun: boolean;
  /** The answer for each refusal. */
  readonly reasons: Partial<Readonly<Record<Refusal, ErrorKey>>>;
  /** The filter, for a datastore that evaluates it. */
  readonly criteria: Omit<JobCriteria, 'budget' | 'limit' | 'statuses'>;
  /** The same filter. */
  accepts(job: ExaminedJob): boolean;
  /** Whether the reason, as the sender sees it, is one that the filter accepts. */
  acceptsReason(error: string): boolean;
  /** Told by a dry run of each job that the filter accepts: its reason, and when it came into the status. */
  found?(error: string, at: number): void;
}

/** The jobs that one step of a selection has met. */
export interface SelectedCounts {
  readonly examined: number;
  readonly matched: number;
  readonly changed: number;
  readonly refused: Partial<Record<Refusal, number>>;
}

/** The part of a step that is still to be written to its run: a datastore that has the run as well has written the rest. */
export interface SelectedPart extends SelectedCounts {
  /** Where the next step begins. */
  readonly position?: string;
  /** Whether there may be more. */
  readonly more: boolean;
}

/** One step over a selection. */
export type SelectionStep = () => Promise<SelectedPart>;

/** The run of a selection. */
export interface SelectionRun {
  /** Where a datastore notes each job in the step that changes it. */
  readonly mark: RunClaim | undefined;
  /** See `BulkControl`. */
  readonly keeps?: string | undefined;
  readonly most?: number;
  /** Where an earlier owner has stopped. */
  readonly position: string | undefined;
  /** Writes a part in the transaction that changes its jobs, where the run is in the same database. */
  note(part: Omit<SelectedPart, 'more'>, within: RunWithin): Promise<void>;
}

/** Writes a part to its run: without refusals, it takes the run for the transaction of the part. */
export type NotePart = (within: RunWithin, refused?: ReadonlyMap<string, Refusal>) => Promise<void>;

/**
 * Finds the run of a schedule after the previous one, or after now, in milliseconds since 1970; `null` when it does not
 * fire any more. The work is done when the call returns. An error that is not a refusal concerns the pattern.
 */
export type RunFinder = (
  name: string,
  schedule: Schedule,
  previous: number | null,
) => Promise<number | null>;

/** Qualified names of the queues whose jobs the sender of a request may change. */
export type Reach = readonly string[];

/** Jobs per {@link BulkStep}. */
export const bulkSize = 1_000;

/** The position of a run that has removed its queue: nothing is left that could be paused. */
export const obliterated = 'obliterated';

/** The run of an {@link QueueDriver.obliterateStep}. */
export interface ObliterateRun {
  readonly mark: RunClaim | undefined;
  /** Notes a step in its transaction, where the run is in the same database. */
  note(
    step: { readonly changed: number; readonly more: boolean },
    within: RunWithin,
  ): Promise<void>;
}

/** A queue of a library. Refusals are thrown as {@link DriverRefusal}. */
export interface QueueDriver {
  readonly name: string;
  readonly library: QueueLibrary;
  readonly type: QueueType;
  readonly statuses: readonly JobStatus[];
  readonly capabilities: QueueCapabilities;
  readonly store: QueueStore;
  /** Whether an added job may have the option `repeat`; otherwise the library would ignore it. */
  readonly acceptsRepeat: boolean;
  readonly defaultJobOptions: Readonly<Record<string, unknown>>;

  /**
   * Group jobs that the library keeps outside its state lists, by the status they count in; `null` when there are none.
   */
  groupCounts(): Promise<Partial<Record<JobStatus, number>>> | null;
  /**
   * Ids of group jobs that count in a status, in the order of their groups, from `start` to `end` (inclusive,
   * zero-based).
   */
  groupJobIds?(status: JobStatus, start: number, end: number): Promise<readonly string[]>;
  /** The state of a job that the library keeps outside its state lists; absent if it has none. */
  stateInGroup?(id: string): Promise<JobState>;
  /** The name of a job where the library shows more than the stored name; a formatter of the host replaces it. */
  nameOf?(job: JobRecord): string;
  /** Invalidates cached values of the queue, before and after a change. */
  changed(): void;

  /** The note is kept beside the queue as long as it stays paused; of a queue that is paused already, nothing changes. */
  pause(note: QueuePause): Promise<void>;
  resume(): Promise<void>;
  /** Adds a job and returns its id. An error that is not a refusal concerns the input. */
  add(job: NewJob): Promise<string>;
  /** Absent where the datastore cannot keep the bodies of keys. */
  readonly keys?: IdempotencyKeys;
  /**
   * Removes the queue while it is paused, in steps; refused while jobs are active, unless forced. Jobs that a parent
   * beyond the reach awaits stay, and then the last step is refused. The last step is noted in the run, if there is one.
   */
  obliterateStep(force: boolean, reach: Reach, run?: ObliterateRun): BulkStep;
  setGlobalConcurrency(limit: number): Promise<void>;
  getRateLimit(): Promise<QueueRateLimit | null>;
  /** `null` removes the limit. */
  setRateLimit(limit: QueueRateLimit | null): Promise<void>;
  releaseRateLimit(): Promise<void>;

  /** Keeps runs beside the jobs. Absent where the datastore cannot. */
  readonly runs?: RunStore;

  /**
   * Changes a job in one step, if it meets the conditions at that moment. With the mark of a run, the same step notes the
   * job in the run and counts it, and a job that the run has changed before stays as it is.
   */
  change(
    id: string,
    command: JobCommand,
    conditions: JobConditions,
    mark?: RunClaim,
  ): Promise<void>;
  /**
   * Changes jobs as {@link change} does, all in one transaction with the notes to their run, each with the first of the
   * commands that its state allows. Absent where a change notes itself.
   *
   * @param keeps the run that keeps what is taken from the jobs
   */
  changePart?(
    jobs: ReadonlyMap<string, JobConditions>,
    commands: readonly JobCommand[],
    note: NotePart,
    keeps?: string,
  ): Promise<void>;
  removeUnprocessedChildren(id: string): Promise<void>;
  /** The id of the scheduler that added the job. */
  schedulerOf(job: JobRecord): string | null;

  /** Retries the jobs that were in the state at time `before`, each as a single retry would. */
  retryStep(state: 'failed' | 'completed', before: number): BulkStep;
  /** Promotes the delayed jobs that existed at time `until`. */
  promoteStep(until: number): BulkStep;
  /**
   * Removes the jobs that existed at time `until`, except the next runs of schedulers, and children that a parent
   * beyond the reach awaits.
   */
  cleanStep(status: CleanableStatus, until: number, reach: Reach): BulkStep;

  /** Changes the jobs of a selection in steps; no job is met again. Each step is noted in the run, if there is one. */
  selectionStep(selection: BulkSelection, run?: SelectionRun): SelectionStep;

  /**
   * Gives the jobs back that the run `undoes` has changed, as far as they still wait, the last ones first; those that have
   * started, or that a parent awaits again, stay. Absent where runs keep nothing.
   */
  undoStep?(undoes: string, run: SelectionRun): SelectionStep;

  removeScheduler(id: string): Promise<boolean>;
  /**
   * Creates a scheduler and returns its id; `null` when the schedule never fires. Refused as `exists` when there is one
   * with this id, also if another process is just creating it. An error that is not a refusal concerns the pattern.
   */
  createScheduler(
    id: string | undefined,
    schedule: Schedule,
    template: NewJob,
  ): Promise<string | null>;
  /** How the library computes the runs of schedules. */
  runFinder(): Promise<RunFinder>;
  /**
   * Returns the id of the next run, `null` when the schedule never fires. Refused when the next run has already run. An
   * error that is not a refusal concerns the pattern.
   */
  updateScheduler(id: string, schedule: Schedule, template: NewJob): Promise<string | null>;
}
