/** The values of cursors: how they are written, and how they are read and checked. */

import { fieldKindRow, kindRow } from '../../../schema/index.ts';
import type { CompiledQueryRules } from '../../declare/compiled.ts';
import { cursorInvalid } from '../../request/request-error.ts';
import type { OrderTerm, PlanValue } from '../plan.ts';

/** A source's check of cursors that contain stored values; see `QuerySource`. */
export type StoredPosition = (
  term: OrderTerm,
  rules: CompiledQueryRules,
  isMarked: boolean,
) => ((text: string) => PlanValue | undefined) | undefined;

/**
 * The beginning of a long text with the digest of the whole, and the number of pages that have begun before all texts with
 * this beginning.
 */
export type Beginning = readonly [beginning: string, digest: string, restarts?: number];

/**
 * A value of a cursor: text, null, the beginning of a long text, or in readable cursors the mark of a stored value that no
 * request can contain.
 */
export type CursorValue = PlanValue | null | Beginning | readonly [stored: string];

/** The kind of the column that the term orders by. */
export const kindOf = ({ target: { field } }: OrderTerm) =>
  field && !field.portableOrderField ? fieldKindRow(field) : kindRow('string');

/** Reads a text as a value of the ordered field: of its kind, and of an enum one of the declared members. */
function valueOf(term: OrderTerm, text: string): PlanValue | undefined {
  const { kind, coerce } = kindOf(term);
  const members = kind === 'enum' ? term.target.field?.enumValues : undefined;
  return members?.includes(text) === false ? undefined : coerce(text);
}

/** The value as a readable cursor contains it: marked where it is not a value of the field. */
export function readableValue(term: OrderTerm, value: PlanValue): CursorValue {
  const text = String(value);
  return valueOf(term, text) === undefined ? [text] : text;
}

/** A value of a sealed cursor. Stored text that is not a value of the kind, such as `infinity`, is kept unchanged. */
export function storedValue(term: OrderTerm, value: unknown): PlanValue | null {
  if (value === null) return null;
  const coerced = kindOf(term).coerce(String(value));
  return String(coerced) === value ? (coerced ?? value) : String(value);
}

/**
 * A value of a readable cursor. Clients can forge such cursors, so it is validated like a value of a filter.
 *
 * @throws {QueryError} CURSOR_INVALID when no row has the value
 */
export function checkedValue(
  rules: CompiledQueryRules,
  term: OrderTerm,
  value: unknown,
  stored: StoredPosition | undefined,
): PlanValue | null {
  const { path, field } = term.target;
  if (!field) throw cursorInvalid();
  // Companions may not be filled yet, and SQLite stores null in keys. In other columns, database families differ in the
  // comparison with a null that no row contains.
  const isKey = rules.schema.primaryKey.includes(path);
  const nullable = field.nullable || field.portableOrderField !== undefined || isKey;
  if (value === null && nullable) return null;
  const isMarked = Array.isArray(value) && value.length === 1;
  const text: unknown = isMarked ? (value as readonly unknown[])[0] : value;
  if (typeof text !== 'string') throw cursorInvalid();
  const coerce = stored?.(term, rules, isMarked);
  if (isMarked && !coerce) throw cursorInvalid();
  const coerced = coerce ? coerce(text) : valueOf(term, text);
  if (coerced === undefined) throw cursorInvalid();
  return coerced;
}
