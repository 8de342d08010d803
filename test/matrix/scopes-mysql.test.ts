/** Generated requests of tenants on the cells of MySQL and MariaDB. */

import { runScopes } from './run-scopes.ts';

runScopes('mysql');
