/** The values in a JSON text by their paths, as they are written: jobs may differ in a digit that no number has. */

/** Values of a part that are compared at most; the parts beyond them are one value. */
const mostPaths = 200;

/** Strings and numbers. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** A number while it is a string with a mark before it. */
const marked = /"\\u0000(-?\d[^"]*)"/g;

const stepTo = (name: string): string =>
  /^[^.[\]"]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;

export function valuesOf(part: string, text: string | undefined): [string, string][] {
  if (text === undefined) return [];
  const found: [string, string][] = [];
  const walk = (path: string, value: unknown): void => {
    const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    if (inner.length === 0 || found.length + inner.length > mostPaths) {
      found.push([path, JSON.stringify(value).replaceAll(marked, '$1')]);
    } else for (const [name, member] of inner) walk(path + stepTo(name), member);
  };
  try {
    const kept = text.replaceAll(tokens, (token) =>
      token.startsWith('"') ? token : `"\\u0000${token}"`,
    );
    walk(part, JSON.parse(kept));
  } catch {
    found.push([part, text]);
  }
  return found;
}
