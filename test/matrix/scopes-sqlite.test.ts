/** Generated requests of tenants on the cells of SQLite. */

import { runScopes } from './run-scopes.ts';

runScopes('sqlite');
