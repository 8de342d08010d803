/** The ETag of a body. */

import { type Hash, createHash } from 'node:crypto';

/** A weak ETag: the content is the same in every encoding. */
export function etagOf(bytes: Uint8Array): string {
  return etagOfHash(createHash('sha256').update(bytes));
}

/** The ETag of the bytes in a SHA-256 hash. */
export function etagOfHash(hash: Hash): string {
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}
