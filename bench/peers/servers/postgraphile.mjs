/** PostGraphile with its preset, and without the two columns that clients do not see. */

import { createServer } from 'node:http';
import { once } from 'node:events';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { pgSmartTags } from 'postgraphile/utils';
import { databaseUrl, tell } from './serve.ts';

const hidden = ['name_folded', 'email_folded'].map((name) => ({
  kind: 'attribute',
  match: `public.users.${name}`,
  tags: { behavior: '-*' },
}));
const pgl = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [pgSmartTags(hidden)],
  pgServices: [
    makePgService({ connectionString: databaseUrl, schemas: ['public'], poolConfig: { max: 4 } }),
  ],
  grafast: { explain: false },
});
const server = createServer();
await pgl.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
tell(server);
