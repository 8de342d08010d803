/** Runs the suites of the kvq engine's changes once per library and datastore. */

import { addingSuite } from './adding-suite.ts';
import { bulkSuite } from './bulk-suite.ts';
import { cells } from './cells.ts';
import { exactSuite } from './exact-suite.ts';
import { schedulerCreationSuite } from './scheduler-creation-suite.ts';
import { schedulerWritesSuite } from './scheduler-writes-suite.ts';
import { suiteOf } from './suite.ts';

for (const cell of cells) {
  suiteOf(cell, (suite) => {
    addingSuite(suite);
    bulkSuite(suite);
    exactSuite(suite);
    schedulerCreationSuite(suite);
    schedulerWritesSuite(suite);
  });
}
