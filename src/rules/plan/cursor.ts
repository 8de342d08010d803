/** Keyset cursors: opaque, versioned, and bound to endpoint, order and filters. */

import { kindRow } from '../../schema/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { KeysetPosition, OrderTerm, PlanValue, ResolvedPredicate } from './plan.ts';
import { cursorInvalid } from '../request/request-error.ts';
import { textHash } from './text-hash.ts';

const version = '1';
const directions = { after: 'a', before: 'b' } as const;

/** A hash of endpoint, order and filters, to which cursors are bound. Filters count in any order. */
export function cursorBinding(
  rules: CompiledQueryRules,
  order: readonly OrderTerm[],
  conditions: readonly ResolvedPredicate[],
): string {
  let text = rules.fingerprint;
  for (const term of order) text += `|${term.direction}${term.path}`;
  const parts = conditions.map((condition) => JSON.stringify(condition));
  return textHash(`${text}|${parts.length > 1 ? parts.sort().join() : (parts[0] ?? '')}`);
}

const beyondAscii = /[\u0080-\uffff]/;

/** Base 64 takes bytes; text beyond ASCII goes through UTF-8. */
function toBase64Url(text: string): string {
  let bytes = text;
  if (beyondAscii.test(text)) {
    bytes = '';
    for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  }
  const base64 = btoa(bytes).replaceAll('+', '-').replaceAll('/', '_');
  const padding = base64.indexOf('=');
  return padding < 0 ? base64 : base64.slice(0, padding);
}

function fromBase64Url(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  if (!beyondAscii.test(bytes)) return bytes;
  const units = Uint8Array.from(bytes, (char) => char.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(units);
}

/** The cursor of a row: `values` are the texts of its order terms. */
export function encodeCursor(
  binding: string,
  direction: 'after' | 'before',
  inclusive: boolean,
  values: readonly (PlanValue | null)[],
): string {
  const body = `${directions[direction]}${inclusive ? '=' : ''}${JSON.stringify(values)}`;
  return toBase64Url(`${version}${textHash(`${binding}\n${body}`)}.${body}`);
}

/**
 * The position a cursor stands for.
 *
 * @throws {QueryError} CURSOR_INVALID when this endpoint did not make the cursor for this sort and these filters.
 */
export function decodeCursor(
  cursor: string,
  binding: string,
  order: readonly OrderTerm[],
): KeysetPosition {
  try {
    const text = fromBase64Url(cursor);
    const dot = text.indexOf('.');
    const body = text.slice(dot + 1);
    if (dot < 0 || text.slice(0, dot) !== version + textHash(`${binding}\n${body}`)) {
      throw cursorInvalid();
    }
    const inclusive = body.startsWith('=', 1);
    const direction = body.startsWith('a') ? 'after' : 'before';
    const values: unknown = JSON.parse(body.slice(inclusive ? 2 : 1));
    if (!Array.isArray(values) || values.length !== order.length) throw cursorInvalid();
    const checked = order.map((term, index) => orderValue(term, values[index]));
    return Object.freeze({ direction, inclusive, values: Object.freeze(checked) });
  } catch {
    throw cursorInvalid();
  }
}

/** The hash keeps no secrets, so every value is checked as a filter's would be. */
function orderValue({ target }: OrderTerm, value: unknown): PlanValue | null {
  const { field } = target;
  if (!field) throw cursorInvalid();
  // Null where no row has null would be compared by each family in its own way.
  if (value === null && (field.nullable || target.hops.some((hop) => hop.nullable))) return null;
  if (typeof value !== 'string') throw cursorInvalid();
  const coerced = field.portableOrderField
    ? kindRow('string').coerce(value)
    : kindRow(field.kind).coerce(value);
  const known =
    field.kind !== 'enum' || field.portableOrderField || field.enumValues?.includes(value);
  if (coerced === undefined || !known) throw cursorInvalid();
  return coerced;
}
