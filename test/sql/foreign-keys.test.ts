/** Orders through a relation that each row is known to have: by a foreign key that the database enforces at any time. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkProfile,
  introspect,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import {
  type QuerySource,
  type SchemaRegistry,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const [companies, users] = [500, 10_000];
/** Rows that a page of ten by an index of the companies may read of the users and companies together. */
const mostRead = 200;

const database = await scratchDatabase('postgresql', 'foreign_keys');

describe.skipIf('missing' in database && !everyServiceRequired())('a foreign key', () => {
  if ('missing' in database) throw new Error(database.advice);
  const client = new pg.Client({ connectionString: database.url });
  const sent: { text: string; values?: unknown[] }[] = [];
  const heard = Object.assign(Object.create(client) as pg.Client, {
    query: (statement: (typeof sent)[number], ...rest: unknown[]) => {
      sent.push(statement);
      return (client.query as (...given: unknown[]) => unknown).call(client, statement, ...rest);
    },
  });
  const page = () =>
    sent.findLast(({ text }) => text.includes('order by')) as (typeof sent)[number];

  beforeAll(async () => {
    await client.connect();
    await client.query(
      `create table companies (id int primary key, name text collate "C" not null, gone_at int)`,
    );
    await client.query(`create index on companies (name)`);
    for (const [table, reference] of [
      ['users', 'not null references companies'],
      ['voluntary', 'references companies'],
      ['later', 'not null references companies deferrable'],
      ['loose', 'not null'],
      ['guests', 'not null references guarded'],
    ] as const) {
      if (table === 'guests') {
        await client.query(
          `create table guarded (id int primary key, name text collate "C" not null)`,
        );
        await client.query(`alter table guarded enable row level security`);
        await client.query(
          `insert into guarded select no, 'g' || no from generate_series(1, ${companies}) as no`,
        );
      }
      await client.query(`create table ${table} (id int primary key, company_id int ${reference})`);
      await client.query(`create index on ${table} (company_id, id)`);
    }
    await client.query(
      `insert into companies select no, 'c' || lpad((no * 7 % ${companies})::text, 4, '0') from generate_series(1, ${companies}) as no`,
    );
    for (const table of ['users', 'voluntary', 'later', 'loose', 'guests']) {
      await client.query(
        `insert into ${table} select no, 1 + no % ${companies} from generate_series(1, ${users}) as no`,
      );
    }
    await client.query('insert into loose values (0, 0)');
    await client.query(
      'alter table loose add foreign key (company_id) references companies not valid',
    );
    await client.query('vacuum analyze');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const asked = async (
    registry: SchemaRegistry,
    source: QuerySource,
    model: string,
    sort: string,
  ) => {
    const rules = defineQueryRules(
      registry,
      model,
      {
        sorts: ['company.name'],
        fields: { root: { allowed: ['id'], default: ['id'] } },
        pagination: { mode: 'keyset' },
      },
      { cursorKeys },
    );
    const { data } = await runQuery(source, `sort=${sort}&perPage=10`, rules);
    return data.map(({ id }) => id);
  };
  const byHand = async (table: string, order: string) => {
    const joined = table === 'guests' ? 'guarded' : 'companies';
    const { rows } = await client.query<{ id: number }>(
      `select u.id from ${table} u left join ${joined} c on c.id = u.company_id order by ${order} limit 10`,
    );
    return rows.map(({ id }) => id);
  };

  it.each([
    ['company.name', 'c.name, u.id'],
    ['-company.name', 'c.name desc, u.id desc'],
  ] as const)('serves sort=%s by an index of its target', async (sort, order) => {
    const registry = await introspect(client);
    const source = sqlSource({
      connection: heard,
      registry,
      tables: registry.tables,
      model: 'users',
    });
    expect(await asked(registry, source, 'users', sort)).toEqual(await byHand('users', order));
    const { text, values } = page();
    expect(text).toContain('inner join "companies"');
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (analyze, format json) ${text}`,
      values,
    );
    expect(rowsOf(rows[0]?.['QUERY PLAN'][0]?.Plan as PlanNode)).toBeLessThan(mostRead);
  });

  it.each([
    ['voluntary', 'whose columns may be null'],
    ['later', 'that is deferrable'],
    ['loose', 'that is not valid'],
    ['guests', 'to a table with row security'],
  ] as const)('of %s, %s, leaves each row in the list', async (table: string, _which) => {
    const registry = await introspect(client);
    const source = sqlSource({
      connection: heard,
      registry,
      tables: registry.tables,
      model: table,
    });
    expect(await asked(registry, source, table, 'company.name')).toEqual(
      await byHand(table, 'c.name, u.id'),
    );
    expect(page().text).toContain('left join');
  });

  it('leaves each row in the list of a request that may not see all targets', async () => {
    const registry = await introspect(client);
    const source = sqlSource({
      connection: heard,
      registry,
      tables: registry.tables,
      model: 'users',
    });
    const rules = defineQueryRules(
      registry,
      'users',
      {
        sorts: ['company.name'],
        fields: { root: { allowed: ['id'], default: ['id'] } },
        pagination: { mode: 'keyset' },
      },
      {
        cursorKeys,
        scopes: {
          users: 'unscoped',
          companies: () => ({ type: 'condition', path: 'id', operator: 'gt', value: 5 }),
        },
      },
    );
    const { data } = await runQuery(source, 'sort=company.name&perPage=10', rules, { scope: {} });
    const { rows } = await client.query(
      `select u.id from users u left join companies c on c.id = u.company_id and c.id > 5
       order by c.name, u.id limit 10`,
    );
    expect(data).toEqual(rows);
  });

  it('of declared tables is believed once the profile has been checked', async () => {
    const tables = sqlTables({
      user: {
        table: 'users',
        primaryKey: 'id',
        columns: { id: 'int', companyId: { type: 'int', column: 'company_id' } },
        relations: { company: { one: 'company', from: 'companyId' } },
      },
      company: { table: 'companies', primaryKey: 'id', columns: { id: 'int', name: 'text' } },
    });
    const registry = sqlRegistry(tables, { families: ['postgresql'] });
    const source = sqlSource({ connection: heard, registry, tables, model: 'user' });
    const joined = async () => {
      await asked(registry, source, 'user', 'company.name');
      return page().text.includes('inner join');
    };
    expect(await joined()).toBe(false);
    expect(await checkProfile(source)).toEqual([]);
    expect(await joined()).toBe(true);
  });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

const rowsOf = (node: PlanNode): number =>
  (node['Relation Name'] ? node['Actual Rows'] * node['Actual Loops'] : 0) +
  (node.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), 0);
