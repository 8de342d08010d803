/** Converts a job in brief to the contract: without options and stack, with the beginning of its data and reason. */

import { cutText } from '../../../lib/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { type ColumnPath, columnText, withinDepth } from '../../core/index.ts';
import {
  briefLength,
  progressBytes,
  reasonBytes,
  type SummaryRecord,
} from '../model/job-summary.ts';
import type { AppJob, JobState, JobSummary, JobSummaryField } from '../model/types.ts';
import { shownBeginning, type JobView } from './job-view.ts';
import { presentJob, presentName, presentProgress, runsAtOf } from './present-job.ts';

const reasonOf = (view: JobView, queue: BoardQueue, reason: string): string =>
  cutText(shownBeginning(view, queue, reason, reasonBytes), briefLength);

/** The JSON text of a progress that is not a number, unless it is long. */
function progressTextOf(progress: unknown): Pick<JobSummary, 'progressText'> {
  const progressText = JSON.stringify(progress);
  return Buffer.byteLength(progressText) < progressBytes ? { progressText } : {};
}

/** The values of columns of a job as it is shown; `result` has that name with every engine. */
export const jobColumns = (
  job: AppJob,
  columns: readonly ColumnPath[],
): Required<Pick<JobSummary, 'columns'>> => ({
  columns: columns.map(([name = '', ...rest]) =>
    columnText(job, [name === 'result' ? 'returnValue' : name, ...rest]),
  ),
});

/** The parts of a job in brief that were asked for; all of them without `fields`. */
export function presentSummary(
  queue: BoardQueue,
  { job, data }: SummaryRecord,
  state: JobState,
  view: JobView,
  fields: ReadonlySet<JobSummaryField>,
  columns?: readonly ColumnPath[],
): JobSummary {
  const host = view.problems.hostFunctions(queue);
  const has = (field: JobSummaryField): boolean => fields.has(field);
  const { data: format, progress: formatsProgress } = queue.formatters;
  const isLeftOut = job.truncated?.includes('data') === true;
  const text = (): string | undefined => {
    if (isLeftOut) return undefined;
    if (data !== null && !format) return data;
    const shown = format ? host.run('data', () => format(job.data)) : withinDepth(job.data);
    return JSON.stringify(shown ?? null);
  };
  const shownText = has('data') ? text() : undefined;
  const progress =
    formatsProgress && has('progress') ? presentProgress(queue, job.progress, host) : job.progress;
  const attempts = job.attemptsMade + (queue.driver.type === 'legacy' ? 1 : 0);
  return {
    id: job.id,
    state,
    ...(has('name') && { name: presentName(queue, job, host) }),
    ...(has('attempts') && { attempts }),
    ...(has('timestamp') && { timestamp: job.timestamp }),
    ...(has('processedOn') && { processedOn: job.processedOn }),
    ...(has('finishedOn') && { finishedOn: job.finishedOn }),
    ...(has('delay') && { delay: job.delay, ...runsAtOf(job) }),
    ...(has('priority') && { priority: job.priority }),
    ...(has('progress') &&
      (typeof progress === 'number' ? { progress } : progressTextOf(progress))),
    ...(has('processedBy') && { processedBy: job.processedBy }),
    ...(has('failedReason') &&
      job.failedReason !== null && { failedReason: reasonOf(view, queue, job.failedReason) }),
    ...(shownText !== undefined && { data: cutText(shownText, briefLength) }),
    ...(columns && jobColumns({ ...presentJob(queue, job, view), state }, columns)),
    ...(job.isOrphaned && { isOrphaned: true }),
    ...host.mark,
  };
}
