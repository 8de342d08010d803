/** Runs the suite of the kvq engine's reads once per library and datastore. */

import { cells } from './cells.ts';
import { readsSuite } from './reads-suite.ts';

for (const cell of cells) readsSuite(cell);
