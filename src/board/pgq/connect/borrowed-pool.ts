/** Reads on a pool of the host: each read in a READ ONLY transaction with a statement timeout. */

import type pg from 'pg';
import { sqlExecutor } from '../../../adapters/sql/index.ts';
import { Semaphore } from '../../../lib/index.ts';
import { readTimeout } from './read-timeout.ts';
import { type NamedRow, type ReadChannel, type ReadSession, rowChannel } from './read-channel.ts';

/** Sessions by client. */
const sessions = new WeakMap<pg.PoolClient, ReadSession>();

function sessionOn(client: pg.PoolClient): ReadSession {
  let session = sessions.get(client);
  if (!session) {
    session = {
      // The host's pool may use a pooler that switches connections between transactions.
      connection: { ...sqlExecutor(client, { namedStatements: false }), channel: rowChannel },
      query: async (text, values) => (await client.query<NamedRow>(text, [...values])).rows,
    };
    sessions.set(client, session);
  }
  return session;
}

/** Maximum number of the host's connections in concurrent use. */
const maxConnections = 3;
/** Milliseconds that the board waits beyond the statement timeout of the server. */
const grace = 1_000;

/** The current statement fails with the same error. */
const ignore = (): void => undefined;

/**
 * Checks out a connection. The pool handles errors of idle connections only; a checked-out connection that breaks would
 * end the process. It may break in the same chunk of data in which it becomes ready, so the listener is added in the
 * callback instead of after a promise.
 */
function checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      client?.on('error', ignore);
      if (client) resolve(client);
      else reject(error);
    });
  });
}

async function readOn<Answer>(
  pool: pg.Pool,
  queryTimeoutMs: number,
  work: (session: ReadSession) => Promise<Answer>,
): Promise<Answer> {
  const client = await checkOut(pool);
  const release = (broken?: Error): void => {
    client.off('error', ignore);
    client.release(broken);
  };
  try {
    await client.query(
      `begin transaction read only; set local statement_timeout = ${queryTimeoutMs}; set local datestyle = iso`,
    );
    const answer = await work(sessionOn(client));
    await client.query('commit');
    release();
    return answer;
  } catch (error) {
    // A connection that cannot roll back is removed from the pool.
    await client.query('rollback').then(
      () => release(),
      (broken: Error) => release(broken),
    );
    throw error;
  }
}

/** A channel on a pool of the host, which the host closes. */
export function borrowedPoolChannel(pool: pg.Pool, queryTimeoutMs: number): ReadChannel {
  const semaphore = new Semaphore(maxConnections);
  return {
    // The pool may be exhausted, or its server unresponsive, for longer than a request waits.
    read: (work) =>
      semaphore.run(() => readOn(pool, queryTimeoutMs, work), queryTimeoutMs + grace, readTimeout),
    close: () => Promise.resolve(),
  };
}
