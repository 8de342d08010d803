/** How MySQL's column types carry keys and companions. */

import type { ColumnInfo } from '../../companions/dialect.ts';
import type { CompanionColumn } from '../../companions/plan.ts';

/** The value as text of one character set, whatever the column's own. */
export function utf8Text(expression: string): string {
  return `CAST(${expression} AS CHAR CHARACTER SET utf8mb4)`;
}

/** How a key column is read as text, compared, and given back. */
export interface KeyForm {
  /** The column as text. */
  readonly read: string;
  /** The column as it orders and compares. */
  readonly column: string;
  /** A text (a placeholder, or a column of the JSON table) in the column's own type. */
  readonly bound: (value: string) => string;
  /** Its type in the JSON table. */
  readonly json: string;
}

const integerType = /^(?:tinyint|smallint|mediumint|int|bigint|year)/i;
const decimalType = /^(?:decimal|numeric)(\([\d, ]+\))?/i;
const temporalType = /^(datetime|timestamp|date|time)\b/i;

/** The form of a key column; a comparison in the column's own type and collation uses its index. */
export function keyForm(info: ColumnInfo, column: string): KeyForm {
  const { type } = info;
  const text = 'LONGTEXT CHARACTER SET utf8mb4';
  if (/binary|blob/i.test(type)) {
    return { read: `HEX(${column})`, column, bound: (value) => `UNHEX(${value})`, json: text };
  }
  if (/^enum/i.test(type)) {
    // Members order by position, which only their number shows in a comparison.
    const number = `(${column} + 0)`;
    return whole(utf8Text(number), number, 'UNSIGNED');
  }
  if (integerType.test(type)) {
    return whole(utf8Text(column), column, /unsigned|year/i.test(type) ? 'UNSIGNED' : 'SIGNED');
  }
  const decimal = decimalType.exec(type);
  if (decimal !== null) return cast(column, `DECIMAL${decimal[1] ?? ''}`);
  const temporal = temporalType.exec(type)?.[1]?.toLowerCase();
  if (temporal !== undefined) {
    return cast(
      column,
      temporal === 'date' ? 'DATE' : temporal === 'time' ? 'TIME(6)' : 'DATETIME(6)',
    );
  }
  if (info.charset !== undefined && info.collation !== undefined) {
    const collate = `USING ${info.charset}) COLLATE ${info.collation}`;
    return {
      read: utf8Text(column),
      column,
      bound: (value) => `CONVERT(${value} ${collate}`,
      json: text,
    };
  }
  return { read: utf8Text(column), column, bound: (value) => value, json: text };
}

function whole(read: string, column: string, sign: 'SIGNED' | 'UNSIGNED'): KeyForm {
  const json = sign === 'SIGNED' ? 'BIGINT' : 'BIGINT UNSIGNED';
  return { read, column, bound: (value) => `CAST(${value} AS ${sign})`, json };
}

function cast(column: string, type: string): KeyForm {
  return {
    read: utf8Text(column),
    column,
    bound: (value) => `CAST(${value} AS ${type})`,
    json: type,
  };
}

/** Longest text that one index entry of utf8mb4 holds, in characters. */
const maxIndexed = 768;
/** Most code points that NFC and lower-casing make of one. */
const foldGrowth = 3;

/** Longest keys by kind; a decimal's is sign, two digits of length, 65 digits and an end mark. */
const orderKeyLength: { readonly [kind: string]: number } = {
  uuid: 36,
  enum: 5,
  integer: 10,
  bigint: 20,
  decimal: 80,
  boolean: 1,
  date: 10,
  datetime: 26,
};

/** The type of a companion: `VARCHAR` where it can be indexed whole, else a text type that always fits. */
export function companionType({ role, field }: CompanionColumn, source: ColumnInfo): string {
  const fixed = role === 'order' ? orderKeyLength[field.kind] : undefined;
  if (fixed !== undefined) return `VARCHAR(${fixed})`;
  const longest = source.maxLength ?? maxIndexed / foldGrowth;
  const needed = role === 'folded' ? longest * foldGrowth : longest;
  // The catalogue counts the length of text types in bytes, so bounded types alone become VARCHAR.
  if (!/text/i.test(source.type) && needed <= maxIndexed) return `VARCHAR(${needed})`;
  return needed <= 16_383 ? 'TEXT' : needed <= 4_000_000 ? 'MEDIUMTEXT' : 'LONGTEXT';
}
