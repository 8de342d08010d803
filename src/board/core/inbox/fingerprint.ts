/** By what failed jobs count as one error: the name of their error, or what a function of the host tells. */

import { createHash } from 'node:crypto';

import { normalizedError } from '../../../lib/index.ts';

/** A failed job whose error is asked for. */
export interface FailedJob {
  /** Name of the queue on the board. */
  readonly queueName: string;
  /** Id of the job within its queue. */
  readonly id: string;
  /** Name of the job; absent where the library has none, or a formatter replaces it. */
  readonly name?: string | undefined;
  /** Why it failed: the beginning of the message. */
  readonly error: string;
  /** Data of the job as it is stored. */
  readonly data: unknown;
}

/**
 * Tells by what a failed job is one error with others: jobs of one text count together. For nothing or an empty text, the
 * message counts without what differs from job to job.
 */
export type Fingerprint = (job: FailedJob) => string | null | undefined;

/** Characters of the digest of an error. */
const digestLength = 10;

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, digestLength);

/** The digest of an error by its name. */
export const nameDigest = (name: string): string => digest(name);

/** The same by a reason. */
export const errorDigest = (reason: string): string => nameDigest(normalizedError(reason));

/** The digest of an error by what the host tells, which is never that of a name. */
export const hostDigest = (told: string): string => digest(`host\n${told}`);
