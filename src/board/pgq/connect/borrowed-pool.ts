/** Reads on a pool of the host's: each read in a READ ONLY transaction with a time limit of its own. */

import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { Places } from './places.ts';
import type { NamedRow, ReadChannel, ReadSession } from './read-channel.ts';

/** Sessions by client, so that what Drizzle prepares is prepared once per connection. */
const sessions = new WeakMap<pg.PoolClient, ReadSession>();

function sessionOn(client: pg.PoolClient): ReadSession {
  let session = sessions.get(client);
  if (!session) {
    session = {
      db: drizzle(client),
      // The host's pool may lead through a pooler that mixes connections up between transactions.
      namedStatements: false,
      query: async (text, values) => (await client.query<NamedRow>(text, [...values])).rows,
    };
    sessions.set(client, session);
  }
  return session;
}

/** Connections of the host's that reads have at a time. */
const readers = 3;
/** Milliseconds beyond the server's own limit. */
const grace = 1_000;

/** The statement under way fails with the same error. */
const ignore = (): void => undefined;

/**
 * A connection of the pool's. The pool listens to idle ones alone: one that breaks while it is lent would end the
 * process, be it in the very data with which it became ready, before a promise could tell of it.
 */
function lent(pool: pg.Pool): Promise<pg.PoolClient> {
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
  const client = await lent(pool);
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
    // A connection that cannot roll back is of no use to the host either.
    await client.query('rollback').then(
      () => release(),
      (broken: Error) => release(broken),
    );
    throw error;
  }
}

/** A channel on the host's pool, which stays the host's to close. */
export function borrowedPoolChannel(pool: pg.Pool, queryTimeoutMs: number): ReadChannel {
  const places = new Places(readers);
  return {
    // The host's pool may be busy, or its server silent, for longer than a request waits.
    read: (work) => places.run(() => readOn(pool, queryTimeoutMs, work), queryTimeoutMs + grace),
    close: () => Promise.resolve(),
  };
}
