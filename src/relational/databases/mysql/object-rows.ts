/** The row format of MySQL drivers that return rows as objects, with values parsed by the host's settings. */

import type { RowChannel } from '../../compile/row-channel.ts';
import { mysql } from './dialect.ts';

/** `mysql2` converts instants to `Date`, which has no microseconds; selected as text, values stay exact. */
export const objectRows: RowChannel = {
  named: true,
  select: (expression, column) => {
    const { kind, codec } = column;
    if (codec) return expression;
    const inexact = kind === 'datetime' || kind === 'date' || kind === 'decimal';
    const selected = mysql.select(expression, column);
    return inexact ? ['cast(', selected, ' as char)'] : selected;
  },
};
