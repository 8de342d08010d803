/** How rows are selected from drivers of PostgreSQL that give them as objects, parsed as the host has set it up. */

import type { PhysicalColumn } from '../../compile/physical.ts';
import type { RowChannel, SelectColumn } from '../../compile/row-channel.ts';

const isInstant = ({ kind, sqlType, codec }: PhysicalColumn): boolean =>
  kind === 'datetime' && !codec && /with time zone|^timestamptz/i.test(sqlType);

const asText: SelectColumn = (expression, { kind, codec }) => {
  const inexact =
    !codec && (kind === 'datetime' || kind === 'date' || kind === 'decimal' || kind === 'bigint');
  return inexact ? ['cast(', expression, ' as text)'] : expression;
};

/** `pg` makes Dates of instants, which drops microseconds; as text, values come as they are stored. */
export const objectRows: RowChannel = {
  named: true,
  select: (expression, column) =>
    isInstant(column)
      ? ['cast(', expression, " at time zone 'UTC' as text)"]
      : asText(expression, column),
  // The milliseconds of an instant are shown, which a Date has.
  selectSkipping: (expression, column) =>
    isInstant(column) ? expression : asText(expression, column),
};
