/** How a Drizzle column stores its kind, and its type as the database writes it. */

import type { Column } from 'drizzle-orm';
import type { DatabaseFamily } from '../../../rules/index.ts';
import type { FieldKind } from '../../../schema/index.ts';
import { type StorageForm, families, heldKindsOf } from '../../../relational/index.ts';
import { isCustom, kindOfColumn, memberOf } from './describe-kinds.ts';

const { quote } = families.postgresql.dialect;

/** The storage form of a kind in a column; `undefined` where the column cannot hold the kind. */
export function storageOf(
  family: DatabaseFamily,
  column: Column,
  kind: FieldKind,
): StorageForm | undefined {
  if (column.columnType === 'SQLiteTimestamp' && kind === 'datetime') {
    return (column as { mode?: unknown }).mode === 'timestamp_ms'
      ? 'epoch-milliseconds'
      : 'epoch-seconds';
  }
  if (!heldKinds(family, column).has(kind)) return undefined;
  return families[family].dialect.storageOf(column.getSQLType(), kind);
}

/**
 * Every kind that a column can hold. A dedicated type (`uuid`, `timestamp`, `jsonb`) holds its own kind; an unknown
 * type, such as a custom one, holds the kind that the host declares.
 */
export function heldKinds(family: DatabaseFamily, column: Column): ReadonlySet<FieldKind> {
  if (column.columnType === 'SQLiteTimestamp')
    return new Set(['datetime', 'integer', 'bigint', 'opaque']);
  const known = isCustom(column) ? undefined : kindOfColumn(column);
  return heldKindsOf(families[family].dialect, column.getSQLType(), known);
}

const serials: ReadonlyMap<string, string> = new Map([
  ['PgSerial', 'integer'],
  ['PgSmallSerial', 'smallint'],
  ['PgBigSerial53', 'bigint'],
  ['PgBigSerial64', 'bigint'],
  ['MySqlSerial', 'bigint unsigned'],
]);

/**
 * The type of a column for a cast: `serial` types are written as their integer types, PostgreSQL's enum types are
 * quoted and qualified.
 */
export function sqlTypeOf(column: Column): string {
  const member = memberOf(column);
  if (member !== column) return `${sqlTypeOf(member)}[]`;
  const serial = serials.get(column.columnType);
  if (serial) return serial;
  if (column.columnType === 'PgEnumColumn' || column.columnType === 'PgEnumObjectColumn') {
    const { enumName, schema } = (column as { enum?: EnumType }).enum ?? {};
    if (enumName) return schema ? `${quote(schema)}.${quote(enumName)}` : quote(enumName);
  }
  return column.getSQLType();
}

interface EnumType {
  readonly enumName?: string;
  readonly schema?: string | undefined;
}
