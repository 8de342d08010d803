/** The ETag of a body. */

import { createHash } from 'node:crypto';

/** A weak ETag: the content is the same in every encoding. */
export function etagOf(bytes: Uint8Array): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
}
