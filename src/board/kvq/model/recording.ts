/** The reading of a queue by a recorder of the metrics history. */

/** Jobs finished in a minute since 1970. */
export type RecordedMinute = readonly [minute: number, count: number];

/** A finished job in milliseconds; `waited` is -1 for a job that had run before. */
export type RecordedSample = readonly [finished: number, ran: number, waited: number];

/** The parts to read. Minutes count from 1970. */
export interface RecordingRequest {
  readonly completedFrom: number;
  readonly failedFrom: number;
  /** The most minutes of each kind, the oldest ones first. */
  readonly maxMinutes: number;
  /** Whether the minutes to begin with are those where the last reading ended. */
  readonly resumed?: boolean;
  /** Whether to tell since when the counts are known. */
  readonly remembered?: boolean;
  /** `after` is null before the first tick. */
  readonly samples?: {
    readonly after: number | null;
    readonly marginMs: number;
    readonly tickMs: number;
    readonly limit: number;
  };
}

/** Counts of one kind. */
export interface RecordedCounts {
  readonly minutes: readonly RecordedMinute[];
  /** The minute to begin with next time. */
  readonly next: number;
  /** Whether there are later minutes. */
  readonly more: boolean;
  /** The first minute that the library still knows; 0 where it has forgotten none. */
  readonly since?: number;
}

/** The facts of one queue. */
export interface Recording {
  readonly now: number;
  readonly completed: RecordedCounts;
  readonly failed: RecordedCounts;
  readonly queueAge: number;
  readonly samples?: {
    readonly jobs: readonly RecordedSample[];
    readonly total: number;
    readonly upTo: number;
  };
}
