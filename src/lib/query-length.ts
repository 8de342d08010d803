/** The length of a query string that counts towards a limit. */

/** Longest cursor that a list gives out or reads, in characters. */
export const longestCursor = 262_144;

/**
 * The length of a query string without the value of its cursor, which the endpoint itself has made: a request that was
 * within a limit must also be so on its next page.
 */
export function queryLength(query: string): number {
  const [, cursor = ''] = /(?:^\??|&)cursor=([^&]*)/.exec(query) ?? [];
  return cursor.length > longestCursor ? query.length : query.length - cursor.length;
}
