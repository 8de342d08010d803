/** Parses a raw query string into a request, in one pass and within limits. */

import type { QueryError } from '../../schema/index.ts';
import type { RequestBuilder } from './request-builder.ts';
import { syntaxError } from './request-error.ts';
import { requestKey } from './request-key.ts';

const badEncoding = (): QueryError =>
  syntaxError('The query string is not validly percent-encoded.');

/** Decodes `+` and percent sequences; `null` when they are malformed or not UTF-8. */
function decode(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}

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
  const key = decode(equals < 0 ? pair : pair.slice(0, equals));
  if (key === null) return builder.fail(badEncoding);
  const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
  const understood = requestKey(key);
  // The key is checked first: an unknown parameter is refused even when its value is malformed.
  if (value === null && understood.type !== 'unknown') return builder.fail(badEncoding);
  builder.add(understood, value);
}
