/** Generated requests of tenants on the cells of PostgreSQL. */

import { runScopes } from './run-scopes.ts';

runScopes('postgresql');
