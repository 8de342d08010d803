/** Cache of accepted cookie headers: a repeated header needs neither parsing nor decryption. */

import type { AuthRequest } from '../web.ts';
import { ExpiringCache, labelLength } from '../../lib/index.ts';

/** A sealed cookie is by far the longest in a header, so the middle of the header is random. */
function middleOf(header: string): string {
  const middle = header.length >> 1;
  return header.slice(middle, middle + labelLength);
}

/** Number of cached headers in each of two generations. */
const remembered = 500;

/** Maximum length of a cached header, in characters. */
const longest = 8192;

/** Maximum time in the cache, in milliseconds. */
const rememberedFor = 3_600_000;

/**
 * Caches the result for a cookie header. Only this header is the key: if another header also matters, the caller must
 * check that one first.
 */
export class RecognisedCookies<Finding> {
  readonly #found = new ExpiringCache<Finding>(remembered, middleOf);

  /** Returns the cached result for the cookies of a request, while it is valid. */
  get(req: AuthRequest): Finding | undefined {
    const text = req.headers.cookie;
    return text === undefined ? undefined : this.#found.get(text);
  }

  /** Caches a result until a time in seconds since 1970. */
  set(req: AuthRequest, finding: Finding, exp: number): void {
    const text = req.headers.cookie;
    if (text === undefined || text.length > longest) return;
    this.#found.set(text, finding, Math.min(Date.now() + rememberedFor, exp * 1000));
  }
}
