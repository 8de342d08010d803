/** How a Drizzle column stores its kind, and its type as the database spells it. */

import type { Column } from 'drizzle-orm';
import type { DatabaseFamily } from '../../rules/index.ts';
import { kinds } from '../../schema/index.ts';
import type { FieldKind } from '../../schema/index.ts';
import { type StorageForm, heldForms, postgresql } from '../../relational/index.ts';
import { kindOfColumn } from './describe-kinds.ts';

type StorageClass = 'text' | 'integer' | 'blob' | 'other';

/** What each class of column can hold; a kind that is absent does not fit. `other` holds any kind natively. */
const forms: Record<Exclude<StorageClass, 'other'>, { readonly [K in FieldKind]?: StorageForm }> = {
  ...heldForms,
  blob: { binary: 'native', json: 'json-blob' },
};

/** The storage form of a kind in a column, `undefined` where the column cannot hold the kind. */
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
  const storageClass = classOf(family, column.getSQLType().toLowerCase());
  // Read as text: MySQL's own type comes parsed from the driver, MariaDB's is a text under that name.
  if (family === 'mysql' && kind === 'json' && storageClass !== 'integer') return 'json-text';
  return storageClass === 'other' ? 'native' : forms[storageClass][kind];
}

const everyKind: readonly FieldKind[] = [...kinds.values()].map(({ kind }) => kind);

/**
 * Every kind that a column can hold. A type of its own (`uuid`, `timestamp`, `jsonb`) holds its own kind; a
 * type that Sluice does not know (a custom one) holds whatever the host says it does.
 */
export function heldKinds(family: DatabaseFamily, column: Column): ReadonlySet<FieldKind> {
  const own = kindOfColumn(column);
  const plain = classOf(family, column.getSQLType().toLowerCase()) === 'other';
  if (column.columnType === 'SQLiteTimestamp') return new Set(['datetime', 'integer', 'bigint']);
  const fitting = everyKind.filter((kind) => storageOf(family, column, kind) !== undefined);
  if (!plain || typeof own !== 'string') return new Set(fitting);
  return new Set([own, ...(family === 'sqlite' && own === 'decimal' ? numericKinds : [])]);
}

/** What SQLite's numeric affinity keeps as it is, beside decimals. */
const numericKinds: readonly FieldKind[] = ['integer', 'bigint', 'boolean'];

function classOf(family: DatabaseFamily, sqlType: string): StorageClass {
  if (family === 'sqlite') return affinityOf(sqlType);
  if (/\[|^enum\b/.test(sqlType)) return 'other';
  if (/^(?:tiny|medium|long)?text\b|char\b|character\b|^citext\b/.test(sqlType)) return 'text';
  if (/blob\b|binary\b|^bytea\b/.test(sqlType)) return 'blob';
  return /^(?:tiny|small|medium|big)?(?:int(?:eger)?\d?|serial)\b/.test(sqlType)
    ? 'integer'
    : 'other';
}

/** SQLite's own rules of column affinity, in its order. */
function affinityOf(sqlType: string): StorageClass {
  if (sqlType.includes('int')) return 'integer';
  if (/char|clob|text/.test(sqlType)) return 'text';
  return sqlType.includes('blob') || sqlType === '' ? 'blob' : 'other';
}

const serials: ReadonlyMap<string, string> = new Map([
  ['PgSerial', 'integer'],
  ['PgSmallSerial', 'smallint'],
  ['PgBigSerial53', 'bigint'],
  ['PgBigSerial64', 'bigint'],
  ['MySqlSerial', 'bigint unsigned'],
]);

/**
 * The type of a column as a cast spells it: `serial` types are what they stand for, PostgreSQL's own
 * enum types are quoted and qualified.
 */
export function sqlTypeOf(column: Column): string {
  const serial = serials.get(column.columnType);
  if (serial) return serial;
  if (column.columnType === 'PgEnumColumn' || column.columnType === 'PgEnumObjectColumn') {
    const { enumName, schema } = (column as { enum?: EnumType }).enum ?? {};
    if (enumName)
      return schema
        ? `${postgresql.quote(schema)}.${postgresql.quote(enumName)}`
        : postgresql.quote(enumName);
  }
  return column.getSQLType();
}

interface EnumType {
  readonly enumName?: string;
  readonly schema?: string | undefined;
}
