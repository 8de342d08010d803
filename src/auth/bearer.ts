/** The `Authorization: Bearer` header. */

import type { AuthRequest } from './web.ts';

/** Maximum length of a token, in characters. */
export const longestBearer = 8192;

/**
 * Returns the bearer token of a request; `undefined` if the header is absent or has another scheme. An empty token is
 * returned as a presented, invalid token.
 */
export function bearerToken(req: AuthRequest): string | undefined {
  const value = req.headers.authorization;
  if (value === undefined || value.slice(0, 6).toLowerCase() !== 'bearer') return undefined;
  const rest = value.slice(6);
  if (rest !== '' && !rest.startsWith(' ')) return undefined;
  return rest.trim();
}
