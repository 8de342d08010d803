/** Derives the fields of a query schema from the declared columns of a table. */

import { companionRoles } from '../../schema/index.ts';
import type { FieldDescriptor, FieldKind } from '../../schema/index.ts';
import { kindOfType, unsignedMark } from '../../relational/index.ts';
import { type SqlColumnOptions, type SqlTable, columnOf, listOf } from './tables.ts';

/** The kind of a column: the declared one, `enum` where members are declared, else that of its type. */
function kindOf({ kind, enumValues, type }: SqlColumnOptions): FieldKind {
  return kind ?? (enumValues ? 'enum' : (kindOfType(type) ?? 'opaque'));
}

/** The fields of a model. Companions are internal. */
export function describeFields(table: SqlTable): FieldDescriptor[] {
  const columns = Object.entries(table.columns).map(([path, declared]) => {
    const column = columnOf(declared);
    return { path, column, kind: kindOf(column) };
  });
  const texts = new Set(
    columns
      .filter(({ kind, column }) => kind === 'string' && column.internal !== false)
      .map(({ path }) => path),
  );
  const internal = new Set<string>();
  const described = columns.map(({ path, column, kind }) => {
    const companions: { [role: string]: string } = {};
    for (const { role, kinds: served, suffixes } of companionRoles) {
      const conventional = () =>
        suffixes.map((suffix) => path + suffix).find((name) => texts.has(name));
      const companion = column[role] ?? (served.has(kind) ? conventional() : undefined);
      if (typeof companion !== 'string') continue;
      companions[role] = companion;
      internal.add(companion);
    }
    return { path, column, kind, companions };
  });
  const primaryKey = new Set(listOf(table.primaryKey));
  return described.map(({ path, column, kind, companions }): FieldDescriptor => ({
    path,
    kind,
    nullable: column.nullable ?? false,
    ...unsignedMark(kind, column.type),
    primaryKey: primaryKey.has(path),
    ...(kind === 'enum' && column.enumValues && { enumValues: column.enumValues }),
    ...companions,
    ...(column.paths && { paths: column.paths }),
    ...((column.internal ?? internal.has(path)) && { internal: true }),
  }));
}
