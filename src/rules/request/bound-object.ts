/** Bounds a parsed object before its parameters are read, and refuses one that its parser may have cut off. */

import { longestCursor, queryLength } from '../../lib/index.ts';
import { maxParts } from './group-key.ts';
import { type LengthLimit, syntaxError, tooLong } from './request-error.ts';

/** `qs` and `node:querystring` ignore every parameter after this one, unless their options say otherwise. */
const parserLimit = 1000;

const mostOf = (limit: LengthLimit): number => Object.values(limit)[0] as number;

/**
 * Refuses a query string that is longer than the limit. Its cursor does not count.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID
 */
export function boundQuery(query: string, limit: LengthLimit): void {
  const most = mostOf(limit);
  if (query.length > most && queryLength(query) > most) throw tooLong(limit);
}

/**
 * Refuses an object whose text is longer than the longest query string, and one of exactly as many values as query
 * parsers read.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID
 */
export function boundObject(value: unknown, limit: LengthLimit): void {
  const cursor: unknown = Reflect.get(Object(value), 'cursor');
  const spared = typeof cursor === 'string' && cursor.length <= longestCursor ? cursor.length : 0;
  const maxLength = mostOf(limit) + spared;
  let left = maxLength;
  let values = 0;
  let written = 0;
  const spend = (length: number) => {
    left -= length;
    if (left < 0) throw tooLong(limit);
  };
  // No filter is nested deeper than its groups, path, operator and item; `qs` may add a level.
  const walk = (node: unknown, depth: number, nameLength: number) => {
    if (typeof node === 'object' && node !== null && depth <= maxParts + 4) {
      for (const [key, member] of Object.entries(node)) {
        spend(Array.isArray(node) ? 1 : key.length + 1);
        walk(member, depth + 1, Array.isArray(node) ? nameLength : nameLength + key.length);
      }
      return;
    }
    const length = typeof node === 'string' ? node.length : 1;
    spend(length);
    values += 1;
    // A name, an equals sign, a value and an ampersand, as the client must at least have written them.
    written += nameLength + length + 2;
  };
  walk(value, 0, 0);
  // A list that could not have been written in one query string comes from the host.
  if (values === parserLimit && written <= maxLength) {
    throw syntaxError(
      `The request has ${parserLimit} values, after which parsers of query strings ignore the rest; pass the raw query string.`,
    );
  }
}
