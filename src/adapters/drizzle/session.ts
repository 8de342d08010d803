/** The connection and the transactions of a Drizzle database. */

import { isObject } from '../../lib/index.ts';
import { type DrizzleHandle, clientOf, sessionOf } from './foreign.ts';

interface Transactional {
  transaction<T>(body: (transaction: DrizzleHandle) => Promise<T>): Promise<T>;
}

/** A connection that emits an event when it ends, as those of node-postgres do. */
interface Connection {
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
}

function connectionOf(handle: DrizzleHandle): Connection | undefined {
  const client: Partial<Connection> | undefined = clientOf(handle);
  const tells = typeof client?.on === 'function' && typeof client.off === 'function';
  return tells ? (client as Connection) : undefined;
}

const ignore = (): void => {};

/**
 * Runs a transaction, or a savepoint inside another transaction. While it runs, a lost connection only fails its
 * statements: a connection taken from the pool has no error listener, so the error would end the process.
 */
export async function inTransaction<T>(
  handle: DrizzleHandle,
  body: (transaction: DrizzleHandle) => Promise<T>,
): Promise<T> {
  let connection: Connection | undefined;
  try {
    return await (handle as unknown as Transactional).transaction((inner) => {
      connection = connectionOf(inner);
      connection?.on('error', ignore);
      return body(inner);
    });
  } finally {
    connection?.off('error', ignore);
  }
}

/** Whether the handle is a transaction, which has no connection of its own. */
export function isTransaction(handle: DrizzleHandle): boolean {
  return (handle as { readonly $client?: object }).$client === undefined;
}

/** The driver's pool or connection: that of the database, or the connection of a transaction. */
export function connectionBehind(handle: DrizzleHandle): object {
  const own = (handle as { readonly $client?: unknown }).$client ?? clientOf(handle);
  return isObject(own) || typeof own === 'function' ? own : sessionOf(handle);
}

/** An object that lives as long as the connection to the server. */
export function serverOf(handle: DrizzleHandle): object {
  return (handle as { readonly $client?: object }).$client ?? sessionOf(handle);
}

/** Whether the handle uses a pool, so that two statements can run concurrently. */
export function isPooled(handle: object): boolean {
  const client = (handle as { $client?: unknown }).$client;
  // The client of postgres.js is a function, which reserves connections of its pool.
  if (typeof client === 'function') return 'reserve' in client;
  if (typeof client !== 'object' || client === null) return false;
  // node-postgres pools count their clients; mysql2 pools have `getConnection`.
  return 'totalCount' in client || ('getConnection' in client && !('threadId' in client));
}
