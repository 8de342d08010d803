/** Names in a registry from names in a database. */

/** How names are taken over. */
export type Naming = 'camelCase' | 'as-is';

/** Gives each name its place among those given before: a number follows where the name is taken. */
export function namesOf(naming: Naming, taken: Set<string> = new Set()): (name: string) => string {
  return (name) => {
    const base = nameOf(name, naming);
    let free = base;
    for (let number = 2; taken.has(free); number += 1) free = `${base}${number}`;
    taken.add(free);
    return free;
  };
}

/** A name in the grammar of paths: letters, digits and underscores, no digit first. */
export function nameOf(name: string, naming: Naming): string {
  const safe = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=[0-9]|$)/, '_');
  if (naming === 'as-is') return safe;
  const [lead = ''] = /^_*/.exec(safe) ?? [];
  const words = safe
    .slice(lead.length)
    .split(/_+/)
    .filter((word) => word !== '');
  // A name without a small letter is written in capitals throughout.
  const isLoud = !/[a-z]/.test(safe);
  return (
    lead +
    words
      .map((word) => (isLoud ? word.toLowerCase() : word))
      .map(
        (word, at) => (at === 0 ? word[0]?.toLowerCase() : word[0]?.toUpperCase()) + word.slice(1),
      )
      .join('')
  );
}

/** A name made of two: `employees` and `manager` give `employeesByManager`, or `employees_by_manager`. */
export function joinNames(first: string, between: string, second: string, naming: Naming): string {
  if (naming === 'as-is') return [first, between, second].filter(Boolean).join('_').toLowerCase();
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return first + capital(between) + capital(second);
}
