/** Ends a response of Node.js with a text, in one write together with its headers where that changes no byte. */

/** The part of a response that is used. */
export interface TextResponse {
  readonly statusMessage?: string | undefined;
  getHeaderNames(): string[];
  getHeader(name: string): unknown;
  end(): unknown;
  end(bytes: Uint8Array): unknown;
  end(text: string, encoding: 'latin1' | 'utf8'): unknown;
}

const isAscii = (text: unknown): boolean => /^[\0-\x7f]*$/.test(String(text));

/** Whether headers are the same bytes in every encoding. */
function hasAsciiHeaders(response: TextResponse): boolean {
  return (
    isAscii(response.statusMessage ?? '') &&
    response.getHeaderNames().every((name) => isAscii(response.getHeader(name)))
  );
}

/**
 * Ends a response with a text of so many bytes. Node.js encodes headers and text as one string, which costs less than two
 * buffers. A host's own `end` takes bytes.
 */
export function endWithText(response: TextResponse, text: string, length: number): void {
  if (Object.hasOwn(response, 'end')) response.end(Buffer.from(text));
  else if (length === text.length) response.end(text, 'latin1');
  else if (hasAsciiHeaders(response)) response.end(text, 'utf8');
  else response.end(Buffer.from(text));
}
