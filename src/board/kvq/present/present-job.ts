/** Converts a stored job to the contract, applies the formatters of the host, and makes the content of its version. */

import { isRecord } from '../../../lib/index.ts';
import { type HostFunctions, isWebAddress, tracedBy, withinDepth } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { JobRecord } from '../model/job-record.ts';
import type { StoredTexts, VersionedJob } from '../model/store.ts';
import type { AppJob, ExternalJobUrl } from '../model/types.ts';
import { shownOptions, shownReason, shownTexts, type JobView } from './job-view.ts';

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
export function presentProgress(
  queue: BoardQueue,
  progress: unknown,
  host: HostFunctions,
): Progress {
  const { progress: format } = queue.formatters;
  const shown = format ? host.run('progress', () => format(progress)) : withinDepth(progress);
  if (isProgress(shown)) return shown;
  return shown === null || shown === undefined ? 0 : JSON.stringify(shown);
}

/** The name as shown; empty when its formatter fails. */
export function presentName(queue: BoardQueue, job: JobRecord, host: HostFunctions): string {
  const { name: format } = queue.formatters;
  if (!format) return queue.driver.nameOf?.(job) ?? job.name;
  return String(host.run('name', () => format({ ...job })) ?? '');
}

/** The id of the BullMQ Pro group of the job. */
function groupOf(opts: JobRecord['opts']): string | number | undefined {
  const { group } = opts;
  if (typeof group !== 'object' || group === null || !('id' in group)) return undefined;
  return typeof group.id === 'string' || typeof group.id === 'number' ? group.id : undefined;
}

/** Base of relative addresses; only the protocol counts. */
const anyBase = 'https://board.invalid';

/** The address of the job outside the board. */
function externalUrl(
  queue: BoardQueue,
  job: JobRecord,
  host: HostFunctions,
): ExternalJobUrl | undefined {
  const { externalJobUrl: urlOf } = queue.options;
  const url = urlOf && host.run('externalUrl', () => urlOf({ ...job }));
  if (url === undefined || url === null) return undefined;
  const { href, displayText } = isRecord(url) ? url : {};
  if (isWebAddress(href, anyBase))
    return { href, ...(displayText != null && { displayText: String(displayText) }) };
  host.fail(
    'externalUrl',
    new TypeError('"externalJobUrl" must return an address of http or https'),
  );
  return undefined;
}

/** When a delayed job runs, where its delay counts from another moment than the one at which it was added. */
export const runsAtOf = ({ runsAt, timestamp, delay }: JobRecord): { runsAt?: number } =>
  runsAt === undefined || runsAt === timestamp + delay ? {} : { runsAt };

/** The job as `AppJob`; with `texts`, its parts also as stored. */
export function presentJob(
  queue: BoardQueue,
  job: JobRecord,
  view: JobView,
  texts?: StoredTexts,
): AppJob {
  const { data: formatData, returnValue: formatValue } = queue.formatters;
  const host = view.problems.hostFunctions(queue);
  const stacktrace = job.stacktrace.filter(Boolean).toReversed();
  // Bull counts only failed attempts; the running or completed attempt is added.
  const attempts = job.attemptsMade + (queue.driver.type === 'legacy' ? 1 : 0);
  const group = groupOf(job.opts);
  const reason = (text: string): string => shownReason(view, queue, text);
  const name = presentName(queue, job, host);
  const progress = presentProgress(queue, job.progress, host);
  // A part that was left out is not formatted.
  const cut = new Set(job.truncated);
  const data =
    formatData && !cut.has('data')
      ? host.run('data', () => formatData(job.data))
      : withinDepth(job.data);
  const returnValue =
    formatValue && !cut.has('returnvalue')
      ? host.run('returnValue', () => formatValue(job.returnvalue))
      : withinDepth(job.returnvalue);
  const url = externalUrl(queue, job, host);
  return {
    id: job.id,
    name,
    timestamp: job.timestamp,
    processedOn: job.processedOn,
    processedBy: job.processedBy,
    finishedOn: job.finishedOn,
    progress,
    attempts,
    ...(job.failedReason !== null && { failedReason: reason(job.failedReason) }),
    stacktrace: stacktrace.map(reason),
    delay: job.delay,
    opts: withinDepth(shownOptions(view, queue, job.opts)),
    // A formatter that returns undefined hides the value; the member stays.
    data: cut.has('data') ? null : (data ?? null),
    returnValue: returnValue ?? null,
    isFailed: job.failedReason !== null || stacktrace.length > 0 || cut.has('failedReason'),
    ...(url && { externalUrl: url }),
    // An address may tell what is hidden.
    ...(!formatData &&
      !cut.has('data') &&
      tracedBy(view.traceUrl, { queueName: queue.name, id: job.id, name, data: job.data }, host)),
    ...(group !== undefined && { groupId: group }),
    ...(job.priority > 0 && { priority: job.priority }),
    ...(job.attemptsStarted > attempts && { attemptsStarted: job.attemptsStarted }),
    ...(job.stalledCounter > 0 && { stalledCounter: job.stalledCounter }),
    ...(job.deduplicationId !== null && { deduplicationId: job.deduplicationId }),
    ...(job.deferredFailure !== null && { deferredFailure: reason(job.deferredFailure) }),
    ...(job.truncated && {
      truncated: job.truncated.map((part) => (part === 'returnvalue' ? 'returnValue' : part)),
    }),
    ...(job.isOrphaned && { isOrphaned: true }),
    ...runsAtOf(job),
    ...(texts && { raw: shownTexts(view, queue, texts, job.opts) }),
    ...host.mark,
  };
}

/** No name of another queue is shown to everybody. */
export const toAll = { sees: () => false };

/**
 * A part that a formatter replaces counts as it is shown, and the names of other queues do not count: a client could try
 * values that it may not see, by the version or by a command that compares it. Nor does the lock of a worker, which is
 * renewed without a change.
 */
export function shownContent(
  queue: BoardQueue,
  { job, state, parts }: VersionedJob,
  host: HostFunctions,
): object {
  const { formatters } = queue;
  const {
    parentKey: _parent,
    repeatJobKey: _scheduler,
    isOrphaned: _lock,
    runsAt: _due,
    ...open
  } = job;
  const reason = (text: string | null): string | null => text && shownReason(toAll, queue, text);
  const options = shownOptions(toAll, queue, job.opts);
  const shown = (part: 'data' | 'progress' | 'returnValue', value: unknown): unknown => {
    const { [part]: format } = formatters;
    // A formatter may change what it receives.
    return format ? host.run(part, () => format(structuredClone(value))) : parts[part];
  };
  return {
    ...open,
    state,
    name: formatters.name ? presentName(queue, job, host) : job.name,
    failedReason: reason(job.failedReason),
    deferredFailure: reason(job.deferredFailure),
    stacktrace: job.stacktrace.map(reason),
    opts: options === job.opts ? parts.opts : options,
    data: shown('data', job.data),
    progress: shown('progress', job.progress),
    returnvalue: shown('returnValue', job.returnvalue),
  };
}
