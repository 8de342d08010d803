/** A page of jobs in brief: their parts of bounded size, and the beginning of their data and of their reason. */

import type { JobRecord } from './job-record.ts';
import type { JobStatus } from './types.ts';

/** Characters shown of the data and of the reason. */
export const briefLength = 200;

/** Bytes that hold that many characters. */
export const briefBytes = briefLength * 4;

/** Bytes read of a reason: it may begin with keys of jobs, which are hidden before it is cut. */
export const reasonBytes = 4_096;

/** Bytes from which the progress of a job is too long to be shown in brief. */
export const progressBytes = 256;

/** The page to read. */
export interface SummaryQuery {
  readonly statuses: readonly JobStatus[];
  /** Jobs of each status that are passed over. */
  readonly start: number;
  /** Jobs per status. */
  readonly limit: number;
  /** The position after which the page begins: `next` of an earlier page of the one status. */
  readonly after: string | null;
  /** Whether the data is read. */
  readonly withData: boolean;
  /** Whether every part is read, because a function of the host receives it. */
  readonly whole: boolean;
  /** Bytes of the parts that have no bounded size; those beyond are left out. */
  readonly maxBytes: number;
}

/** A job in brief; `data` is the beginning of its data as text, `null` where it was read whole or not at all. */
export interface SummaryRecord {
  readonly job: JobRecord;
  readonly data: string | null;
}

/** A page of one status, newest first. */
export interface SummaryPage {
  readonly status: JobStatus;
  /** Number of jobs in the status. */
  readonly total: number;
  readonly jobs: readonly SummaryRecord[];
  /** The position after the page; `null` at the end. */
  readonly next: string | null;
}
