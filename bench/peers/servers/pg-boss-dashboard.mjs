/** The dashboard of pg-boss, mounted in a server of Node.js. */

import { createDashboardHandler } from '@pg-boss/dashboard/handler';
import { databaseUrl, serve } from './serve.ts';

const handle = createDashboardHandler({ databases: [{ url: databaseUrl }] });
await serve(async ({ url, headers }, response) => {
  const request = new Request(new URL(url, 'http://127.0.0.1'), { headers });
  const answer = await handle(request);
  response.writeHead(answer.status, [...answer.headers].flat());
  response.end(Buffer.from(await answer.arrayBuffer()));
});
