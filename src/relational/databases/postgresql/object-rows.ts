/** The row format of PostgreSQL drivers that return rows as objects, with values parsed by the host's settings. */

import type { PhysicalColumn } from '../../compile/physical.ts';
import type { RowChannel, SelectColumn } from '../../compile/row-channel.ts';
import { postgresql } from './dialect.ts';

const isInstant = ({ kind, sqlType, codec }: PhysicalColumn): boolean =>
  kind === 'datetime' && !codec && /with time zone|^timestamptz/i.test(sqlType);

const asText: SelectColumn = (expression, column) => {
  const { kind, codec } = column;
  const inexact =
    !codec && (kind === 'datetime' || kind === 'date' || kind === 'decimal' || kind === 'bigint');
  if (codec) return expression;
  return inexact ? ['cast(', expression, ' as text)'] : postgresql.select(expression, column);
};

/** `pg` converts instants to `Date`, which has no microseconds; selected as text, values stay exact. */
export const objectRows: RowChannel = {
  named: true,
  select: (expression, column) =>
    isInstant(column)
      ? ['cast(', expression, " at time zone 'UTC' as text)"]
      : asText(expression, column),
  // Instants are presented in milliseconds, for which a `Date` is sufficient.
  selectSkipping: (expression, column) =>
    isInstant(column) ? expression : asText(expression, column),
};
