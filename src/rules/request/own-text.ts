/** Texts that outlive their request. */

/**
 * The text in memory of its own. An engine makes a piece of a text a view of the whole, so that a cache of parameter
 * names would keep the query strings that they came in.
 */
export function ownText(text: string): string {
  return ` ${text}`.slice(1);
}
