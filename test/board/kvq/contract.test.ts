/** Runs the contract suites of the kvq engine, covering every route, once per library and datastore. */

import { activitySuite } from './activity-suite.ts';
import { bulkRunsSuite } from './bulk-runs-suite.ts';
import { cells } from './cells.ts';
import { findingSuite } from './finding-suite.ts';
import { jobChangesSuite } from './job-changes-suite.ts';
import { jobPagesSuite } from './job-pages-suite.ts';
import { listingSuite } from './listing-suite.ts';
import { queueChangesSuite } from './queue-changes-suite.ts';
import { redactionSuite } from './redaction-suite.ts';
import { schedulersSuite } from './schedulers-suite.ts';
import { suiteOf } from './suite.ts';

for (const cell of cells) {
  suiteOf(cell, (suite) => {
    listingSuite(suite);
    jobPagesSuite(suite);
    activitySuite(suite);
    bulkRunsSuite(suite);
    queueChangesSuite(suite);
    jobChangesSuite(suite);
    schedulersSuite(suite);
    findingSuite(suite);
    redactionSuite(suite);
  });
}
