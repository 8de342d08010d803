/** The row format of SQLite drivers that return rows as objects. */

import type { RowChannel } from '../../compile/row-channel.ts';
import { sqlite } from './dialect.ts';

export const objectRows: RowChannel = {
  named: true,
  select: (expression, column) => (column.codec ? expression : sqlite.select(expression, column)),
};
