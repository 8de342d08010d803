/** The failed jobs of a queue as they are counted: by reason, name, release and bucket. */

import type { FailurePart, FailureRange, FailureStep } from '../../core/index.ts';

/** The next failed jobs to count, the last to fail first. */
export interface FailureQuery extends FailureRange {
  /**
   * Parts that are read besides reason and name: nothing of the data, its release, or all of it. Whole jobs are told one by one.
   */
  readonly reads: 'reasons' | 'releases' | 'jobs';
  /** The position to continue from: `next` of an earlier read. */
  readonly after: string | null;
}

/** Failed jobs that are alike, or a job with the text of its data. */
export interface StoredFailure extends Omit<FailurePart, 'queueName' | 'name' | 'told'> {
  readonly name: string;
  readonly data?: string;
}

export interface StoredFailures extends Omit<FailureStep, 'parts'> {
  readonly failures: readonly StoredFailure[];
}
