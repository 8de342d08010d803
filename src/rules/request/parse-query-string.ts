/** Parses a raw query string into a request, in one pass and within limits. */

import { badEncoding, decodeText } from './decode-text.ts';
import type { RequestBuilder } from './request-builder.ts';
import { requestKey } from './request-key.ts';

/** Adds every parameter of the query string, with or without its `?`, to the builder. */
export function parseQueryString(query: string, builder: RequestBuilder): void {
  let start = query.charCodeAt(0) === 63 ? 1 : 0;
  const end = query.length;
  while (start < end) {
    let stop = query.indexOf('&', start);
    if (stop < 0) stop = end;
    if (stop > start) addPair(query, start, stop, builder);
    start = stop + 1;
  }
}

function addPair(query: string, start: number, stop: number, builder: RequestBuilder) {
  const pair = query.slice(start, stop);
  const equals = pair.indexOf('=');
  const key = decodeText(equals < 0 ? pair : pair.slice(0, equals));
  if (key === null) return builder.fail(badEncoding);
  const value = equals < 0 ? '' : decodeText(pair.slice(equals + 1));
  const understood = requestKey(key);
  // The key is checked first: an unknown parameter is refused even when its value is malformed.
  if (value === null && understood.type !== 'unknown') return builder.fail(badEncoding);
  builder.add(understood, value);
}
