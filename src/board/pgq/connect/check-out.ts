/** A connection out of a pool of `pg`, and its return. */

import type pg from 'pg';

/** A connection that is checked out. */
interface CheckedOut {
  readonly client: pg.PoolClient;
  /** Returns it to the pool, or, if it is broken, drops it. */
  release(broken?: Error): void;
}

/** The current statement fails with the same error. */
const ignore = (): void => undefined;

/**
 * Checks out a connection. The pool handles errors of idle connections only; a checked-out connection that breaks would
 * end the process. It may break in the same chunk of data in which it becomes ready, so the listener is added in the
 * callback instead of after a promise.
 */
export function checkOut(pool: pg.Pool): Promise<CheckedOut> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (!client) return reject(error);
      client.on('error', ignore);
      let released = false;
      resolve({
        client,
        release(broken) {
          if (released) return;
          released = true;
          // A connection that is dropped may still fail.
          if (!broken) client.off('error', ignore);
          client.release(broken);
        },
      });
    });
  });
}
