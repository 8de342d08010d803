/** Validates job ids from clients: an id must not collide with a key that the libraries reserve. */

import { isStorableText } from '../../../schema/index.ts';

/** The maximum length in bytes, which PostgreSQL can always index. */
const maxIdBytes = 1_000;

/**
 * Names of the keys that the libraries keep beside the jobs, as `<queue>:<name>` or `<queue>:<name>:...`. A job with
 * such an id would overwrite the key or be read instead of it: a job with the id `failed` breaks the queue.
 */
const ofQueues: ReadonlySet<string> = new Set([
  'active',
  'completed',
  'de',
  'delay',
  'delayed',
  'dn',
  'drained',
  'duplicated',
  'events',
  'failed',
  'groups',
  'groups-lid',
  'id',
  'limiter',
  'marker',
  'meta',
  'meta-paused',
  'metrics',
  'paused',
  'pc',
  'prioritized',
  'priority',
  'progress',
  'repeat',
  'resumed',
  'sluice-claim',
  'sluice-once',
  'sluice-pause',
  'stalled',
  'stalled-check',
  'wait',
  'waiting',
  'waiting-children',
]);

/** Names of the keys of a single job, as `<id>:<name>`. */
const ofJobs: ReadonlySet<string> = new Set([
  'dependencies',
  'failed',
  'lock',
  'logs',
  'processed',
  'unsuccessful',
]);

/** Ids in the format of the libraries' counters, which would eventually assign them to another job. */
const counted = /^-?\d+$/;

/** Whether every datastore can store the text as a key. */
export function isKeyText(text: string): boolean {
  return isStorableText(text) && Buffer.byteLength(text) <= maxIdBytes;
}

/** Whether a client may give a job this id. */
export function isJobId(id: string): boolean {
  const parts = id.split(':');
  const [first = ''] = parts;
  return (
    isKeyText(id) &&
    !counted.test(id) &&
    !ofQueues.has(first) &&
    (parts.length === 1 || !ofJobs.has(parts.at(-1) ?? ''))
  );
}
