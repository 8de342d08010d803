/** The reading of a queue by a recorder of the history: what its library knows about it. */

/** Jobs finished in a minute since 1970. */
export type MinuteCount = readonly [minute: number, count: number];

/** A finished job: when it finished, how long it ran and waited; `waited` is null for a job that ran before. */
export interface Sample {
  /** When the job finished, in milliseconds since 1970. */
  readonly finished: number;
  /** How long it ran, in milliseconds. */
  readonly ran: number;
  /** How long it waited, in milliseconds; null for a job that ran before. */
  readonly waited: number | null;
}

/** A sample from the numbers of a script or statement, by which a job that had run before has waited -1. */
export const sampleOf = ([finished = 0, ran = 0, waited = -1]: readonly number[]): Sample => ({
  finished,
  ran,
  waited: waited < 0 ? null : waited,
});

/** The parts of a queue to read. */
export interface SourceRequest {
  /** The first minutes to count. */
  readonly completedFrom: number;
  /** The first minute of failed jobs to count; 0: as far back as the source remembers. */
  readonly failedFrom: number;
  /** Whether these are the minutes that the last reading told to begin with. Default false. */
  readonly resumed?: boolean;
  /** Whether to tell since when the counts are known. Default false. */
  readonly remembered?: boolean;
  /** The most minutes to return, the oldest ones. */
  readonly maxMinutes: number;
  /** Finished jobs to measure: those after a time, null for those of the last tick. Default: none. */
  readonly samples?: {
    /** Jobs that finished later than this, in milliseconds since 1970; null: those of the last tick. */
    readonly after: number | null;
    /** Milliseconds before now that are left to the next tick, since a job may be stored after its time. */
    readonly marginMs: number;
    /** Milliseconds to look back where `after` is null. */
    readonly tickMs: number;
    /** The most jobs to return; more are subsampled evenly. */
    readonly limit: number;
  };
}

/** Counts of one kind. */
export interface CountReading {
  /** Absolute counts of minutes that are not zero, oldest first. */
  readonly minutes: readonly MinuteCount[];
  /** The minute to begin with next time: an earlier one never changes again. */
  readonly next: number;
  /** The first minute that the source still knows; 0 where it has forgotten none. */
  readonly since?: number;
}

/** The parts of a queue that a source knows. */
export interface SourceReading {
  /** Counts, absent where the source does not know them. */
  readonly completed?: CountReading;
  /** Counts of failed jobs, absent where the source does not know them. */
  readonly failed?: CountReading;
  /** Whether there are further minutes to read at once. */
  readonly more: boolean;
  /** Age of the oldest waiting job in milliseconds, 0 if none waits. Absent when it could not be read. */
  readonly queueAge?: number;
  /** The clock of the source. */
  readonly now: number;
  /** Durations of finished jobs; absent where none were asked for or known. */
  readonly samples?: {
    /** The measured jobs. */
    readonly jobs: readonly Sample[];
    /** Jobs that finished; more than `jobs` where they were subsampled. */
    readonly total: number;
    /** The time up to which jobs were read. */
    readonly upTo: number;
  };
}
