/** Cookie headers that let somebody in before: the same header again needs no reading and no opening. */

import type { IncomingMessage } from 'node:http';
import { ExpiringCache, labelLength } from '../lib/index.ts';

/** Of several cookies in one header a sealed one is by far the longest, so the middle of the header is random. */
function middleOf(header: string): string {
  const middle = header.length >> 1;
  return header.slice(middle, middle + labelLength);
}

/** How many headers are remembered, in each of two generations. */
const remembered = 500;

/** Characters of the longest header that is remembered. */
const longest = 8192;

/** Milliseconds that a header is remembered at most. */
const rememberedFor = 3_600_000;

/**
 * Holds what was found out about a header. It stands alone: where another header has a say too, the caller looks at
 * that one first.
 */
export class RecognisedCookies<Finding> {
  readonly #found = new ExpiringCache<Finding>(remembered, middleOf);

  /** What was found out about the cookies of a request, while it holds. */
  get(req: IncomingMessage): Finding | undefined {
    const text = req.headers.cookie;
    return text === undefined ? undefined : this.#found.get(text);
  }

  /** Remembers a finding until a time in seconds since 1970. */
  set(req: IncomingMessage, finding: Finding, exp: number): void {
    const text = req.headers.cookie;
    if (text === undefined || text.length > longest) return;
    this.#found.set(text, finding, Math.min(Date.now() + rememberedFor, exp * 1000));
  }
}
