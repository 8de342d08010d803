/** Converts a stored job to the contract, and applies the formatters of the host. */

import { withinDepth } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { JobRecord } from '../model/job-record.ts';
import type { AppJob } from '../model/types.ts';

type Progress = AppJob['progress'];

function isProgress(value: unknown): value is Progress {
  return (
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (typeof value === 'object' && value !== null && !Array.isArray(value))
  );
}

/** The progress as shown; the contract does not allow arrays and null. */
export function presentProgress(queue: BoardQueue, progress: unknown): Progress {
  const { progress: format } = queue.formatters;
  const shown = withinDepth(format ? format(progress) : progress);
  if (isProgress(shown)) return shown;
  return shown === null || shown === undefined ? 0 : JSON.stringify(shown);
}

/** The name as shown. */
export function presentName(queue: BoardQueue, job: JobRecord): string {
  const { name: format } = queue.formatters;
  return String(format ? format({ ...job }) : job.name);
}

/** The id of the BullMQ Pro group of the job. */
function groupOf(opts: JobRecord['opts']): string | number | undefined {
  const { group } = opts;
  if (typeof group !== 'object' || group === null || !('id' in group)) return undefined;
  return typeof group.id === 'string' || typeof group.id === 'number' ? group.id : undefined;
}

/** The job as `AppJob`. */
export function presentJob(queue: BoardQueue, job: JobRecord): AppJob {
  const { data: formatData, returnValue: formatValue } = queue.formatters;
  const stacktrace = job.stacktrace.filter(Boolean).toReversed();
  // Bull counts only failed attempts; the running or completed attempt is added.
  const attempts = job.attemptsMade + (queue.driver.type === 'legacy' ? 1 : 0);
  const group = groupOf(job.opts);
  const url = queue.options.externalJobUrl?.({ ...job });
  return {
    id: job.id,
    name: presentName(queue, job),
    timestamp: job.timestamp,
    processedOn: job.processedOn,
    processedBy: job.processedBy,
    finishedOn: job.finishedOn,
    progress: presentProgress(queue, job.progress),
    attempts,
    ...(job.failedReason !== null && { failedReason: job.failedReason }),
    stacktrace,
    delay: job.delay,
    opts: withinDepth(job.opts),
    data: orNull(formatData ? formatData(job.data) : job.data),
    returnValue: orNull(formatValue ? formatValue(job.returnvalue) : job.returnvalue),
    isFailed: job.failedReason !== null || stacktrace.length > 0,
    ...(url && { externalUrl: url }),
    ...(group !== undefined && { groupId: group }),
    ...(job.priority > 0 && { priority: job.priority }),
    ...(job.attemptsStarted > attempts && { attemptsStarted: job.attemptsStarted }),
    ...(job.stalledCounter > 0 && { stalledCounter: job.stalledCounter }),
    ...(job.deduplicationId !== null && { deduplicationId: job.deduplicationId }),
    ...(job.deferredFailure !== null && { deferredFailure: job.deferredFailure }),
  };
}

/** A formatter that returns undefined hides the value; the member stays. */
function orNull(value: unknown): unknown {
  return value === undefined ? null : withinDepth(value);
}
