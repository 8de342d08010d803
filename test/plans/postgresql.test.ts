/** The plans of PostgreSQL: see `suite.ts`. */

import pg from 'pg';
import { explained } from './postgresql.ts';
import { testPlans } from './suite.ts';

await testPlans('postgresql', async (url) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    connection: client,
    run: (sql) => client.query(sql),
    explained: (sent) => explained(client, sent),
    close: () => client.end(),
  };
});
