/** The body of a response of Node.js in the form that costs least to send. */

import { ServerResponse } from 'node:http';

/** The part of a response that is used. */
export interface TextResponse {
  end(): unknown;
  end(bytes: Uint8Array): unknown;
  end(text: string, encoding: 'latin1' | 'utf8'): unknown;
}

/** The most characters that Node.js encodes on its way to the socket, without memory for them. */
const mostEncoded = 16_000;

/** A text as it is sent, with its length in bytes: short ASCII as it is, and bytes otherwise. */
export interface SentText {
  readonly content: Uint8Array | string;
  readonly length: number;
}

/** Short ASCII goes to the socket as one string with the headers. An `end` of the host or of HTTP/2 takes bytes. */
export function sentText(response: TextResponse, text: string): SentText {
  const length = Buffer.byteLength(text);
  const isShort = length === text.length && length <= mostEncoded;
  if (isShort && response.end === ServerResponse.prototype.end) return { content: text, length };
  return { content: Buffer.from(text), length };
}

/** Ends a response with a text. */
export function endWith(response: TextResponse, { content }: SentText): void {
  if (typeof content === 'string') response.end(content, 'latin1');
  else response.end(content);
}
