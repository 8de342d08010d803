/** Long texts in cursors: only their beginnings are written, and a source looks up the rest by the key of the row. */

import type { CompiledQueryRules } from '../declare/compiled.ts';
import { cursorInvalid } from '../request/request-error.ts';
import { type CursorValue, kindOf } from './cursor-value.ts';
import type { KeysetPosition, OrderTerm } from './plan.ts';

/** Length of the longest text that a cursor contains, in UTF-16 code units. */
const maxText = 1000;

/**
 * Whether a long text of the term is looked up by the key of its row; the key itself is always complete. Without keys, a
 * client could look up rows that it may not see.
 */
function isLookedUp(term: OrderTerm, { schema, cursors }: CompiledQueryRules): boolean {
  const isKey = term.target.hops.length === 0 && schema.primaryKey.includes(term.path);
  return cursors.isSealed && !isKey && kindOf(term).textual;
}

/**
 * The values of a cursor. Long texts are replaced by their beginnings, so that the cursor fits in a request; a source
 * looks up the rest by the key.
 */
export function cursorValues(
  rules: CompiledQueryRules,
  order: readonly OrderTerm[],
  values: readonly (string | null)[],
): CursorValue[] {
  // A character takes up to eight characters of a cursor, which may take half of a request.
  const room = rules.limits.maxQueryLength / 16 / order.length;
  const longest = Math.max(1, Math.floor(Math.min(maxText, room)));
  return values.map((value, index): CursorValue => {
    const term = order[index];
    if (value === null || !term || value.length <= longest) return value;
    if (!isLookedUp(term, rules)) return value;
    const text = value.slice(0, longest);
    // Half of a surrogate pair is not text.
    return [text.isWellFormed() ? text : value.slice(0, longest + 1)];
  });
}

/** The values of a position as a cursor contains them. */
export function positionValues({ values, begins }: KeysetPosition): CursorValue[] {
  return values.map((value, index) => {
    if (value === null) return null;
    return begins?.includes(index) ? [String(value)] : String(value);
  });
}

/**
 * The beginning of a long text; `undefined` for other values.
 *
 * @throws {QueryError} CURSOR_INVALID when the term's values are complete
 */
export function beginningOf(
  rules: CompiledQueryRules,
  term: OrderTerm,
  value: unknown,
): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const [text] = value as readonly unknown[];
  if (typeof text !== 'string' || text === '' || !isLookedUp(term, rules)) throw cursorInvalid();
  return text;
}
