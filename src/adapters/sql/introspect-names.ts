/** Converts names in a database to names in a registry. */

/** How database names are converted: to camel case, or unchanged. */
export type Naming = 'camelCase' | 'as-is';

/** Makes each name unique by appending a number where the name is already taken. */
export function namesOf(naming: Naming, taken: Set<string> = new Set()): (name: string) => string {
  return (name) => {
    const base = nameOf(name, naming);
    let free = base;
    for (let number = 2; taken.has(free); number += 1) free = `${base}${number}`;
    taken.add(free);
    return free;
  };
}

/** Letters that are not another one with an accent, each before what it is written as. */
const letters = new Map(
  'ßss ẞSs æae ÆAe œoe ŒOe øo ØO łl ŁL đd ĐD ðd ÐD þth ÞTh ıi'
    .split(' ')
    .map((each) => [each.charAt(0), each.slice(1)]),
);

/** The name in letters of ASCII: without accents, and with the code points of letters of other scripts. */
const inAscii = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll(
      /(?!\p{ASCII})[\p{L}\p{M}\p{N}]/gu,
      (letter) => letters.get(letter) ?? `u${letter.codePointAt(0)?.toString(16)}`,
    );

/** A name that is valid in a path: letters, digits and underscores, without a leading digit, and not `__proto__`. */
export function nameOf(name: string, naming: Naming): string {
  const safe = inAscii(name)
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^(?=[0-9]|$)/, '_');
  if (naming === 'as-is') return safe === '__proto__' ? '__proto' : safe;
  const [lead = ''] = /^_*/.exec(safe) ?? [];
  const words = safe.split('_').filter((word) => word !== '');
  // A name without lower-case letters is written in upper case throughout.
  const isLoud = !/\p{Ll}/u.test(name);
  return (
    lead +
    words
      .map((word) => (isLoud ? word.toLowerCase() : word))
      .map((word, at) => {
        const first = word.charAt(0);
        return (at === 0 ? first.toLowerCase() : first.toUpperCase()) + word.slice(1);
      })
      .join('')
  );
}

/** A name composed of two: `employees` and `manager` give `employeesByManager`, or `employees_by_manager`. */
export function joinNames(first: string, between: string, second: string, naming: Naming): string {
  if (naming === 'as-is') return [first, between, second].filter(Boolean).join('_').toLowerCase();
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return first + capital(between) + capital(second);
}
