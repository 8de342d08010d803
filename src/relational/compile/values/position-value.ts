/** The stored values of a cursor's position: how their texts are checked, and how they are bound. */

import { type OrderTerm, type PlanValue, isAggregate } from '../../../rules/index.ts';
import { kindRow } from '../../../schema/index.ts';
import { type Bind, type Dialect, binderOf } from '../dialect.ts';
import type { LoweringContext } from '../model-context.ts';
import { positionForm } from '../order/other-class.ts';
import type { PhysicalColumn } from '../physical.ts';
import type { Slot, Sql } from '../sql-text.ts';
import { aggregateColumn } from './aggregate-column.ts';
import { hasTextForm, memberColumn } from './json-member.ts';

/** Converts the text of a stored value to a value; `undefined` for text that no stored value has. */
type CoercePosition = (text: string) => PlanValue | undefined;

/** Binds a value of a position. Stored text that is not a value of the kind, such as `infinity`, is kept unchanged. */
export function positionBinder(dialect: Dialect, column: PhysicalColumn): Bind {
  if (column.kind === 'binary') return (value) => Buffer.from(String(value), 'base64');
  const bind = binderOf(dialect, column, 'never');
  const { coerce } = kindRow(column.kind);
  return (value) => {
    const canonical = coerce(String(value));
    return canonical === undefined ? dialect.bindStored(column, value) : bind(canonical);
  };
}

/** The operand of a value of a position, of the same form as `value`. */
export function positionOperand(
  dialect: Dialect,
  column: PhysicalColumn,
  slot: Slot,
  value: PlanValue | null,
): Sql {
  const form = value === null ? 'kind' : positionForm(value);
  return dialect.positionOperand?.(column, slot, form) ?? dialect.operand(column, slot);
}

/**
 * Checks the texts of an order term in cursors that clients can forge. Where the ORM rewrites the column, they are its
 * stored values, whose kind may differ from that of the field; those are marked that no request can contain. `undefined`
 * for values of the field.
 */
export function storedPosition(
  context: LoweringContext,
  { target: { field, model } }: OrderTerm,
  isMarked: boolean,
): CoercePosition | undefined {
  if (!field) return undefined;
  const { dialect } = context;
  const physical = context.physical.get(model);
  const schema = context.registry.get(model);
  if (!schema || !physical) return undefined;
  const column = isAggregate(field)
    ? aggregateColumn(context, { schema, physical }, field)
    : (physical.columns.get(field.portableOrderField ?? field.path) ??
      memberColumn({ schema, physical }, field.path));
  if (!column || column.codec?.exact) return undefined;
  const isHeld = (text: string) =>
    dialect.holds(column, text) || (column.member !== undefined && hasTextForm(column.kind, text));
  const held: CoercePosition = (text) => (isHeld(text) ? text : undefined);
  if (!column.codec || field.portableOrderField) return isMarked ? held : undefined;
  const { kind, members } = column;
  if (kind === 'binary') {
    return (text) => (Buffer.from(text, 'base64').toString('base64') === text ? text : undefined);
  }
  if (members) return (text) => (members.includes(text) ? text : undefined);
  const { coerce } = kindRow(kind);
  return (text) => coerce(text) ?? held(text);
}
