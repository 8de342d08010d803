/** Lists of operands at a `real` column of PostgreSQL, which refuses the numbers that it cannot hold. */

import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const tables = sqlTables({
  ratio: { table: 'ratios', primaryKey: 'id', columns: { id: 'integer', x: 'real' } },
});
const registry = sqlRegistry(tables);
const rules = defineQueryRules(registry, 'ratio', {
  filters: [{ path: 'x', operators: ['eq', 'in', 'notIn'] }],
  fields: { root: { allowed: ['id'], default: ['id'] } },
});

it('a list of numbers beyond single precision selects the rows that hold them', async ({
  skip,
}) => {
  const database = await scratchDatabase('postgresql', 'single');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return skip();
  }
  const pool = new pg.Pool({ connectionString: database.url });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  await pool.query('create table ratios (id int primary key, x real)');
  await pool.query(`insert into ratios values (1, 0.1), (2, 2), (3, 0), (4, 'NaN')`);
  const source = sqlSource({ connection: pool, registry, tables, model: 'ratio' });
  for (const [filter, ids] of [
    ['filter[x][in]=1e39,2', [2]],
    ['filter[x][in]=0.1,-1e308', [1]],
    // The nearest number of single precision is 0, as for `eq`.
    ['filter[x][notIn]=1e-60,2', [1, 4]],
    ['filter[x][eq]=1e-60', [3]],
    ['filter[x][eq]=1e39', []],
  ] as const) {
    const { data } = await runQuery(source, filter, rules);
    expect(data).toEqual(ids.map((id) => ({ id })));
  }
});
