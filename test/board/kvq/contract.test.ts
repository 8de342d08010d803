/** Runs the contract suite of the kvq engine once per library and datastore. */

import { cells } from './cells.ts';
import { contractSuite } from './contract-suite.ts';

for (const cell of cells) contractSuite(cell);
