/** Pools of `pg` that end also while their server does not reply. */

import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { withTimeout } from '../../../lib/index.ts';

/** The module `pg`, which is loaded with the first board that needs it. */
export type PgDriver = typeof pg;

/** The open sockets of pools. */
const sockets = new WeakMap<pg.Pool, Set<Duplex>>();

/** The pool drops idle connections that break; the next query opens another. */
export function openPool(driver: PgDriver, config: pg.PoolConfig): pg.Pool {
  const open = new Set<Duplex>();
  const stream = (): Duplex => {
    const socket = config.stream?.() ?? new Socket();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    return socket;
  };
  const pool = new driver.Pool({ ...config, stream });
  pool.on('error', () => undefined);
  sockets.set(pool, open);
  return pool;
}

/** Milliseconds in which idle connections take their leave. */
const farewellMs = 100;

/** Ends a pool of `openPool`. Connections that are in use, or on which the server is silent, are cut. */
export async function endPool(pool: pg.Pool): Promise<void> {
  const ended = pool.end();
  await withTimeout(ended, farewellMs).catch(() => {
    for (const socket of sockets.get(pool) ?? []) socket.destroy();
    ended.catch(() => undefined);
  });
}
