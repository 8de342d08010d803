/** Reads an error through all of its wrappers: causes, and the members of an AggregateError. */

/** Largest number of errors read; more than any driver nests. */
const maxErrors = 32;

/** The error, its causes, and the members of every AggregateError among them; outermost first, each once. */
export function errorCauses(error: unknown): readonly Error[] {
  const found = new Set<Error>();
  const queue: unknown[] = [error];
  while (queue.length > 0 && found.size < maxErrors) {
    const next = queue.shift();
    if (!(next instanceof Error) || found.has(next)) continue;
    found.add(next);
    queue.push(next.cause);
    if (next instanceof AggregateError) queue.push(...next.errors);
  }
  return [...found];
}

/** The `code` of one error as a string; `undefined` where it has none. */
export function codeOf(error: Error): string | undefined {
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : undefined;
}
