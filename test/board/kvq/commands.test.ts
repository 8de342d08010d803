/** Runs the suites of what commands may change and responses may take, once per library and datastore. */

import { bytesSuite } from './bytes-suite.ts';
import { cells } from './cells.ts';
import { conditionsSuite } from './conditions-suite.ts';
import { onceSuite } from './once-suite.ts';
import { reachSuite } from './reach-suite.ts';
import { suiteOf } from './suite.ts';

for (const cell of cells) {
  suiteOf(cell, (suite) => {
    reachSuite(suite);
    bytesSuite(suite);
    conditionsSuite(suite);
    onceSuite(suite);
  });
}
