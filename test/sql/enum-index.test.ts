/** Comparisons of native enums by their order use the index on the column, on MySQL or MariaDB. */

import mysql2, { type RowDataPacket } from 'mysql2/promise';
import { expect, it } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

it('compares enums by their order with an index', async (context) => {
  const database = await scratchDatabase('mysql', 'enum_index');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip(database.advice);
  }
  const connection = await mysql2.createConnection({ uri: database.url });
  try {
    const members = ['waiting', 'active', 'failed', 'done'] as const;
    const list = members.map((member) => `'${member}'`).join();
    await connection.query(
      `create table jobs (id int primary key, status enum(${list}) not null, key by_status (status))`,
    );
    const rows = Array.from({ length: 2000 }, (_, id) => [
      id,
      id % 100 === 0 ? members[(id / 100) % 3] : 'done',
    ]);
    await connection.query('insert into jobs values ?', [rows]);
    await connection.query('analyze table jobs');
    const tables = sqlTables({
      job: {
        table: 'jobs',
        primaryKey: 'id',
        columns: {
          id: 'int',
          status: { type: `enum(${list})`, kind: 'enum', enumValues: members },
        },
      },
    });
    const registry = sqlRegistry(tables, { families: ['mysql'] });
    const rules = defineQueryRules(registry, 'job', {
      filters: [{ path: 'status', operators: ['lt', 'lte', 'between', 'in'] }],
      sorts: ['status'],
      fields: { root: { allowed: ['id', 'status'], default: ['id'] } },
    });
    const sent: { readonly sql: string; readonly values: unknown[] }[] = [];
    const query = connection.query.bind(connection) as (sql: object) => Promise<unknown>;
    const listening = Object.assign(Object.create(connection) as typeof connection, {
      query: (statement: { readonly sql: string; readonly values: unknown[] }) => {
        sent.push(statement);
        return query(statement);
      },
    });
    const source = sqlSource({ connection: listening, registry, tables, model: 'job' });
    const answers = { 'lt]=failed': 14, 'lte]=active': 14, 'between]=active,failed': 13 };
    for (const [filter, total] of Object.entries(answers)) {
      sent.splice(0);
      const page = await runQuery(source, `filter[status][${filter}&perPage=5`, rules);
      expect(page).toMatchObject({ total });
      expect(sent.length).toBeGreaterThan(0);
      const counting = sent.find(({ sql }) => sql.includes('count(*)'));
      const [plan] = await connection.query<RowDataPacket[]>(
        `explain ${counting?.sql.replace(/^\/\*.*?\*\/\s*/, '')}`,
        counting?.values,
      );
      expect([filter, plan[0]?.['type'], plan[0]?.['key']]).toEqual([filter, 'range', 'by_status']);
    }
  } finally {
    await connection.end();
    await database.drop();
  }
});
