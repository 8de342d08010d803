/**
 * Conditions that a few rows meet for one value and most rows for another, on PostgreSQL, of requests and of scopes: a plan
 * that is kept for all values would read the table along its order. And the absence of a related row, which an index on the foreign key serves.
 */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, sqlRegistry, sqlSource } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type Sent, explained, heard, rowsExamined } from './heard.ts';

const rows = 20_000;
/** Rows that a page of ten may read. */
const mostRead = 100;

const database = await scratchDatabase('postgresql', 'skewed_values');

describe.skipIf('missing' in database && !everyServiceRequired())('a skewed column', () => {
  if ('missing' in database) throw new Error(database.advice);
  const client = new pg.Client({ connectionString: database.url });
  const { connection, sent } = heard(client);

  beforeAll(async () => {
    await client.connect();
    await client.query(`create type state as enum ('open', 'done')`);
    await client.query('create table teams (id int primary key)');
    await client.query('insert into teams values (1), (2)');
    await client.query(
      `create table jobs (id int primary key, place int not null, state state not null, is_open boolean not null, kind text not null, size int not null, tenant_id int not null references teams, team_id int references teams)`,
    );
    const isRare = `no > ${rows - 5}`;
    await client.query(
      `insert into jobs select no, -no, (case when ${isRare} then 'open' else 'done' end)::state, ${isRare}, case when ${isRare} then 'open' else 'done' end, no, case when ${isRare} then 2 else 1 end, case when not (${isRare}) then 1 end from generate_series(1, ${rows}) as no`,
    );
    await client.query('create table tags (id int primary key)');
    await client.query('insert into tags select id from teams');
    await client.query(
      'create table job_tags (job_id int not null references jobs, tag_id int not null references tags, primary key (job_id, tag_id))',
    );
    await client.query('insert into job_tags select id, tenant_id from jobs');
    await client.query('create index on job_tags (tag_id)');
    for (const column of ['place', 'state', 'is_open', 'kind', 'size', 'tenant_id', 'team_id']) {
      await client.query(`create index on jobs (${column})`);
    }
    await client.query('vacuum analyze');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** How many rows a statement reads: by a plan for all values, where the server keeps one under its name. */
  const rowsOf = async (statement: Sent): Promise<number> => {
    const { name } = statement as { readonly name?: string };
    const kept = 'select from pg_prepared_statements where name = $1';
    if (((await client.query(kept, [name])).rowCount ?? 0) === 0) {
      return rowsExamined(await explained(client, statement));
    }
    const { text, values = [] } = statement;
    const list = values.map((value) =>
      client.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value)),
    );
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare of_all_values as ${text}`);
    try {
      const run = `execute of_all_values${list.length > 0 ? `(${list.join()})` : ''}`;
      return rowsExamined(await explained(client, { text: run }));
    } finally {
      await client.query('deallocate of_all_values');
      await client.query('reset plan_cache_mode');
    }
  };

  const declaration = {
    filters: [
      { path: 'id', operators: ['gte'] },
      { path: 'tags.id', operators: ['eq'] },
      { path: 'state', operators: ['eq', 'in'] },
      { path: 'kind', operators: ['eq', 'in'] },
      { path: 'size', operators: ['between', 'gte'] },
      { path: 'isOpen', operators: ['eq'] },
      { path: 'team', operators: ['isNull'] },
    ],
    sorts: ['place'],
    fields: { root: { allowed: ['id', 'place'], default: ['id'] } },
    pagination: { mode: 'keyset' },
  } as const;
  const opened = async () => {
    const { tables } = await introspect(client);
    const registry = sqlRegistry(tables, { families: ['postgresql'] });
    const source = sqlSource({
      connection,
      registry,
      tables,
      model: 'jobs',
      namedStatements: true,
    });
    return { registry, source };
  };
  /** Asks often: the first plan is probably that of the usual value, which a server that keeps it has for the others. */
  const readsFew = async (read: () => Promise<{ readonly data: readonly object[] }>) => {
    for (let run = 0; run < 15; run += 1) expect((await read()).data).toHaveLength(5);
    const last = sent.at(-1);
    if (!last) throw new Error('Nothing was sent.');
    expect(await rowsOf(last)).toBeLessThan(mostRead);
  };

  it.each([
    'filter[state]=open',
    'filter[state][in]=open',
    'filter[isOpen]=true',
    'filter[team][isNull]=true',
    'filter[tags.id]=2',
    `filter[id][gte]=${rows - 4}&sort=-place`,
    'filter[kind]=open',
    'filter[kind][in]=open',
    `filter[size][between]=${rows - 4},${2 * rows}`,
    `filter[size][gte]=${rows - 4}`,
  ])('reads the rows of a rare value, however often they are asked for: %s', async (request) => {
    const { registry, source } = await opened();
    const rules = defineQueryRules(registry, 'jobs', declaration);
    await readsFew(() => runQuery(source, request, rules));
  });

  it('reads the rows of a small tenant', async () => {
    const { registry, source } = await opened();
    const scopes = {
      jobs: ({ tenant }: { readonly tenant: number }) => ({
        type: 'condition' as const,
        path: 'tenantId',
        operator: 'eq' as const,
        value: tenant,
      }),
      teams: 'unscoped' as const,
      tags: 'unscoped' as const,
    };
    const rules = defineQueryRules(registry, 'jobs', declaration, { scopes });
    await readsFew(() => runQuery(source, '', rules, { scope: { tenant: 2 } }));
  });
});
