/** Limits how deep the JSON of clients is nested. */

/** Maximum nesting depth of JSON, because code that stores or serializes it may be recursive. */
const maxDepth = 500;

/** Whether objects and arrays are nested deeper than `maxDepth`. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
  }
  return false;
}
