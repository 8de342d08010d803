/** Stands for values of cursors in the build for browsers: cursors have no keys there, and contain values of fields. */

import { fieldKindRow, kindRow } from '../../../schema/index.ts';
import type { CompiledQueryRules } from '../../declare/compiled.ts';
import { cursorInvalid } from '../../request/request-error.ts';
import type { OrderTerm, PlanValue } from '../plan.ts';

export const storedValue = (): null => null;

/** @throws {QueryError} CURSOR_INVALID when no row has the value. */
export function checkedValue(
  _rules: CompiledQueryRules,
  { target: { field, hops } }: OrderTerm,
  value: unknown,
): PlanValue | null {
  const companion = field?.portableOrderField;
  if (value === null && (field?.nullable || hops.length > 0 || companion)) return null;
  const row = field && !companion ? fieldKindRow(field) : kindRow('string');
  const found = row.coerce(String(value));
  const members = companion ? undefined : field?.enumValues;
  if (typeof value !== 'string' || found === undefined || members?.includes(value) === false) {
    throw cursorInvalid();
  }
  return found;
}

export const readableValue = (_term: OrderTerm, value: PlanValue): string => String(value);
