/** Reads on a pool of the host: each read in a READ ONLY transaction with a statement timeout. */

import type pg from 'pg';
import { executorOf } from '../../../adapters/sql/executors/recognise.ts';
import { Semaphore, withTimeout } from '../../../lib/index.ts';
import { QueryError } from '../../../schema/index.ts';
import { checkOut } from './check-out.ts';
import { readTimeout } from './read-timeout.ts';
import { type NamedRow, type ReadChannel, type ReadSession, rowChannel } from './read-channel.ts';

const sessions = new WeakMap<pg.PoolClient, ReadSession>();

function sessionOn(client: pg.PoolClient): ReadSession {
  let session = sessions.get(client);
  if (!session) {
    session = {
      // The host's pool may use a pooler that switches connections between transactions.
      connection: { ...executorOf(client, { namedStatements: false }), channel: rowChannel },
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

async function readOn<Answer>(
  pool: pg.Pool,
  queryTimeoutMs: number,
  work: (session: ReadSession) => Promise<Answer>,
): Promise<Answer> {
  const { client, release } = await checkOut(pool);
  const read = async (): Promise<Answer> => {
    await client.query(
      `begin transaction read only; set local statement_timeout = ${queryTimeoutMs}; set local datestyle = iso`,
    );
    const answer = await work(sessionOn(client));
    await client.query('commit');
    return answer;
  };
  try {
    const answer = await withTimeout(read(), queryTimeoutMs + grace, readTimeout);
    release();
    return answer;
  } catch (error) {
    // A connection that is silent or cannot roll back is removed from the pool.
    if (error instanceof QueryError && error.code === 'QUERY_TIMEOUT') release(error);
    else
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
    read: (work) => {
      const limit = queryTimeoutMs + grace;
      const read = semaphore.run(() => readOn(pool, queryTimeoutMs, work), limit, readTimeout);
      return withTimeout(read, limit, readTimeout);
    },
    close: () => Promise.resolve(),
  };
}
