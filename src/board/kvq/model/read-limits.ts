/** How much a read may take from the datastore: a page of large jobs would block it, and every worker with it. */

export interface ReadLimits {
  /** Bytes of options, progress, reasons, data and results; parts beyond it are left out. */
  readonly maxBytes: number;
  /** Whether the data and the results of jobs are read. */
  readonly withData: boolean;
}

/** Default of `maxReadBytes`. */
export const defaultReadBytes = 16_000_000;

/** For reads that only follow a flow. */
export const withoutData: ReadLimits = { maxBytes: 1_000_000, withData: false };

/** The last lines of a log. */
export interface LogWindow {
  /** Oldest first. */
  readonly lines: readonly string[];
  /** Number of lines stored. */
  readonly total: number;
}

/** Maximum number of lines in a window. */
export const maxLogLines = 10_000;
