/** Runs the suite of facts once per library and datastore. */

import { cells } from './cells.ts';
import { factsSuite } from './facts-suite.ts';
import { suiteOf } from './suite.ts';

for (const cell of cells) suiteOf(cell, factsSuite);
