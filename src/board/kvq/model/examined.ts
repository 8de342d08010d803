/** The parts of jobs that searches and runs compare. */

import type { ExaminedJob } from './driver.ts';
import type { JobRecord } from './job-record.ts';

/** A part of every reason that may name another job, which hides it from some senders. */
export const childMark = 'child ';

/** The parts of a record that filters compare; `data` as JSON. */
export function examinedOf(job: JobRecord, state: string, data: string): ExaminedJob {
  const { name, failedReason, timestamp, finishedOn } = job;
  return { name, error: failedReason ?? '', timestamp, finishedOn, data, more: { ...job, state } };
}
