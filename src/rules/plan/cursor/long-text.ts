/**
 * Long texts in cursors: only their beginnings and digests are written. A source looks up the whole text by the key of
 * the row, and the digest tells whether it is still the same.
 */

import type { CompiledQueryRules } from '../../declare/compiled.ts';
import { cursorInvalid } from '../../request/request-error.ts';
import { type Beginning, type CursorValue, kindOf, readableValue } from './cursor-value.ts';
import type { KeysetPosition, OrderTerm } from '../plan.ts';
import { nodeCrypto } from './sealed-cursor.ts';
import { textHash } from './text-hash.ts';

/** Length of the longest text that a cursor contains, in UTF-16 code units. */
const maxText = 1000;

/**
 * Whether a long text of the term is looked up by the key of its row; the key itself is always complete. A readable
 * cursor finds rows of the request only, since a client could name others.
 */
function isLookedUp(term: OrderTerm, { schema }: CompiledQueryRules): boolean {
  const isKey = term.target.hops.length === 0 && schema.primaryKey.includes(term.path);
  return !isKey && kindOf(term).textual;
}

/** The beginning of a long text, with the number of pages that began anew only where there are any. */
const withRestarts = (text: string, digest: string, restarts = 0): Beginning =>
  restarts > 0 ? [text, digest, restarts] : [text, digest];

/**
 * The digest of a text: 128 bits of its SHA-256, as texts that sealed cursors leave out have digests alone. A forgeable
 * position has a hash that every runtime computes, which tells only whether the text has changed.
 */
export function textDigest(text: string, isForgeable = false): string {
  if (isForgeable) return textHash(text);
  const hash = nodeCrypto().createHash('sha256').update(text);
  return hash.digest().subarray(0, 16).toString('base64url');
}

/**
 * The values of a cursor. Long texts are replaced by their beginnings, so that the cursor fits in a request. `from` is the
 * position of the page, and `isRestarted` tells whether the page began before all texts with its beginnings.
 */
export function cursorValues(
  rules: CompiledQueryRules,
  order: readonly OrderTerm[],
  values: readonly (string | null)[],
  from?: KeysetPosition | null,
  isRestarted = false,
): CursorValue[] {
  // A character takes up to eight characters of a cursor, which may take half of a request.
  const room = rules.limits.maxQueryLength / 16 / order.length;
  const longest = Math.max(1, Math.floor(Math.min(maxText, room)));
  return values.map((value, index): CursorValue => {
    const term = order[index];
    if (value === null || !term) return value;
    const { isSealed } = rules.cursors;
    if (value.length <= longest || !isLookedUp(term, rules)) {
      return isSealed ? value : readableValue(term, value);
    }
    const text = value.slice(0, longest);
    // Half of a surrogate pair is not text.
    const beginning = text.isWellFormed() ? text : value.slice(0, longest + 1);
    const before = from?.values[index] === beginning ? from.begins : undefined;
    const restarts =
      (before?.find((each) => each.index === index)?.restarts ?? 0) +
      (before && isRestarted ? 1 : 0);
    return withRestarts(beginning, textDigest(value, !isSealed), restarts);
  });
}

/** The values of a position as a cursor contains them. */
export function positionValues(
  { cursors }: CompiledQueryRules,
  order: readonly OrderTerm[],
  { values, begins }: KeysetPosition,
): CursorValue[] {
  return values.map((value, index) => {
    if (value === null) return null;
    const long = begins?.find((each) => each.index === index);
    if (long) return withRestarts(String(value), long.digest, long.restarts);
    const term = order[index];
    return term && !cursors.isSealed ? readableValue(term, value) : String(value);
  });
}

/**
 * The beginning and digest of a long text; `undefined` for other values.
 *
 * @throws {QueryError} CURSOR_INVALID when the term's values are complete
 */
export function beginningOf(
  rules: CompiledQueryRules,
  term: OrderTerm,
  value: unknown,
): Beginning | undefined {
  if (!Array.isArray(value) || value.length === 1) return undefined;
  const [text, digest, restarts = 0] = value as readonly unknown[];
  const isText = typeof text === 'string' && text !== '' && typeof digest === 'string';
  if (!isText || !isLookedUp(term, rules)) throw cursorInvalid();
  if (!Number.isSafeInteger(restarts) || Number(restarts) < 0) throw cursorInvalid();
  return withRestarts(text, digest, Number(restarts));
}
