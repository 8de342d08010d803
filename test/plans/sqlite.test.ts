/** The plans of SQLite: see `suite.ts`. */

import Sqlite from 'better-sqlite3';
import { explained } from './sqlite.ts';
import { testPlans } from './suite.ts';

await testPlans('sqlite', async (url) => {
  const client = new Sqlite(url);
  return {
    connection: client,
    run: async (sql) => client.exec(sql),
    explained: (sent, isBehind) => explained(client, sent, isBehind),
    close: async () => client.close(),
  };
});
