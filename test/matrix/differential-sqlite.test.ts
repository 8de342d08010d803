/** Generated requests on the cells of SQLite. */

import { runDifferential } from './run-differential.ts';

runDifferential('sqlite');
