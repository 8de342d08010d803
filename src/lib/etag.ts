/** Conditional requests: whether a client has what an ETag names. */

/** Whether `If-None-Match` names the ETag or `*`. Weak and strong ETags of one content are equal. */
export function isKnown(ifNoneMatch: unknown, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === null) return false;
  const opaque = etag.replace(/^W\//, '');
  return String(ifNoneMatch)
    .split(',')
    .map((item) => item.trim())
    .some((item) => item === '*' || item.replace(/^W\//, '') === opaque);
}
