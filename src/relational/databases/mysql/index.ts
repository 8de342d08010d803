/** The MySQL and MariaDB family: dialect, errors, time limit and the rows of drivers that return objects. */

import type { Family } from '../../family.ts';
import { mysql as dialect } from './dialect.ts';
import { mysqlError } from './errors.ts';
import { mysqlLimit } from './time-limit.ts';
import type { RowChannel } from '../../compile/row-channel.ts';

/**
 * The characters before which drivers write a backslash, and the backslash, where they write values into the text of a
 * statement, as `mysql2` does in `query`. Backslashes end no escape in a session with the mode NO_BACKSLASH_ESCAPES: there,
 * `\'` closes the string.
 */
// oxlint-disable-next-line no-control-regex
const escaped = /[\0\b\t\n\r\x1a"'\\]/;

/** A text that drivers write as a hexadecimal literal, which means the same in every SQL mode. */
class HexText extends String {
  toSqlString(): string {
    // The introducer makes it text and not bytes, so that columns keep their collation and their indexes.
    return `_utf8mb4 X'${Buffer.from(this.valueOf(), 'utf8').toString('hex')}'`;
  }
}

function isEscaped(value: unknown): boolean {
  if (typeof value === 'string') return escaped.test(value);
  return Array.isArray(value) && value.some(isEscaped);
}

function textValue(value: unknown): unknown {
  if (!isEscaped(value)) return value;
  return Array.isArray(value) ? value.map(textValue) : new HexText(value);
}

/** The values, with every text that a driver would escape by backslashes as a literal without them. */
function textValues(values: readonly unknown[]): unknown[] {
  return values.some(isEscaped) ? values.map(textValue) : (values as unknown[]);
}

/** `mysql2` converts instants to `Date`, which has no microseconds; selected as text, values stay exact. */
const objectRows: RowChannel = {
  named: true,
  select: (expression, column) => {
    const { kind, codec } = column;
    if (codec) return expression;
    const inexact = kind === 'datetime' || kind === 'date' || kind === 'decimal';
    const selected = dialect.select(expression, column);
    return inexact ? ['cast(', selected, ' as char)'] : selected;
  },
};

export const mysql: Family = {
  dialect,
  pooled: true,
  errorClass: mysqlError,
  timeLimit: mysqlLimit,
  explain: 'explain format=json',
  objectRows,
  textValues,
};
