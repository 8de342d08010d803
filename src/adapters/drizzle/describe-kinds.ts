/** The default kind of each Drizzle column type. */

import type { Column } from 'drizzle-orm';
import type { FieldKind } from '../../schema/index.ts';

/**
 * Kind by Drizzle's `columnType`. Types that are absent (floating point, points, intervals, arrays, times, network
 * addresses, custom types) have no kind, because they have no exact JSON form, or no order, that is the same in every
 * database.
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
  PgInteger: 'integer',
  PgJson: 'json',
  PgJsonb: 'json',
  PgNumeric: 'decimal',
  PgNumericBigInt: 'decimal',
  PgNumericNumber: 'decimal',
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
  MySqlEnumColumn: 'enum',
  MySqlEnumObjectColumn: 'enum',
  MySqlInt: 'integer',
  MySqlJson: 'json',
  MySqlMediumInt: 'integer',
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
  SQLiteText: 'string',
  SQLiteTextJson: 'json',
  SQLiteTimestamp: 'datetime',
} as const satisfies { [columnType: string]: FieldKind };

/** Kind by column type, as the compiler knows it. */
export type ColumnKinds = typeof columnKinds;

const kindByColumnType: ReadonlyMap<string, FieldKind> = new Map(Object.entries(columnKinds));

/**
 * The kind of a column by its type, or the reason why it has none. Text with `enum` is kind `enum`. A MySQL `int
 * unsigned` may hold numbers beyond 32 bits, so its kind must be declared.
 */
export function kindOfColumn(column: Column): FieldKind | { readonly refused: string } {
  const kind = kindByColumnType.get(column.columnType);
  const sqlType = column.getSQLType();
  if (!kind) return { refused: `the column type ${sqlType} has no kind` };
  if (column.columnType === 'MySqlInt' && sqlType.endsWith('unsigned')) {
    return { refused: 'int unsigned holds numbers beyond 32 bits, which kind integer refuses' };
  }
  return kind === 'string' && column.enumValues && column.enumValues.length > 0 ? 'enum' : kind;
}
