/** Walking all keyset pages of every cell. */

import { cells } from './cells.ts';
import { runWalks } from './run-walks.ts';

for (const cell of cells) {
  const { name, adapter, family } = cell;
  runWalks(name, cell, () => adapter.open(family, 'walk'));
}
