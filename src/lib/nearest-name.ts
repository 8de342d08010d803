/** Suggests known names in place of one that does not exist. */

/** Names of other libraries, and ours of the same meaning; theirs in lower case, without separators. */
const meanings: readonly (readonly [elsewhere: string, ours: string])[] = [
  ['limit pagesize size take first top', 'perPage defaultPerPage'],
  ['defaultlimit defaultpagesize', 'defaultPerPage'],
  ['maxlimit maxpagesize', 'maxPerPage'],
  ['offset skip pagenumber', 'page'],
  ['order orderby sortby ordering', 'sort sorts'],
  ['q query term', 'search'],
  ['columns attributes', 'fields'],
  ['where filters', 'filter filters'],
  ['sortable', 'sorts'],
  ['after before pagetoken startingafter endingbefore', 'cursor'],
  ['with populate expand join joins relations', 'includes'],
  ['type strategy', 'mode'],
  ['field name property', 'path'],
  ['name columnname', 'column'],
  ['name tablename', 'table'],
  ['target entity', 'one'],
  ['equals equal is', 'eq'],
  ['neq not notequals', 'ne'],
  ['contains includes substring', 'ilike like'],
  ['beginswith startswith', 'startsWith like'],
  ['endswith', 'endsWith like'],
  ['nin', 'notIn'],
  ['null isnotnull exists', 'isNull'],
];

/** The most names in one message. */
const mostNames = 16;

/**
 * The name that was probably meant: one of the same meaning; the nearest by edit distance, ignoring case, if at least
 * two thirds of its characters are equal; or the only one that shares most of its words, as `maxPerPage` does with
 * `maxPageRows`. `undefined` if there is none.
 */
export function nearestName(misspelt: string, names: Iterable<string>): string | undefined {
  const known = [...names];
  return (
    sameMeaning(misspelt, known) ??
    nearestSpelling(misspelt, known) ??
    nearestWords(misspelt, known)
  );
}

/** The names that exist as `a, b, c`, the nearest first; the first sixteen of them. */
export function knownNames(misspelt: string, names: Iterable<string>): string {
  const known = [...names];
  const near = nearestName(misspelt, known);
  const listed = near === undefined ? known : [near, ...known.filter((name) => name !== near)];
  const more = listed.length > mostNames ? ', ...' : '';
  return listed.length === 0 ? 'none' : `${listed.slice(0, mostNames).join(', ')}${more}`;
}

function sameMeaning(misspelt: string, names: readonly string[]): string | undefined {
  const plain = misspelt.replaceAll(/[-_]/g, '').toLowerCase();
  return meanings
    .flatMap(([elsewhere, ours]) => (elsewhere.split(' ').includes(plain) ? ours.split(' ') : []))
    .find((name) => names.includes(name));
}

function nearestSpelling(misspelt: string, names: readonly string[]): string | undefined {
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

function nearestWords(misspelt: string, names: readonly string[]): string | undefined {
  const words = wordsOf(misspelt);
  const shared = names.map((name) => {
    const own = wordsOf(name);
    return own.filter((word) => words.includes(word)).length / Math.max(own.length, words.length);
  });
  const most = Math.max(...shared);
  const best = names.filter((_name, index) => shared[index] === most);
  return most > 0.5 && best.length === 1 ? best[0] : undefined;
}

function wordsOf(name: string): readonly string[] {
  const words = name.split(/[-_.]|(?<=[a-z0-9])(?=[A-Z])/).filter((word) => word !== '');
  return [...new Set(words.map((word) => word.toLowerCase()))];
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
