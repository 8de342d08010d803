/** Ends a pool of `pg`, also while its server does not reply. */

import type pg from 'pg';
import { withTimeout } from '../../../lib/index.ts';

/** Connections of the pool, as `pg-pool` keeps them. */
interface Connections {
  readonly _clients?: readonly {
    readonly connection?: { readonly stream?: { destroy(): void } };
  }[];
}

/** Milliseconds in which idle connections take their leave. */
const farewellMs = 100;

/** Ends the pool. Connections that are in use, or on which the server is silent, are cut. */
export async function endPool(pool: pg.Pool): Promise<void> {
  const clients = [...((pool as unknown as Connections)._clients ?? [])];
  const ended = pool.end();
  await withTimeout(ended, farewellMs).catch(() => {
    for (const { connection } of clients) connection?.stream?.destroy();
    ended.catch(() => undefined);
  });
}
