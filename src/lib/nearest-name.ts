/** Suggests the closest known name for a misspelt one. */

/**
 * The name nearest to a misspelt one by edit distance, ignoring case; `undefined` where a third or more of its
 * characters differ.
 */
export function nearestName(misspelt: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = Infinity;
  for (const name of names) {
    const distance = editDistance(misspelt.toLowerCase(), name.toLowerCase());
    if (distance >= least || distance * 3 > Math.max(misspelt.length, name.length)) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}

/** Insertions, deletions, substitutions and transpositions of neighbours that turn one string into the other. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let least = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) least = Math.min(least, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(least);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
