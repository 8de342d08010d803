/** Replaces the beginnings of long texts in a position by the texts that its row has. */

import {
  type KeysetPosition,
  type OrderTerm,
  cursorInvalid,
  textDigest,
} from '../../rules/index.ts';
import { QueryError } from '../../schema/index.ts';
import type { LongTexts } from '../compile/values/long-texts.ts';
import type { StatementInputs } from '../compile/sql-text.ts';
import type { Rows } from './executor.ts';

/** Sorts after every continuation of a text that a language uses. */
const lastText = '\u{10FFFF}';

/** Number of pages that may begin anew at one beginning: a walk whose rows change at every page must end. */
const maxRestarts = 100;

interface Whole {
  readonly position: StatementInputs['position'];
  /** Whether the page begins before or after all texts with the same beginning. */
  readonly isRestarted: boolean;
}

const tooLong = (path: string, maxBytes: number): QueryError =>
  new QueryError(
    'CAPABILITY_UNAVAILABLE',
    `"${path}": a page cannot begin at texts of more than ${maxBytes} bytes; sort by a shorter column.`,
    { path },
  );

/**
 * The values of a position, given the row with its key. If the row is gone or has another text, the page begins before
 * or after all texts with the same beginning: rows may be shown again, and none is skipped.
 *
 * @throws {QueryError} CAPABILITY_UNAVAILABLE when the texts have more bytes than a statement can hold, CURSOR_INVALID
 * when the walk has begun anew too often
 */
export function wholePosition(
  { values, begins = [], direction, isForgeable }: KeysetPosition,
  order: readonly OrderTerm[],
  texts: LongTexts['texts'],
  [row]: Rows,
  maxBytes: number,
): Whole {
  const whole = [...values];
  let isRestarted = false;
  let bytes = 0;
  for (const [at, { index, digest, restarts = 0 }] of begins.entries()) {
    const column = texts[at];
    const text = row && column ? column.text(row[column.index]) : null;
    const isAscending = (order[index]?.direction === 'asc') === (direction === 'after');
    bytes += text === null ? 0 : Buffer.byteLength(text);
    if (bytes > maxBytes) throw tooLong(order[index]?.path ?? '', maxBytes);
    if (text !== null && textDigest(text, isForgeable) === digest) {
      whole[index] = text;
      continue;
    }
    if (restarts >= maxRestarts) throw cursorInvalid();
    isRestarted = true;
    if (!isAscending) whole[index] = `${String(values[index])}${lastText}`;
  }
  return { position: whole, isRestarted };
}
