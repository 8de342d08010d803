/** Reads on the host's pool: each read in a READ ONLY transaction with a time limit. */

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
      // The host's pool may lead through a pooler that changes connections between transactions.
      connection: { ...sqlExecutor(client, { namedStatements: false }), channel: rowChannel },
      query: async (text, values) => (await client.query<NamedRow>(text, [...values])).rows,
    };
    sessions.set(client, session);
  }
  return session;
}

/** The host's connections that reads use at a time. */
const maxConnections = 3;
/** Milliseconds that the board waits beyond the server's limit. */
const grace = 1_000;

/** The statement under way fails with the same error. */
const ignore = (): void => undefined;

/**
 * Checks a connection out. The pool handles errors of idle connections only: one that breaks while checked out would
 * end the process. It may break in the same data with which it became ready, so the listener is added in the
 * callback and not after a promise.
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

/** A channel on the host's pool. The host closes the pool. */
export function borrowedPoolChannel(pool: pg.Pool, queryTimeoutMs: number): ReadChannel {
  const semaphore = new Semaphore(maxConnections);
  return {
    // The host's pool may be busy, or its server silent, for longer than a request waits.
    read: (work) =>
      semaphore.run(() => readOn(pool, queryTimeoutMs, work), queryTimeoutMs + grace, readTimeout),
    close: () => Promise.resolve(),
  };
}
