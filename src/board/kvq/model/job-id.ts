/** Which ids a client may give a job: none that would fall on a key the libraries keep for themselves. */

import { isStorableText } from '../../../schema/index.ts';

/** The longest id, in bytes: what PostgreSQL can always index. */
export const maxIdBytes = 1_000;

/**
 * What the libraries keep beside the jobs of a queue, under `<queue>:<name>` or `<queue>:<name>:...`. A job of
 * such a name would be written over it, or found in its place: one job called `failed` stops a queue for good.
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
  'stalled',
  'stalled-check',
  'wait',
  'waiting',
  'waiting-children',
]);

/** Names of keys beside a job, under `<id>:<name>`. */
const ofJobs: ReadonlySet<string> = new Set([
  'dependencies',
  'failed',
  'lock',
  'logs',
  'processed',
  'unsuccessful',
]);

/** Ids like the ones the libraries count up: sooner or later they give one of them to another job. */
const counted = /^-?\d+$/;

/** Whether a text is one that every datastore can hold as a key. */
export function isKeyText(text: string): boolean {
  return isStorableText(text) && Buffer.byteLength(text) <= maxIdBytes;
}

/** Whether a job may be given this id. */
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
