/** The interface of what holds failed jobs: an engine has one source per queue, or one for all of its queues. */

import { cutText } from '../../../lib/index.ts';

/** The buckets of a curve: the first begins at `from`. */
export interface CurveBuckets {
  readonly from: number;
  readonly bucketMs: number;
}

/** The failed jobs to count: those that ended from `since` to `at`, in epoch milliseconds, both inclusive. */
export interface FailureRange extends CurveBuckets {
  readonly since: number;
  readonly at: number;
}

/** Failed jobs of one reason, name, release and bucket; where the host tells fingerprints, one job with its data. */
export interface FailurePart {
  readonly queueName: string;
  /** The beginning of the reason, as the sender may see it. */
  readonly reason: string;
  /** Null where there is none, or the sender may not see it. */
  readonly name: string | null;
  readonly release: string | null;
  /** Place of the bucket; negative before the curve. */
  readonly bucket: number;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Id of the job that failed last. */
  readonly id: string;
  /** Present where the host tells the fingerprint of the job. */
  readonly told?: string | undefined;
}

/** The result of a step. */
export interface FailureStep {
  readonly parts: readonly FailurePart[];
  readonly examined: number;
  /** Where the next step begins; null at the end. */
  readonly next: string | null;
}

export interface FailureSource {
  /** Orders the sources; for a source of one queue, the name of the queue. */
  readonly name: string;
  /** Reads the next failed jobs, a bounded number of them. */
  step(after: string | null): Promise<FailureStep>;
}

/** The place of the bucket of a moment; -1 before the curve. */
export const bucketOf = ({ from, bucketMs }: CurveBuckets, moment: number): number =>
  Math.max(-1, Math.floor((moment - from) / bucketMs));

/** Bytes of data from which on the release of a job is not looked for. */
export const mostReleaseBytes = 65_536;

/** Characters of a release, and bytes of a reason that are read. */
export const [releaseLength, reasonBytes] = [100, 2_000];

/** The release in the data of a job. */
export function releaseOf(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null;
  const release: unknown = Object.hasOwn(data, 'release') ? Reflect.get(data, 'release') : null;
  if (typeof release !== 'string' && typeof release !== 'number') return null;
  return cutText(String(release), releaseLength) || null;
}
