/** JSON as text, laid out without being parsed to numbers, so that every digit stays. */

/** A string, a bracket, a separator, or anything else between them. */
export const jsonTokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The text with line breaks and indents; numbers and strings as they are written. */
export function layOut(text: string): string {
  const out: string[] = [];
  let depth = 0;
  let isOpened = false;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(jsonTokens)) {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    // An empty object or array stays on its line.
    if (closes !== isOpened) out.push(line());
    isOpened = token === '{' || token === '[';
    if (isOpened) depth += 1;
    out.push(token === ',' ? token + line() : token === ':' ? ': ' : token);
  }
  return out.join('');
}
