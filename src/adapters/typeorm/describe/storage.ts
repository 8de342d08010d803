/** How a TypeORM column stores its kind, and its type as the database writes it. */

import type { DataSource } from 'typeorm';
import { type FieldKind, isHeldInJson } from '../../../schema/index.ts';
import { type Dialect, type StorageForm, heldKindsOf } from '../../../relational/index.ts';
import { kindOfColumn } from './column-kinds.ts';
import type { ColumnMetadata } from './metadata-types.ts';

/** The driver's own name of a column's type. */
function normalizedType({ driver }: DataSource, column: ColumnMetadata): string {
  return driver.normalizeType(column).toLowerCase();
}

/** The type of a column for a cast. */
export function sqlTypeOf(dataSource: DataSource, column: ColumnMetadata): string {
  const type = normalizedType(dataSource, column);
  if (column.isArray) return `${type}[]`;
  const { precision, scale, length, unsigned } = column;
  if (unsigned && /^(?:big|medium|small|tiny)?int$/.test(type)) return `${type} unsigned`;
  if (/^(?:decimal|numeric)$/.test(type) && precision)
    return `${type}(${precision}, ${scale ?? 0})`;
  if (/^(?:datetime|timestamp)/.test(type) && typeof precision === 'number')
    return type.replace(/^\w+/, `$&(${precision})`);
  return length ? `${type}(${length})` : type;
}

/** The storage form of a kind in a column; `undefined` where the column cannot hold the kind. */
export function storageOf(
  dataSource: DataSource,
  column: ColumnMetadata,
  dialect: Dialect,
  kind: FieldKind,
): StorageForm | undefined {
  const isArray = column.isArray ? '[]' : '';
  const type = `${normalizedType(dataSource, column)}${isArray}`;
  const form = dialect.storageOf(type, kind);
  const isJsonText = /^jsonb?$/.test(type) && dialect.storageOf(type, 'json') === 'json-text';
  if (column.type === 'simple-json' || isJsonText)
    return kind === 'json' || isHeldInJson(kind) ? 'json-text' : undefined;
  if (/^(?:datetime|timestamp)/.test(type) && dialect.storageOf(type, 'datetime') !== 'native') {
    if (kind === 'datetime') return isFilledBySqlite(column) ? 'short-text' : 'blank-text';
    return kind === 'opaque' ? form : undefined;
  }
  // TypeORM returns bytes as they are.
  const isBytes = dialect.storageClass(type) === 'blob';
  if (isBytes && kind !== 'binary' && kind !== 'opaque') return undefined;
  const own = kindOfColumn(column);
  const isWhole = kind === 'integer' || kind === 'bigint';
  if (own === 'boolean' && isWhole && dialect.keepsWholeDecimals) return 'native';
  return heldKindsOf(dialect, type, own).has(kind) ? form : undefined;
}

/** Whether SQLite itself fills the column with instants, which it writes in seconds without a fraction. */
function isFilledBySqlite({ default: preset }: ColumnMetadata): boolean {
  return (
    typeof preset === 'function' && /^(?:datetime\('now'\)|current_timestamp)$/i.test(preset())
  );
}
