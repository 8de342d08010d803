/** Time of a filter on a title of another tenant beside one on a title that does not exist, under a scope. */

import pg from 'pg';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { figure, table } from '../markdown.ts';
import { measure } from '../measure.ts';
import { postgresUrl } from '../lists/services.ts';

const schema = 'sluice_bench_scopes';
const tenants = 100;
const perTenant = 1000;

const tables = sqlTables({
  doc: {
    table: 'doc',
    schema,
    primaryKey: 'id',
    columns: { id: 'integer', tenantId: { type: 'integer', column: 'tenant_id' }, title: 'text' },
    relations: { notes: { many: 'note', to: 'docId' } },
  },
  note: {
    table: 'note',
    schema,
    primaryKey: 'id',
    columns: {
      id: 'integer',
      tenantId: { type: 'integer', column: 'tenant_id' },
      docId: { type: 'integer', column: 'doc_id' },
      title: 'text',
    },
  },
});

const ofTenant = ({ tenant }: { readonly tenant: number }) =>
  ({ type: 'condition', path: 'tenantId', operator: 'eq', value: tenant }) as const;

const registry = sqlRegistry(tables);

const rules = defineQueryRules(
  registry,
  'doc',
  {
    filters: [
      { path: 'title', operators: ['eq', 'like'] },
      { path: 'notes.title', operators: ['eq', 'like'] },
    ],
    fields: { root: { allowed: ['id', 'title'], default: ['id', 'title'] } },
  },
  { scopes: { doc: ofTenant, note: ofTenant } },
);

async function seed(client: pg.Client): Promise<void> {
  await client.query(`drop schema if exists ${schema} cascade; create schema ${schema}`);
  for (const [name, more] of [
    ['doc', ''],
    ['note', ', doc_id integer not null'],
  ]) {
    await client.query(
      `create table ${schema}.${name} (id integer primary key, tenant_id integer not null, title text not null${more})`,
    );
    await client.query(
      `insert into ${schema}.${name} select n, n % ${tenants}, 't' || n${more ? ', n' : ''}
       from generate_series(1, ${tenants * perTenant}) n`,
    );
    await client.query(`create index on ${schema}.${name} (title)`);
  }
  await client.query(`create index on ${schema}.note (doc_id)`);
  await client.query('analyze');
}

/** The figures of one kind of index. */
async function timed(pool: pg.Pool, index: string, iterations: number): Promise<string[][]> {
  const source = sqlSource({ connection: pool, registry, tables, model: 'doc' });
  const rows: string[][] = [];
  for (const filter of ['title][eq', 'title][like', 'notes.title][eq', 'notes.title][like']) {
    // A title of tenant 7, and one that no row has; a title differs in each request.
    const run = (first: string) => async (count: number) => {
      const title = `${first}${1007 + (count % 900) * tenants}`;
      const result = await runQuery(source, `filter[${filter}]=${title}`, rules, {
        scope: { tenant: 3 },
      });
      if (result.data.length > 0) throw new Error('The scope let a row of another tenant through.');
    };
    const [foreign, absent] = await measure(
      [
        { name: 'foreign', run: run('t') },
        { name: 'absent', run: run('u') },
      ],
      { iterations, rounds: 50, warmup: 200, budget: 20_000 },
    );
    if (!foreign || !absent) throw new Error('A contender has no figures.');
    rows.push([
      index,
      `filter[${filter}]`,
      figure(absent.p50 * 1000),
      figure(foreign.p50 * 1000),
      figure(foreign.p50 / absent.p50),
    ]);
  }
  return rows;
}

/** Prints the table for PostgreSQL. */
export async function runScopes(iterations: number): Promise<void> {
  const client = new pg.Client(postgresUrl('postgres'));
  await client.connect();
  const pool = new pg.Pool({ connectionString: postgresUrl('postgres'), max: 1 });
  try {
    await seed(client);
    const byTitle = await timed(pool, 'title', iterations);
    await client.query(`drop index ${schema}.doc_title_idx, ${schema}.note_title_idx`);
    await client.query(`create index on ${schema}.doc (tenant_id, title)`);
    await client.query(`create index on ${schema}.note (tenant_id, title)`);
    const byTenant = await timed(pool, 'tenant, title', iterations);
    console.log(
      '## Scopes: time of a filter on a row of another tenant, PostgreSQL, µs per request\n',
    );
    console.log(
      table(
        ['index', 'filter', 'no such row', 'row of another tenant', 'ratio'],
        [...byTitle, ...byTenant],
      ),
    );
  } finally {
    await pool.end();
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.end();
  }
}
