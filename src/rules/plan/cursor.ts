/** Keyset cursors: the position of a row, bound to the endpoint, the order, the filters and the scope of the host. */

import { type QuerySchema, fieldNamed, kindRow } from '../../schema/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { KeysetPosition, OrderTerm, PlanValue, ResolvedPredicate } from './plan.ts';
import { cursorInvalid } from '../request/request-error.ts';

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
  values: readonly (PlanValue | null)[],
): string {
  const body = `${directions[direction]}${inclusive ? '=' : ''}${JSON.stringify(values)}`;
  return cursors.write(body, binding);
}

/**
 * The position that a cursor encodes.
 *
 * @throws {QueryError} CURSOR_INVALID when the cursor was not created by this endpoint for this order, these
 * filters and this scope
 */
export function decodeCursor(
  { cursors, schema }: CompiledQueryRules,
  cursor: string,
  binding: string,
  order: readonly OrderTerm[],
): KeysetPosition {
  const body = cursors.read(cursor, binding);
  if (body === null) throw cursorInvalid();
  const inclusive = body.startsWith('=', 1);
  const direction = body.startsWith('a') ? 'after' : 'before';
  const values = valuesOf(body.slice(inclusive ? 2 : 1));
  if (values?.length !== order.length) throw cursorInvalid();
  const read = order.map((term, index) =>
    cursors.isSealed ? storedValue(term, values[index]) : checkedValue(term, values[index], schema),
  );
  return Object.freeze({ direction, inclusive, values: Object.freeze(read) });
}

function valuesOf(json: string): readonly unknown[] | null {
  try {
    const values: unknown = JSON.parse(json);
    return Array.isArray(values) ? values : null;
  } catch {
    return null;
  }
}

/** The kind of the column that the term orders by. */
const kindOf = ({ target: { field } }: OrderTerm) =>
  kindRow(field?.portableOrderField || !field ? 'string' : field.kind);

/** A value of a sealed cursor. Stored text that is not a value of the kind, such as `infinity`, is kept unchanged. */
function storedValue(term: OrderTerm, value: unknown): PlanValue | null {
  if (value === null) return null;
  const coerced = kindOf(term).coerce(String(value));
  return String(coerced) === value ? (coerced ?? value) : String(value);
}

/** A value of a readable cursor. Clients can forge such cursors, so it is validated like a value of a filter. */
function checkedValue(term: OrderTerm, value: unknown, schema: QuerySchema): PlanValue | null {
  const { field } = term.target;
  if (!field) throw cursorInvalid();
  // Database families differ in the comparison with a null that no row contains.
  const companion = field.portableOrderField && fieldNamed(schema, field.portableOrderField);
  if (value === null && (field.nullable || (companion && companion.nullable))) return null;
  if (typeof value !== 'string') throw cursorInvalid();
  const coerced = kindOf(term).coerce(value);
  const known =
    field.kind !== 'enum' || field.portableOrderField || field.enumValues?.includes(value);
  if (coerced === undefined || !known) throw cursorInvalid();
  return coerced;
}
