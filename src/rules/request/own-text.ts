/** Copies texts that outlive their request. */

/**
 * A copy of the text. Engines represent a substring as a view of the whole string, so a cache of parameter names would
 * keep entire query strings alive.
 */
export function ownText(text: string): string {
  return ` ${text}`.slice(1);
}
