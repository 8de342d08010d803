/** The statements on the catalogue of MariaDB read one database: where others are read, one that is dropped meanwhile fails them. */

import mysql2 from 'mysql2/promise';
import { expect, it } from 'vitest';
import { checkProfile, introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

it('reads the catalogue of the database of the connection alone', async ({ skip }) => {
  const database = await scratchDatabase('mysql', 'own_catalogue');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return skip();
  }
  const connection = await mysql2.createConnection({ uri: database.url });
  const sent: [sql: string, values: unknown[]][] = [];
  const ask = connection.query.bind(connection) as (...given: unknown[]) => Promise<unknown>;
  const query = (statement: { readonly sql: string; readonly values: unknown[] }) => {
    sent.push([statement.sql, statement.values]);
    return ask(statement);
  };
  try {
    await ask('create table items (id int primary key, name varchar(20))');
    Object.assign(connection, { query });
    const registry = await introspect(connection);
    const tables = registry.tables;
    await checkProfile(sqlSource({ connection, registry, tables, model: 'items' } as never));
    const catalogue = sent.filter(([sql]) => /information_schema/i.test(sql));
    expect(catalogue.length).toBeGreaterThan(4);
    for (const [sql, values] of catalogue) {
      const [plan] = (await ask(`explain ${sql}`, values)) as [{ Extra: string | null }[]];
      expect(plan.map(({ Extra }) => Extra).join()).not.toContain('Scanned all databases');
    }
  } finally {
    await connection.end();
    await database.drop();
  }
});
