/** A computed field as a column: its expression in parts, and the type that its values have. */

import {
  type ComputedKind,
  type FieldDescriptor,
  configurationError,
  expressionOf,
  partsOf,
} from '../schema/index.ts';
import type { Dialect } from './compile/dialect.ts';
import type { PhysicalColumn } from './compile/physical.ts';

/**
 * The column of a computed field. Days and instants have the stored form of the first column of their kind that the expression
 * names; the form that is usual for the family where it names none.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the field has no expression for the family
 */
export function computedColumn(
  { family, expressionTypes, storageOf }: Dialect,
  model: string,
  field: FieldDescriptor,
  columnAt: (path: string) => PhysicalColumn,
): PhysicalColumn {
  const { path, kind } = field;
  const text = expressionOf(field, family);
  if (text === undefined) {
    throw configurationError(
      `${model}.${path}: the computed field has no expression for ${family}; add one to "sql".`,
      { model, path },
    );
  }
  const named: PhysicalColumn[] = [];
  const expression = partsOf(text).map((part, at) => {
    if (at % 2 === 0) return part;
    const column = columnAt(part);
    named.push(column);
    return { column: column.name };
  });
  const like =
    kind === 'date' || kind === 'datetime'
      ? named.find((each) => each.kind === kind && (!each.codec || each.codec.exact))
      : undefined;
  const sqlType = like?.sqlType ?? expressionTypes[kind as ComputedKind];
  const numbersAsText = named.some((each) => each.numbersAsText);
  return {
    path,
    // No column of a table has it, so that none is taken for this one.
    name: '',
    kind,
    storage: like?.storage ?? storageOf(sqlType, kind) ?? 'native',
    sqlType,
    ...(like?.codec && { codec: like.codec }),
    ...(numbersAsText && { numbersAsText }),
    expression,
  };
}
