/** Whether a field has the companions and the order that an operator or a sort needs. */

import { type FieldDescriptor, kindRow } from '../../schema/index.ts';
import type { DatabaseFamily } from './declaration.ts';
import type { OperatorRow } from './operators.ts';

/**
 * Whether the field has one order in every family the endpoint serves. A single family may use its own
 * order of `uuid` and `enum`.
 */
export function hasOrder(field: FieldDescriptor, families: readonly DatabaseFamily[]): boolean {
  const { order } = kindRow(field.kind);
  if (order === 'total') return true;
  if (order === 'none') return false;
  return field.portableOrderField !== undefined || families.length === 1;
}

/** Why the operator cannot serve the field, with the remedy, or `null` when it can. */
export function operatorObstacle(
  row: OperatorRow,
  field: FieldDescriptor,
  families: readonly DatabaseFamily[],
): string | null {
  const kind = kindRow(field.kind);
  if (kind.order === 'none') return `${field.kind} fields take no operator; drop the filter.`;
  switch (row.need) {
    case 'equality':
      return null;
    case 'null':
      return field.nullable ? null : 'the field is never null; drop isNull.';
    case 'text':
      return kind.textual ? null : `${row.name} needs a string, uuid or enum field.`;
    case 'foldedText':
      if (!kind.textual) return `${row.name} needs a string, uuid or enum field.`;
      return field.foldedField ? null : `${row.name} needs a foldedField; add a folded column.`;
    case 'order':
      if (hasOrder(field, families)) return null;
      return `${row.name} needs a portableOrderField on a ${field.kind} field; add an order column.`;
  }
}
