/** The conditions of a filter as text that all have to hold, as they are written. */

import { tokensOf } from '../../rules/client/index.ts';

/** The parts of a text that has no error; the whole text where one of several conditions is enough. */
export function conjunctsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, from, isRange] = [0, 0, false];
  for (const { type, value, start, end } of tokensOf(text)) {
    const word = type === 'quoted' ? '' : value.toLowerCase();
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    if (depth > 0) continue;
    if (word === 'or') return [text.trim()];
    if (word === 'between') isRange = true;
    if (word !== 'and') continue;
    if (!isRange) {
      parts.push(text.slice(from, start).trim());
      from = end;
    }
    isRange = false;
  }
  return [...parts, text.slice(from).trim()];
}
