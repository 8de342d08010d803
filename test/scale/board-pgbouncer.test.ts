/** A board behind PgBouncer in transaction mode: the whole suites of reads and commands. */

import { afterAll } from 'vitest';
import type { Cell } from '../board/pgq/cells.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { commandsSuite } from '../board/pgq/suite-commands.ts';
import { readsSuite } from '../board/pgq/suite-reads.ts';
import { findPostgresql } from '../services/index.ts';
import { type PgBouncer, startPgBouncer } from '../services/pgbouncer.ts';
import { started } from './chosen.ts';

const server = await findPostgresql();
const bouncer: PgBouncer | string =
  'missing' in server
    ? 'PgBouncer: there is no PostgreSQL.'
    : await started(() => startPgBouncer(server.url, { poolSize: 5 }));

afterAll(async () => {
  if (typeof bouncer !== 'string') await bouncer.dispose();
  if (!('missing' in server)) await server.dispose();
});

if (typeof bouncer !== 'string') {
  const { through } = bouncer;
  const cell = (name: string, pooler: boolean): Cell => ({
    name: `${newestLibrary.name}, ${name}`,
    library: newestLibrary,
    options: ({ url }) => ({ pgq: { connection: through(url), pooler } }),
  });
  const noticed = cell('a pooler that is noticed', false);
  readsSuite(noticed);
  commandsSuite(noticed);
  commandsSuite(cell('a pooler that is named', true));
}
