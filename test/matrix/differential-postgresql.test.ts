/** Generated requests on the cells of PostgreSQL. */

import { runDifferential } from './run-differential.ts';

runDifferential('postgresql');
