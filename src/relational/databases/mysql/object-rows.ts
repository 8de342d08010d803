/** How rows are selected from drivers of MySQL that give them as objects, parsed as the host has set it up. */

import type { RowChannel } from '../../compile/row-channel.ts';
import { mysql } from './dialect.ts';

/** `mysql2` makes Dates of instants, which drops microseconds; as text, values come as they are stored. */
export const objectRows: RowChannel = {
  named: true,
  select: (expression, column) => {
    const { kind, codec } = column;
    if (codec) return expression;
    const inexact = kind === 'datetime' || kind === 'date' || kind === 'decimal';
    return inexact ? ['cast(', expression, ' as char)'] : mysql.select(expression, column);
  },
};
