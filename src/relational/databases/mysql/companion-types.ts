/** SQL for keys and companions by MySQL column type. */

import type { ColumnInfo } from '../../companions/dialect.ts';
import type { CompanionColumn } from '../../companions/plan.ts';

/** Converts a value of any character set to utf8mb4 text. */
export function utf8Text(expression: string): string {
  return `CAST(${expression} AS CHAR CHARACTER SET utf8mb4)`;
}

/** The SQL to read a key column as text, compare it and bind it again. */
interface KeyForm {
  /** Expression that gives the column as text. */
  readonly read: string;
  /** Expression that compares and orders like the column. */
  readonly column: string;
  /** Converts text (a placeholder or a column of the JSON table) to the type of the key column. */
  readonly bound: (value: string) => string;
  /** Type of the key in the JSON table. */
  readonly json: string;
}

const integerType = /^(?:tinyint|smallint|mediumint|int|bigint|year)/i;
const decimalType = /^(?:decimal|numeric)(\([\d, ]+\))?/i;
const temporalType = /^(datetime|timestamp|date|time)\b/i;

/** The SQL for a key column. Comparing in the column's type and collation allows the use of its index. */
export function keyForm(info: ColumnInfo, column: string): KeyForm {
  const { type } = info;
  const text = 'LONGTEXT CHARACTER SET utf8mb4';
  if (/binary|blob/i.test(type)) {
    return { read: `HEX(${column})`, column, bound: (value) => `UNHEX(${value})`, json: text };
  }
  if (/^enum/i.test(type)) {
    // Enum columns are ordered by member number, but compared with strings as text.
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

/** Maximum length of an index entry, in characters of utf8mb4. */
const maxIndexed = 768;
/** Maximum number of code points that folding produces from one. */
const foldGrowth = 3;

/** Maximum length of order keys by kind; for decimals: sign, length in two digits, 65 digits and `~`. */
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

/** The type of a companion column: `VARCHAR` if the whole value can be indexed, otherwise a text type of sufficient size. */
export function companionType({ role, field }: CompanionColumn, source: ColumnInfo): string {
  const fixed = role === 'order' ? orderKeyLength[field.kind] : undefined;
  if (fixed !== undefined) return `VARCHAR(${fixed})`;
  const longest = source.maxLength ?? maxIndexed / foldGrowth;
  const needed = role === 'folded' ? longest * foldGrowth : longest;
  // The catalogue gives the length of text types in bytes, so only sources of other types become VARCHAR.
  if (!/text/i.test(source.type) && needed <= maxIndexed) return `VARCHAR(${needed})`;
  return needed <= 16_383 ? 'TEXT' : needed <= 4_000_000 ? 'MEDIUMTEXT' : 'LONGTEXT';
}
