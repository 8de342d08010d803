/** Runs the suites of the kvq engine's reads once per library and datastore. */

import { cells } from './cells.ts';
import { hostSuite } from './host-suite.ts';
import { readsSuite } from './reads-suite.ts';

for (const cell of cells) readsSuite(cell);
for (const cell of cells) hostSuite(cell);
