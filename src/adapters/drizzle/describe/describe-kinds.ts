/** The default kind of each Drizzle column type. */

import type { Column } from 'drizzle-orm';
import { families, kindOfType } from '../../../relational/index.ts';
import { type FieldKind, arrayOf } from '../../../schema/index.ts';

/**
 * Kind by Drizzle's `columnType`. Custom types have the kind of their SQL type, arrays that of their members with `[]`.
 * Columns of other types (points, intervals, times, network addresses) are opaque: shown, but not filtered and not sorted.
 */
export const columnKinds = {
  PgBigInt53: 'bigint',
  PgBigInt64: 'bigint',
  PgBigSerial53: 'bigint',
  PgBigSerial64: 'bigint',
  PgBoolean: 'boolean',
  PgChar: 'string',
  PgDate: 'date',
  PgDateString: 'date',
  PgEnumColumn: 'enum',
  PgEnumObjectColumn: 'enum',
  PgDoublePrecision: 'float',
  PgInteger: 'integer',
  PgJson: 'json',
  PgJsonb: 'json',
  PgNumeric: 'decimal',
  PgNumericBigInt: 'decimal',
  PgNumericNumber: 'decimal',
  PgReal: 'float',
  PgSerial: 'integer',
  PgSmallInt: 'integer',
  PgSmallSerial: 'integer',
  PgText: 'string',
  PgTimestamp: 'datetime',
  PgTimestampString: 'datetime',
  PgUUID: 'uuid',
  PgVarchar: 'string',

  MySqlBigInt53: 'bigint',
  MySqlBigInt64: 'bigint',
  MySqlBinary: 'binary',
  MySqlBoolean: 'boolean',
  MySqlChar: 'string',
  MySqlDate: 'date',
  MySqlDateString: 'date',
  MySqlDateTime: 'datetime',
  MySqlDateTimeString: 'datetime',
  MySqlDecimal: 'decimal',
  MySqlDecimalBigInt: 'decimal',
  MySqlDecimalNumber: 'decimal',
  MySqlDouble: 'float',
  MySqlEnumColumn: 'enum',
  MySqlEnumObjectColumn: 'enum',
  MySqlFloat: 'float',
  MySqlInt: 'integer',
  MySqlJson: 'json',
  MySqlMediumInt: 'integer',
  MySqlReal: 'float',
  MySqlSerial: 'bigint',
  MySqlSmallInt: 'integer',
  MySqlText: 'string',
  MySqlTimestamp: 'datetime',
  MySqlTimestampString: 'datetime',
  MySqlTinyInt: 'integer',
  MySqlVarBinary: 'binary',
  MySqlVarChar: 'string',
  MySqlYear: 'integer',

  SQLiteBlobBuffer: 'binary',
  SQLiteBlobJson: 'json',
  SQLiteBoolean: 'boolean',
  SQLiteInteger: 'integer',
  SQLiteNumeric: 'decimal',
  SQLiteNumericBigInt: 'decimal',
  SQLiteNumericNumber: 'decimal',
  SQLiteReal: 'float',
  SQLiteText: 'string',
  SQLiteTextJson: 'json',
  SQLiteTimestamp: 'datetime',
} as const satisfies { [columnType: string]: FieldKind };

/** Kind by column type, as the compiler knows it. */
export type ColumnKinds = typeof columnKinds;

const kindByColumnType: ReadonlyMap<string, FieldKind> = new Map(Object.entries(columnKinds));

/** The column of the members of an array; other columns are their own. */
export const memberOf = (column: Column): Column =>
  (column as { readonly baseColumn?: Column }).baseColumn ?? column;

/** The kind of a column by its type: `opaque` for types without a kind, `enum` for text with `enum`. */
export function kindOfColumn(column: Column): FieldKind {
  const member = memberOf(column);
  if (member !== column) return arrayOf(kindOfColumn(member));
  const kind = kindByColumnType.get(column.columnType) ?? kindOfCustom(column);
  return kind === 'string' && column.enumValues && column.enumValues.length > 0 ? 'enum' : kind;
}

const familyByPrefix = { Pg: 'postgresql', MySql: 'mysql', SQLite: 'sqlite' } as const;

/** The kind of a custom type by its SQL type, where the database is known to store that kind in it; else `opaque`. */
function kindOfCustom(column: Column): FieldKind {
  const prefix = /^(Pg|MySql|SQLite)CustomColumn$/.exec(column.columnType)?.[1];
  const type = column.getSQLType();
  const kind = kindOfType(type);
  // Drizzle does not know the members of an enum in a custom type.
  if (prefix === undefined || kind === undefined || kind === 'enum') return 'opaque';
  const { dialect } = families[familyByPrefix[prefix as keyof typeof familyByPrefix]];
  return dialect.storageOf(type, kind) ? kind : 'opaque';
}

/** Whether the host has made the column type, so that only the host knows the kind it holds. */
export const isCustom = ({ columnType }: Column): boolean => columnType.endsWith('CustomColumn');
