/** Versions of jobs and schedules, by which a client tells a command what it has seen. */

import { createHmac } from 'node:crypto';

/** Makes the version of a content as everybody who may read it is shown it. */
export type VersionOf = (content: unknown) => string;

/**
 * Returns the versions of a board. Without its key nobody can compute one, so a version does not help to try values.
 *
 * @param key the same in all instances of the board, because a version of one counts in the others
 */
export function versionsWith(key: string): VersionOf {
  return (content) =>
    createHmac('sha256', key).update(JSON.stringify(content)).digest('base64url').slice(0, 22);
}
