/** A PGlite with the tables and rows of the matrix, filled by Knex over a driver that stands on the PGlite. */

import { PGlite } from '@electric-sql/pglite';
import createKnex from 'knex';
import { loadOn } from '../matrix/fixtures/load.ts';

type Done = (error: unknown, result?: unknown) => void;

/** The part of a client of `pg` that Knex uses. */
const clientOn = (database: PGlite) => ({
  connect: (done: Done) => done(null),
  on: () => undefined,
  end: (done: Done) => done(null),
  query: (given: string | { text: string; values?: unknown[] }, done: Done) => {
    const { text, values = [] } = typeof given === 'string' ? { text: given } : given;
    database.query(text, values).then(
      (result) => done(null, result),
      (error: unknown) => done(error),
    );
  },
});

export async function loadedPglite(): Promise<PGlite> {
  const database = await PGlite.create();
  await database.exec(`set timezone to 'UTC'`);
  const knex = createKnex({ client: 'pg', version: '16', connection: {} });
  Object.assign(knex.client as object, {
    acquireRawConnection: async () =>
      Object.assign(clientOn(database), { __knex__disposed: false }),
  });
  try {
    const url = 'pglite';
    const drop = () => database.close();
    await loadOn(knex, { family: 'postgresql', url, drop } as never);
  } finally {
    await knex.destroy();
  }
  return database;
}
