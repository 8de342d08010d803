/** Runs the suite of clocks that are ahead once per library and datastore, in a file of its own because it moves the clock. */

import { cells } from './cells.ts';
import { clockAheadSuite } from './clock-ahead-suite.ts';
import { suiteOf } from './suite.ts';

for (const cell of cells) suiteOf(cell, clockAheadSuite);
