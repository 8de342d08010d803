/** The criteria of a search, and its results with the position reached. */

import type { JobFilter } from '../../filters/index.ts';
import type { ExaminedJob } from './driver.ts';
import type { JobState, JobStatus } from './types.ts';
import type { JobRecord } from './job-record.ts';
import type { SearchBudget } from './search-budget.ts';

/** Bounds of numbers, or of texts in the order of their code points; values of other types are outside. */
export type DataRange =
  | { readonly of: 'number'; readonly min?: number; readonly max?: number }
  | { readonly of: 'string'; readonly min?: string; readonly max?: string };

/** A filter as the sender of a request may ask it. */
export interface JobWhere {
  readonly filter: JobFilter;
  /** Paths into data that it names. */
  readonly paths: readonly string[];
  readonly readsError: boolean;
  meets(job: ExaminedJob): boolean;
}

/** A job must meet all given criteria. */
export interface JobCriteria {
  /** Substring of the job name. */
  readonly name?: string;
  readonly statuses: readonly JobStatus[];
  /** Path into the data, with the value it must have as text; without a value, any. */
  readonly path?: readonly string[];
  readonly value?: string;
  /** Substring of the text at the path. */
  readonly contains?: string;
  /** Inclusive bounds of the value at the path. */
  readonly range?: DataRange;
  /** Whether `name`, `value`, `contains` and `error` match in any case. Default false. */
  readonly ignoreCase?: boolean;
  /** Substring of the failure reason. */
  readonly error?: string;
  /** Range of the time at which the job was added, inclusive; epoch milliseconds. */
  readonly from?: number;
  readonly to?: number;
  /** Range of the time at which the job completed or failed, inclusive; one that has not is outside. */
  readonly finishedFrom?: number;
  readonly finishedTo?: number;
  /** A filter as text. */
  readonly where?: JobWhere;
  /** Maximum number of jobs to return. */
  readonly limit: number;
  /** The remaining budget, shared by all searches of a request. */
  readonly budget: SearchBudget;
  /** The position to continue from: `next` of an earlier search. */
  readonly after?: string;
}

export interface FoundJob {
  readonly job: JobRecord;
  readonly state: JobState;
}

export interface FoundJobs {
  readonly found: readonly FoundJob[];
  /** Whether the number of examined jobs is known; the budget has counted them. */
  readonly counted: boolean;
  /** The position to continue from, `null` when everything was examined. */
  readonly next: string | null;
}

/** Thrown when the position to continue from is not a position in its queue. */
export class InvalidPosition extends Error {
  override readonly name = 'InvalidPosition';
}
