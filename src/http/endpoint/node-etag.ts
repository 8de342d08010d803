/** ETags of JSON on Node.js, equal to those that Express makes by default. */

import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ConditionalRequest } from './cache-headers.ts';
import type { SentText } from './sent-text.ts';

/** A weak ETag. */
export const weakEtag = ({ content, length }: SentText): string =>
  `W/"${length.toString(16)}-${hash('sha1', content, 'base64').slice(0, 27)}"`;

/** The weak ETag of a value that the framework writes, behind functions of the host; undefined where JSON cannot hold it. */
export function etagOfJson(value: unknown): string | undefined {
  try {
    const text = JSON.stringify(value);
    return weakEtag({ content: text, length: Buffer.byteLength(text) });
  } catch {
    return undefined;
  }
}

/** The validators of a request of Node.js. */
export function askedBy(request: object): ConditionalRequest {
  const { method, headers } = request as Partial<IncomingMessage>;
  return { method, ifNoneMatch: headers?.['if-none-match'] };
}
