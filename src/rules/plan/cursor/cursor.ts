/** Keyset cursors: the position of a row, bound to the endpoint, the order, the filters and the scope of the host. */

import type { CompiledQueryRules } from '../../declare/compiled.ts';
import {
  type CursorValue,
  type StoredPosition,
  checkedValue,
  readableValue,
  storedValue,
} from './cursor-value.ts';
import { longestCursor } from '../../../lib/index.ts';
import { QueryError } from '../../../schema/index.ts';
import { beginningOf } from './long-text.ts';
import type { KeysetPosition, OrderTerm, ResolvedPredicate, TextBeginning } from '../plan.ts';
import { cursorInvalid } from '../../request/request-error.ts';

const directions = { after: 'a', before: 'b' } as const;

/** The binding of a request's cursors. The order of the filters does not matter. */
export function cursorBinding(
  rules: CompiledQueryRules,
  order: readonly OrderTerm[],
  conditions: readonly ResolvedPredicate[],
  scope: string | object | undefined,
): string {
  let text = rules.fingerprint;
  for (const term of order) text += `|${term.direction}${term.path}`;
  const parts = conditions.map((condition) => JSON.stringify(condition));
  text += `|${parts.length > 1 ? parts.sort().join() : (parts[0] ?? '')}`;
  // Unambiguous: no condition ends in a line feed and JSON.
  if (scope !== undefined) text += `\n${JSON.stringify(scope)}`;
  return rules.cursors.binding(text);
}

/** The cursor of a row; `values` are the values of its order terms as strings. */
export function encodeCursor(
  { cursors }: Pick<CompiledQueryRules, 'cursors'>,
  binding: string,
  direction: 'after' | 'before',
  inclusive: boolean,
  values: readonly CursorValue[],
): string {
  const body = `${directions[direction]}${inclusive ? '=' : ''}${JSON.stringify(values)}`;
  const cursor = cursors.write(body, binding);
  if (cursor.length <= longestCursor) return cursor;
  throw new QueryError(
    'CAPABILITY_UNAVAILABLE',
    `A cursor of ${longestCursor} characters cannot hold the key of a row; list pages by offset.`,
  );
}

/**
 * The position that a cursor encodes.
 *
 * @throws {QueryError} CURSOR_INVALID when the cursor was not created by this endpoint for this order, these
 * filters and this scope
 */
export function decodeCursor(
  rules: CompiledQueryRules,
  cursor: string,
  binding: string,
  order: readonly OrderTerm[],
  stored?: StoredPosition,
): KeysetPosition {
  const { cursors } = rules;
  const body = cursors.read(cursor, binding);
  if (body === null) throw cursorInvalid();
  const inclusive = body.startsWith('=', 1);
  const direction = body.startsWith('a') ? 'after' : 'before';
  const values = valuesOf(body.slice(inclusive ? 2 : 1));
  if (values?.length !== order.length) throw cursorInvalid();
  const begins: TextBeginning[] = [];
  const read = order.map((term, index) => {
    const long = beginningOf(rules, term, values[index]);
    if (long) begins.push({ index, digest: long[1], restarts: long[2] ?? 0 });
    if (cursors.isSealed) return storedValue(term, long ? long[0] : values[index]);
    const value = long ? readableValue(term, long[0]) : values[index];
    return checkedValue(rules, term, value, stored);
  });
  return Object.freeze({
    direction,
    inclusive,
    values: Object.freeze(read),
    ...(begins[0] !== undefined && { begins, ...(!cursors.isSealed && { isForgeable: true }) }),
  });
}

function valuesOf(json: string): readonly unknown[] | null {
  try {
    const values: unknown = JSON.parse(json);
    return Array.isArray(values) ? values : null;
  } catch {
    return null;
  }
}
