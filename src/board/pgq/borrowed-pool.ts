/** Reads on a pool of the host's: each read in a READ ONLY transaction with a time limit of its own. */

import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { NamedRow, ReadChannel, ReadSession } from './read-channel.ts';
import { limited } from './time-limit.ts';

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

/** Milliseconds beyond the server's own limit. */
const grace = 1_000;

/** The statement under way fails with the same error. */
const ignore = (): void => undefined;

async function readOn<Answer>(
  pool: pg.Pool,
  queryTimeoutMs: number,
  work: (session: ReadSession) => Promise<Answer>,
): Promise<Answer> {
  const client = await pool.connect();
  // The pool listens to idle clients alone: a connection that breaks now would end the process.
  client.on('error', ignore);
  const release = (broken?: Error): void => {
    client.off('error', ignore);
    client.release(broken);
  };
  try {
    await client.query(
      `begin transaction read only; set local statement_timeout = ${queryTimeoutMs}`,
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
  return {
    // The host's pool may be busy, or its server silent, for longer than a request waits.
    read: (work) => limited(readOn(pool, queryTimeoutMs, work), queryTimeoutMs + grace),
    close: () => Promise.resolve(),
  };
}
