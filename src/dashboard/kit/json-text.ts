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

/** The text with line breaks and indents; numbers and strings as they are written. */
export function layOut(text: string): string {
  let depth = 0;
  let out = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '{' || token === '[') {
      depth += 1;
      out += token + line();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      // An empty object or array stays on its line.
      out = /[{[]\s*$/.test(out) ? out.trimEnd() + token : out + line() + token;
    } else if (token === ',') out += token + line();
    else if (token === ':') out += ': ';
    else out += token;
  }
  return out;
}
