/** Derives the fields of a query schema from the columns of a Drizzle table. */

import { getTableColumns } from 'drizzle-orm';
import type { Column, Table } from 'drizzle-orm';
import { unsignedMark } from '../../relational/index.ts';
import { companionRoles } from '../../schema/index.ts';
import type { FieldDescriptor, FieldKind } from '../../schema/index.ts';
import { kindOfColumn } from './describe-kinds.ts';
import { primaryKeyOf } from './describe-metadata.ts';
import { sqlTypeOf } from './describe-storage.ts';
import { overrideOf } from './describe-overrides.ts';
import type { DrizzleOverrides, PathOverride } from './describe-overrides.ts';

interface Derived {
  readonly path: string;
  readonly column: Column;
  readonly kind: FieldKind;
  readonly override: PathOverride;
}

/**
 * The fields of a model. An existing text column `<path>Folded` or `<path>_folded` is the folded
 * companion of `<path>`, `<path>Order` or `<path>_order` its order companion; both are internal.
 */
export function describeFields(
  model: string,
  table: Table,
  overrides: DrizzleOverrides,
): FieldDescriptor[] {
  const fields = new Map<string, Derived>();
  for (const [path, column] of Object.entries(getTableColumns(table))) {
    const override = overrideOf(overrides, model, path);
    if (override === false) continue;
    const kind = override?.kind ?? kindOfColumn(column);
    fields.set(path, { path, column, kind, override: override ?? {} });
  }
  const primaryKey = new Set(keyOf(model, table, overrides));
  const companions = new Map<string, { [role: string]: string }>();
  const internal = new Set<string>();
  for (const field of fields.values()) {
    const found = companionsOf(field, fields);
    companions.set(field.path, found);
    for (const companion of Object.values(found)) internal.add(companion);
  }
  return [...fields.values()].map(({ path, column, kind, override }) => {
    const isKey = primaryKey.has(path);
    const enumValues = kind === 'enum' ? (override.enumValues ?? column.enumValues) : undefined;
    return {
      path,
      kind,
      nullable: override.nullable ?? !(column.notNull || isKey),
      ...unsignedMark(kind, sqlTypeOf(column)),
      primaryKey: isKey,
      ...(enumValues && { enumValues }),
      ...companions.get(path),
      ...(override.paths && { paths: override.paths }),
      ...((override.internal ?? internal.has(path)) && { internal: true }),
    };
  });
}

/** The properties of the primary key: those that overrides name, else those of the table, without columns left out. */
export function keyOf(model: string, table: Table, overrides: DrizzleOverrides): string[] {
  const said = Object.keys(getTableColumns(table)).filter((path) => {
    const override = overrideOf(overrides, model, path);
    return override && override.primaryKey;
  });
  if (said.length > 0) return said;
  return primaryKeyOf(table).filter((path) => overrideOf(overrides, model, path) !== false);
}

function companionsOf(field: Derived, fields: ReadonlyMap<string, Derived>) {
  const found: { [role: string]: string } = {};
  for (const { role, kinds, suffixes } of companionRoles) {
    const said = field.override[role];
    if (said === false) continue;
    const byConvention = () =>
      suffixes.map((suffix) => field.path + suffix).find((name) => isCompanion(fields.get(name)));
    const companion = said ?? (kinds.has(field.kind) ? byConvention() : undefined);
    if (companion !== undefined) found[role] = companion;
  }
  return found;
}

function isCompanion(field: Derived | undefined): boolean {
  return field?.kind === 'string' && field.override.internal !== false;
}
