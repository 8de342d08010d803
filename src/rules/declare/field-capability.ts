/** Whether a field has the companions and the order that an operator or a sort requires. */

import { type FieldDescriptor, kindRow } from '../../schema/index.ts';
import type { DatabaseFamily } from './declaration.ts';
import type { OperatorRow } from './operators.ts';
import { notFiltered, notOfArrays, wayToFold, waysOut } from './ways-out.ts';

/**
 * Whether the field has the same order in every family that the endpoint serves. An endpoint for a single family may
 * use that family's native order of `uuid` and `enum`.
 */
export function hasOrder(field: FieldDescriptor, families: readonly DatabaseFamily[]): boolean {
  const { order } = kindRow(field.kind);
  if (order === 'total') return true;
  if (order === 'none') return false;
  return field.portableOrderField !== undefined || families.length === 1;
}

/** Whether text can be compared in any case: with a folded companion, or as the only family of the endpoint does it. */
export function foldsCase(field: FieldDescriptor, families: readonly DatabaseFamily[]): boolean {
  return field.foldedField !== undefined || families.length === 1;
}

/** The reason why the operator cannot be used on the field, with the remedy; `null` when it can. */
export function operatorObstacle(
  row: OperatorRow,
  field: FieldDescriptor,
  families: readonly DatabaseFamily[],
): string | null {
  const kind = kindRow(field.kind);
  if (kind.items !== undefined && row.need !== 'array' && row.need !== 'null') {
    return notOfArrays(row.name);
  }
  if (kind.items === undefined && kind.order === 'none') return notFiltered(field.kind);
  switch (row.need) {
    case 'equality':
      return null;
    case 'array':
      return kind.items === undefined ? `${row.name} needs an array.` : null;
    case 'null':
      return field.nullable ? null : 'the field is never null; drop isNull.';
    case 'text':
      return kind.textual ? null : `${row.name} needs a string, uuid or enum field.`;
    case 'foldedText':
      if (!kind.textual) return `${row.name} needs a string, uuid or enum field.`;
      if (foldsCase(field, families)) return null;
      return `${row.name} needs a foldedField on several families; ${wayToFold(field)}.`;
    case 'order':
      if (hasOrder(field, families)) return null;
      return `${row.name} needs a portableOrderField on a ${field.kind} field; ${waysOut('portableOrderField')}.`;
  }
}
