/** Splits comma-separated lists: double quotes quote, a backslash escapes the next character. */

import { syntaxError } from './request-error.ts';

/**
 * The items of a comma-separated list. The empty text is the empty list.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID when a quote is not closed or a backslash ends the text.
 */
export function splitList(text: string, param: string): string[] {
  if (text === '') return [];
  if (!text.includes('"') && !text.includes('\\')) return text.split(',');
  const items: string[] = [];
  let item = '';
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] as string;
    if (char === '\\') {
      index += 1;
      if (index === text.length)
        throw syntaxError('A list ends with an unescaped backslash.', { param });
      item += text[index];
    } else if (char === '"') {
      quoted = !quoted;
    } else if (char === ',' && !quoted) {
      items.push(item);
      item = '';
    } else {
      item += char;
    }
  }
  if (quoted) throw syntaxError('A list has an unclosed quote.', { param });
  items.push(item);
  return items;
}
