/** Answers where only the functions of the web exist; their ETags are equal to those of Node.js. */

import { type AnswerHeaders, isFresh } from '../endpoint/cache-headers.ts';

/** The bytes of an answer, whose headers it completes; undefined where the client has them already. */
export async function unknownBytes(
  request: Request,
  headers: AnswerHeaders,
  result: unknown,
  scoped: boolean,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify(result));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', bytes));
  const sum = btoa(String.fromCharCode(...digest)).slice(0, 27);
  const etag = `W/"${bytes.length.toString(16)}-${sum}"`;
  const { method, headers: sent } = request;
  const asked = { method, ifNoneMatch: sent.get('if-none-match') };
  return isFresh(headers, asked, etag, scoped) ? undefined : bytes;
}
