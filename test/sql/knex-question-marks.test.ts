/** Question marks in the names of tables and columns, which Knex reads as placeholders. */

import createKnex, { type Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { type DatabaseFamily, defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const clients: Readonly<Record<DatabaseFamily, string>> = {
  postgresql: 'pg',
  mysql: 'mysql2',
  sqlite: 'better-sqlite3',
};

describe.each(Object.entries(clients) as [DatabaseFamily, string][])('%s', (family, client) => {
  let knex: Knex | undefined;
  let drop: () => Promise<void> = () => Promise.resolve();

  beforeAll(async () => {
    const database = await scratchDatabase(family, 'question_marks');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    const connection = family === 'sqlite' ? { filename: database.url } : database.url;
    drop = () => database.drop();
    knex = createKnex({ client, connection, useNullAsDefault: true });
    await knex.schema.createTable('asked', (table) => {
      table.integer('id').notNullable().primary();
      table.string('state').notNullable();
    });
    await knex('asked').insert([
      { id: 1, state: 'open' },
      { id: 2, state: 'shut' },
      { id: 3, state: 'open' },
    ]);
    await knex.schema.alterTable('asked', (table) => table.renameColumn('state', 'open\\?'));
    await knex.schema.renameTable('asked', 'who\\?');
  });
  afterAll(async () => {
    await knex?.destroy();
    await drop();
  });

  it('are names, with values beside them', async () => {
    if (!knex) return;
    const tables = sqlTables({
      person: {
        table: 'who?',
        primaryKey: 'id',
        columns: { id: 'integer', state: { type: 'varchar(255)', column: 'open?' } },
      },
    });
    const registry = sqlRegistry(tables);
    const rules = defineQueryRules(registry, 'person', {
      filters: [{ path: 'state', operators: ['eq'] }],
      sorts: ['state'],
      fields: { root: { allowed: ['id', 'state'], default: ['id'] } },
    });
    const source = sqlSource({ connection: knex, registry, tables, model: 'person' });
    const { data } = await runQuery(
      source,
      'filter[state]=open&sort=-state&perPage=1&page=2',
      rules,
    );
    expect(data).toEqual([{ id: 1 }]);
  });
});
