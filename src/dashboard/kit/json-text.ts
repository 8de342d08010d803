/** JSON as text: checked and laid out without being parsed to numbers, so that every digit stays. */

import { t } from '../i18n/index.ts';

/** Why a text is not JSON, with line and column; undefined if it is. */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? Number.NaN);
    if (Number.isNaN(position)) return t('json.invalid');
    const before = text.slice(0, position).split('\n');
    return t('json.invalidAt', { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
  }
}

/** A string, a bracket, a separator, or anything else between them. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The text with line breaks and indents; numbers and strings as they are written. */
export function layOut(text: string): string {
  const out: string[] = [];
  let depth = 0;
  let isOpened = false;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(tokens)) {
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
