/** Replaces the beginnings of long texts in a position by the texts that its row has. */

import { type KeysetPosition, type OrderTerm, textDigest } from '../../rules/index.ts';
import type { LongTexts } from '../compile/long-texts.ts';
import type { StatementInputs } from '../compile/sql-text.ts';
import type { Rows } from './executor.ts';

/** Sorts after every continuation of a text that a language uses. */
const lastText = '\u{10FFFF}';

/**
 * The values of a position, given the row with its key. If the row is gone or has another text, the page begins before
 * or after all texts with the same beginning: rows may be shown again, and none is skipped.
 */
export function wholePosition(
  { values, begins = [], direction }: KeysetPosition,
  order: readonly OrderTerm[],
  texts: LongTexts['texts'],
  [row]: Rows,
): StatementInputs['position'] {
  const whole = [...values];
  for (const [at, { index, digest }] of begins.entries()) {
    const column = texts[at];
    const text = row && column ? column.text(row[column.index]) : null;
    const isAscending = (order[index]?.direction === 'asc') === (direction === 'after');
    if (text !== null && textDigest(text) === digest) whole[index] = text;
    else if (!isAscending) whole[index] = `${String(values[index])}${lastText}`;
  }
  return whole;
}
