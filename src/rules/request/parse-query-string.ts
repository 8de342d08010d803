/** Parses a raw query string into a request, in one pass and within limits. */

import { badEncoding, decodeText } from './decode-text.ts';
import type { RequestBuilder } from './request-builder.ts';

/** Adds every parameter of the query string, with or without its `?`, to the builder. */
export function parseQueryString(query: string, builder: RequestBuilder): void {
  let start = query.charCodeAt(0) === 63 ? 1 : 0;
  const end = query.length;
  const decode = /[%+]/.test(query) ? decodeText : String;
  while (start < end) {
    let stop = query.indexOf('&', start);
    if (stop < 0) stop = end;
    if (stop > start) addPair(query.slice(start, stop), decode, builder);
    start = stop + 1;
  }
}

function addPair(pair: string, decode: typeof decodeText, builder: RequestBuilder) {
  const equals = pair.indexOf('=');
  const key = decode(equals < 0 ? pair : pair.slice(0, equals));
  if (key === null) return builder.fail(badEncoding);
  const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
  const understood = builder.keyOf(key);
  // The key is checked first: an unknown parameter is refused even when its value is malformed.
  if (value === null && understood.type !== 'unknown') return builder.fail(badEncoding);
  builder.add(understood, value);
}
