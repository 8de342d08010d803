/** Walking all keyset pages of cells. */

import { cellsOfVersions, sharedOut } from './cells.ts';
import { runWalks } from './run-walks.ts';

for (const cell of sharedOut(cellsOfVersions)) {
  const { name, adapter, family } = cell;
  runWalks(name, cell, () => adapter.open(family, 'walk'));
}
