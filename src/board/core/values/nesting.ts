/** Limits the objects and lists in the JSON of clients, before it is parsed. */

/** Maximum nesting depth of JSON, because code that stores or serializes it may be recursive. */
const maxDepth = 500;

/** Maximum number of objects, lists and names together: each costs many times the bytes that write it. */
export const maxParts = 500_000;

/** The index behind the text that begins with the quote at `start`. */
export function behindText(text: string, start: number): number {
  for (let at = start + 1; ;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let before = quote - 1;
    while (text[before] === '\\') before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
    at = quote + 1;
  }
}

/** Characters of JSON outside of texts that open, close and name its parts. */
const [quote, colon, openList, closeList, openObject, closeObject] = [34, 58, 91, 93, 123, 125];

/** Whether a JSON text exceeds the limits. Reads no further than needed, and allocates nothing. */
export function exceedsLimits(text: string): boolean {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    at = code === quote ? behindText(text, at) : at + 1;
    if (code === openList || code === openObject) depth += 1;
    else if (code === closeList || code === closeObject) depth -= 1;
    if (code === openList || code === openObject || code === colon) parts += 1;
    if (depth > maxDepth || parts > maxParts) return true;
  }
  return false;
}

/** Whether a value that a parser of the host has made exceeds the limits. */
export function isTooLarge(value: unknown): boolean {
  let parts = 0;
  let level = [value].filter(isParent);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    const below: object[] = [];
    for (const parent of level) {
      const names = Array.isArray(parent) ? 0 : Object.keys(parent).length;
      parts += 1 + names;
      if (parts > maxParts) return true;
      for (const item of Array.isArray(parent) ? parent : Object.values(parent)) {
        if (isParent(item) && below.push(item) > maxParts) return true;
      }
    }
    level = below;
  }
  return false;
}

const isParent = (value: unknown): value is object => typeof value === 'object' && value !== null;
