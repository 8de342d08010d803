/** Reads on a pool of the host's: each read in a READ ONLY transaction with a time limit of its own. */

import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
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

/** A channel on the host's pool, which stays the host's to close. */
export function borrowedPoolChannel(pool: pg.Pool, queryTimeoutMs: number): ReadChannel {
  return {
    async read(work) {
      const client = await pool.connect();
      try {
        await client.query(
          `begin transaction read only; set local statement_timeout = ${queryTimeoutMs}`,
        );
        const answer = await work(sessionOn(client));
        await client.query('commit');
        client.release();
        return answer;
      } catch (error) {
        // A connection that cannot roll back is of no use to the host either.
        await client.query('rollback').then(
          () => client.release(),
          (broken: Error) => client.release(broken),
        );
        throw error;
      }
    },
    close: () => Promise.resolve(),
  };
}
