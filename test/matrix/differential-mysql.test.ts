/** Generated requests on the cells of MySQL or MariaDB. */

import { runDifferential } from './run-differential.ts';

runDifferential('mysql');
