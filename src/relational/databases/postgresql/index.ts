/** The PostgreSQL family: dialect, errors, time limit and the rows of drivers that return objects. */

import type { Family } from '../../family.ts';
import { postgresql as dialect } from './dialect.ts';
import { postgresqlError } from './errors.ts';
import { postgresqlLimit } from './time-limit.ts';
import type { PhysicalColumn } from '../../compile/physical.ts';
import type { RowChannel, SelectColumn } from '../../compile/row-channel.ts';

const isInstant = ({ kind, sqlType, codec }: PhysicalColumn): boolean =>
  kind === 'datetime' && !codec && /with time zone|^timestamptz/i.test(sqlType);

const asText: SelectColumn = (expression, column) => {
  const { kind, codec } = column;
  const inexact =
    !codec && (kind === 'datetime' || kind === 'date' || kind === 'decimal' || kind === 'bigint');
  if (codec) return expression;
  return inexact ? ['cast(', expression, ' as text)'] : dialect.select(expression, column);
};

/** `pg` converts instants to `Date`, which has no microseconds; selected as text, values stay exact. */
const objectRows: RowChannel = {
  named: true,
  select: (expression, column) =>
    isInstant(column)
      ? ['cast(', expression, " at time zone 'UTC' as text)"]
      : asText(expression, column),
  // Instants are presented in milliseconds, for which a `Date` is sufficient.
  selectSkipping: (expression, column) =>
    isInstant(column) ? expression : asText(expression, column),
};

export const postgresql: Family = {
  dialect,
  pooled: true,
  errorClass: postgresqlError,
  timeLimit: postgresqlLimit,
  explain: 'explain',
  objectRows,
  textValues: (values) => values as unknown[],
};
