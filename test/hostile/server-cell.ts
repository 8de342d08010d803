/** The hostile suite's endpoint on a database server, for the tests of one `describe`. */

import { afterAll, beforeAll } from 'vitest';
import { everyServiceRequired } from '../services/index.ts';
import type { MissingService } from '../services/index.ts';
import { mysqlCell, postgresqlCell } from './fixtures.ts';
import type { HostileCell } from './fixtures.ts';

/** The families that need a server. */
export const serverFamilies = [
  { name: 'PostgreSQL', open: postgresqlCell },
  { name: 'MySQL or MariaDB', open: mysqlCell },
] as const;

/** Opens the cell before the tests and closes it after them; `undefined` where there is no server to be had. */
export function serverCell(
  open: () => Promise<HostileCell | MissingService>,
): () => HostileCell | undefined {
  let cell: HostileCell | undefined;
  beforeAll(async () => {
    const opened = await open();
    if (!('missing' in opened)) cell = opened;
    else if (everyServiceRequired()) throw new Error(opened.advice);
    else console.warn(opened.advice);
  }, 60_000);
  afterAll(() => cell?.close());
  return () => cell;
}
