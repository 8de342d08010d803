/** How a TypeORM column stores its kind, and its type as the database writes it. */

import type { DataSource } from 'typeorm';
import type { DatabaseFamily } from '../../rules/index.ts';
import { kinds } from '../../schema/index.ts';
import type { FieldKind } from '../../schema/index.ts';
import { type StorageForm, families, heldForms } from '../../relational/index.ts';
import { kindOfColumn } from './column-kinds.ts';
import type { ColumnMetadata } from './metadata-types.ts';

type StorageClass = 'text' | 'integer' | 'blob' | 'instant' | 'other';

/** Storage form by class of column and kind; absent kinds cannot be stored. `other` holds its own kind natively. */
const forms: Record<Exclude<StorageClass, 'other'>, { readonly [K in FieldKind]?: StorageForm }> = {
  ...heldForms,
  blob: { binary: 'native' },
  instant: { datetime: 'blank-text' },
};

/** The driver's own name of a column's type. */
function normalizedType({ driver }: DataSource, column: ColumnMetadata): string {
  return driver.normalizeType(column).toLowerCase();
}

/** The type of a column for a cast. */
export function sqlTypeOf(dataSource: DataSource, column: ColumnMetadata): string {
  const type = normalizedType(dataSource, column);
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
  family: DatabaseFamily,
  dataSource: DataSource,
  column: ColumnMetadata,
  kind: FieldKind,
): StorageForm | undefined {
  const type = normalizedType(dataSource, column);
  const { dialect } = families[family];
  const isJsonText = /^jsonb?$/.test(type) && dialect.storageOf(type, 'json') === 'json-text';
  if (column.type === 'simple-json' || isJsonText) return kind === 'json' ? 'json-text' : undefined;
  if (kind === 'opaque') return dialect.storageOf(type, kind);
  const storageClass = classOf(family, type, column);
  if (storageClass === 'instant' && kind === 'datetime' && isFilledBySqlite(column))
    return 'short-text';
  if (storageClass !== 'other') return forms[storageClass][kind];
  const own = kindOfColumn(column);
  if (kind === 'float' && own === kind) return dialect.storageOf(type, kind);
  return typeof own !== 'string' || own === kind || numericKinds(family, own).has(kind)
    ? 'native'
    : undefined;
}

/** Whether SQLite itself fills the column with instants, which it writes in seconds without a fraction. */
function isFilledBySqlite({ default: preset }: ColumnMetadata): boolean {
  return (
    typeof preset === 'function' && /^(?:datetime\('now'\)|current_timestamp)$/i.test(preset())
  );
}

const none: ReadonlySet<FieldKind> = new Set();
const whole: ReadonlySet<FieldKind> = new Set(['integer', 'bigint', 'boolean']);

/** Kinds other than decimal that SQLite's numeric affinity stores unchanged. */
function numericKinds(family: DatabaseFamily, own: FieldKind): ReadonlySet<FieldKind> {
  const { keepsWholeDecimals } = families[family].dialect;
  return keepsWholeDecimals && (own === 'decimal' || own === 'boolean') ? whole : none;
}

/** Every kind that a column can hold. */
export function heldKinds(
  family: DatabaseFamily,
  dataSource: DataSource,
  column: ColumnMetadata,
): ReadonlySet<FieldKind> {
  const everyKind = [...kinds.values()].map(({ kind }) => kind);
  return new Set(
    everyKind.filter((kind) => storageOf(family, dataSource, column, kind) !== undefined),
  );
}

function classOf(family: DatabaseFamily, type: string, column: ColumnMetadata): StorageClass {
  if (column.isArray || type === 'enum' || type === 'uuid') return 'other';
  const { dialect } = families[family];
  const isText =
    /^(?:datetime|timestamp)/.test(type) && dialect.storageOf(type, 'datetime') !== 'native';
  if (isText) return 'instant';
  if (/text$|char|clob|character/.test(type)) return 'text';
  if (/blob$|binary$|^bytea$/.test(type)) return 'blob';
  return /int|serial/.test(type) && !/interval|point/.test(type) ? 'integer' : 'other';
}
