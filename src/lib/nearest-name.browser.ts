/** Stands for the suggestion of names in the build for browsers, which only lists the names. */

/** No suggestion. */
export function nearestName(): undefined {
  return undefined;
}

/** The names that exist, as `a, b, c`. */
export function knownNames(_misspelt: string, names: Iterable<string>): string {
  return [...names].join(', ');
}
