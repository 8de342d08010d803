/** Walking all keyset pages of cells. */

import { cells, sharedOut } from './cells.ts';
import { runWalks } from './run-walks.ts';

for (const cell of sharedOut(cells)) {
  const { name, adapter, family } = cell;
  runWalks(name, cell, () => adapter.open(family, 'walk'));
}
