/** The `Authorization: Bearer` header. */

import type { IncomingMessage } from 'node:http';

/** Characters of the longest token that is looked at. */
export const longestBearer = 8192;

/**
 * The bearer token of a request; `undefined` where the header is absent or of another scheme. An empty token is
 * a token: presented, and wrong.
 */
export function bearerToken(req: IncomingMessage): string | undefined {
  const value = req.headers.authorization;
  if (value === undefined || value.slice(0, 6).toLowerCase() !== 'bearer') return undefined;
  const rest = value.slice(6);
  if (rest !== '' && !rest.startsWith(' ')) return undefined;
  return rest.trim();
}
