/** The plans of MariaDB: see `suite.ts`. */

import mysql2 from 'mysql2/promise';
import { explained } from './mysql.ts';
import { testPlans } from './suite.ts';

await testPlans('mysql', async (url) => {
  const client = await mysql2.createConnection(url);
  return {
    connection: client,
    run: (sql) => client.query(sql),
    explained: (sent) => explained(client, sent),
    close: () => client.end(),
  };
});
