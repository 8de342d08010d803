/** Runs the suites of what commands must leave as it is, once per library and datastore. */

import { cells } from './cells.ts';
import { familySuite } from './family-suite.ts';
import { guardsSuite } from './guards-suite.ts';
import { obliterateSuite } from './obliterate-suite.ts';
import { suiteOf } from './suite.ts';

for (const cell of cells) {
  suiteOf(cell, (suite) => {
    guardsSuite(suite);
    familySuite(suite);
    obliterateSuite(suite);
  });
}
