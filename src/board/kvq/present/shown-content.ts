/** The content of a job as everybody who may read it is shown it, from which its version is made. */

import type { HostFunctions } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { VersionedJob } from '../model/store.ts';
import { shownOptions, shownReason } from './job-view.ts';
import { presentName } from './present-job.ts';

/** No name of another queue is shown to everybody. */
const toAll = { sees: () => false };

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
  const { parentKey: _parent, repeatJobKey: _scheduler, isOrphaned: _lock, ...open } = job;
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
