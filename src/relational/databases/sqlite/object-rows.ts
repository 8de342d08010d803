/** How rows are selected from drivers of SQLite that give them as objects. */

import type { RowChannel } from '../../compile/row-channel.ts';
import { sqlite } from './dialect.ts';

export const objectRows: RowChannel = {
  named: true,
  select: (expression, column) => (column.codec ? expression : sqlite.select(expression, column)),
};
