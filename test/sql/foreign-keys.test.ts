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
  type KeysetResult,
  type QuerySource,
  type SchemaRegistry,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { type Sent, explained, heard, rowsRead } from './heard.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const [companies, users] = [500, 10_000];
/** Rows that a page of ten by an index of the companies may read of the users and companies together. */
const mostRead = 200;

const database = await scratchDatabase('postgresql', 'foreign_keys');

describe.skipIf('missing' in database && !everyServiceRequired())('a foreign key', () => {
  if ('missing' in database) throw new Error(database.advice);
  const client = new pg.Client({ connectionString: database.url });
  const { connection, sent } = heard(client);
  const page = () => sent.findLast(({ text }) => text.includes('order by')) as Sent;

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
      ['heirs', 'not null references companies'],
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
    await client.query('create table heirs_before () inherits (heirs)');
    await client.query('create schema other');
    await client.query('create table other.companies (id int primary key)');
    await client.query(
      'create table strangers (id int primary key, company_id int not null references other.companies)',
    );
    await client.query('insert into other.companies values (0), (1)');
    await client.query('insert into strangers values (1, 0), (2, 1)');
    for (const table of ['users', 'voluntary', 'later', 'loose', 'guests', 'heirs']) {
      await client.query(
        `insert into ${table} select no, 1 + no % ${companies} from generate_series(1, ${users}) as no`,
      );
    }
    await client.query('insert into heirs_before values (0, 0)');
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
    cursor = '',
    perPage = 10,
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
    const request = `sort=${sort}&perPage=${perPage}&cursor=${cursor}`;
    const { data, nextCursor } = (await runQuery(source, request, rules)) as KeysetResult;
    return { ids: data.map(({ id }) => id), nextCursor };
  };
  const byHand = async (table: string, order: string, offset = 0) => {
    const joined = table === 'guests' ? 'guarded' : 'companies';
    const { rows } = await client.query<{ id: number }>(
      `select u.id from ${table} u left join ${joined} c on c.id = u.company_id order by ${order} limit 10 offset ${offset}`,
    );
    return rows.map(({ id }) => id);
  };

  it.each([
    ['company.name', 'c.name, u.id'],
    ['-company.name', 'c.name desc, u.id desc'],
  ] as const)('serves sort=%s by an index of its target', async (sort, order) => {
    const registry = await introspect(client);
    const source = sqlSource({
      connection,
      registry,
      tables: registry.tables,
      model: 'users',
    });
    let cursor = '';
    // On the first page, and 5,000 rows deep.
    for (const offset of [0, 5_000]) {
      for (let at = 0; at < offset; at += 500) {
        const { nextCursor } = await asked(registry, source, 'users', sort, cursor, 500);
        cursor = String(nextCursor);
      }
      const { ids } = await asked(registry, source, 'users', sort, cursor);
      expect(ids).toEqual(await byHand('users', order, offset));
      expect(await rowsOfPage()).toBeLessThan(mostRead);
    }
  });

  /** The rows of tables that the last page, with an inner join, has read. */
  const rowsOfPage = async () => {
    expect(page().text).toContain('inner join "companies"');
    return rowsRead(await explained(client, page()));
  };

  it.each([
    ['voluntary', 'whose columns may be null'],
    ['later', 'that is deferrable'],
    ['loose', 'that is not valid'],
    ['guests', 'to a table with row security'],
    ['heirs', 'that rows of an inheriting table do not have'],
  ] as const)('of %s, %s, leaves each row in the list', async (table: string, _which) => {
    const registry = await introspect(client);
    const source = sqlSource({
      connection,
      registry,
      tables: registry.tables,
      model: table,
    });
    expect((await asked(registry, source, table, 'company.name')).ids).toEqual(
      await byHand(table, 'c.name, u.id'),
    );
    expect(page().text).toContain('left join');
  });

  const filtered = async (table: string, filter: string, sees = 0) => {
    const registry = await introspect(client);
    const source = sqlSource({ connection, registry, tables: registry.tables, model: table });
    const rules = defineQueryRules(
      registry,
      table,
      {
        filters: [
          { path: 'company.id', operators: ['eq', 'ne', 'in', 'notIn', 'between', 'gt'] },
          { path: 'company.name', operators: ['eq'] },
        ],
        fields: { root: { allowed: ['id'], default: ['id'] } },
        pagination: { mode: 'keyset' },
      },
      {
        cursorKeys,
        ...(sees > 0 && {
          scopes: {
            [table]: 'unscoped',
            companies: () => ({ type: 'condition', path: 'id', operator: 'gt', value: sees }),
          },
        }),
      },
    );
    const { data } = await runQuery(
      source,
      `${filter}&perPage=10`,
      rules,
      sees > 0 ? { scope: {} } : {},
    );
    return data.map(({ id }) => id);
  };
  const byHandWhere = async (table: string, condition: string, sees = 0) => {
    const { rows } = await client.query<{ id: number }>(
      `select u.id from ${table} u left join companies c on c.id = u.company_id and c.id > ${sees}
       where ${condition} order by u.id limit 10`,
    );
    return rows.map(({ id }) => id);
  };
  const filters = [
    ['filter[company.id]=7', 'c.id = 7'],
    ['filter[company.id][ne]=1', 'c.id <> 1'],
    ['filter[company.id][in]=3,9', 'c.id in (3, 9)'],
    ['filter[company.id][notIn]=1,2', 'c.id not in (1, 2)'],
    ['filter[company.id][between]=2,4', 'c.id between 2 and 4'],
    ['filter[company.id][gt]=499', 'c.id > 499'],
  ] as const;

  it.each(filters)('meets %s by the column that refers to it', async (filter, condition) => {
    expect(await filtered('users', filter)).toEqual(await byHandWhere('users', condition));
    expect(page().text).not.toContain('companies');
  });

  it.each(['voluntary', 'later', 'loose'])('of %s is not relied on by filters', async (table) => {
    for (const [filter, condition] of filters) {
      expect([filter, await filtered(table, filter)]).toEqual([
        filter,
        await byHandWhere(table, condition),
      ]);
      expect(page().text).toContain('companies');
    }
  });

  it('is not relied on by filters of a request that may not see all targets', async () => {
    for (const [filter, condition] of filters) {
      expect([filter, await filtered('users', filter, 5)]).toEqual([
        filter,
        await byHandWhere('users', condition, 5),
      ]);
    }
    // Beside a condition that needs the join.
    const both = 'filter[company.id]=7&filter[company.name]=c0049';
    expect(await filtered('users', both)).toEqual(await byHandWhere('users', 'c.id = 7'));
  });

  it('leaves each row in the list of a request that may not see all targets', async () => {
    const registry = await introspect(client);
    const source = sqlSource({
      connection,
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

  it('of two columns, of which one may be null, leaves each row in the list', async () => {
    await client.query(
      'create table pairs (x int, y int, name text collate "C" not null, primary key (x, y))',
    );
    await client.query(
      'create table members (id int primary key, x int not null, y int, foreign key (x, y) references pairs)',
    );
    await client.query(`insert into pairs values (1, 1, 'a'), (1, 2, 'b')`);
    await client.query('insert into members values (1, 1, 2), (2, 9, null), (3, 1, 1)');
    const tables = sqlTables({
      member: {
        table: 'members',
        primaryKey: 'id',
        columns: { id: 'int', x: 'int', y: 'int' },
        relations: { company: { one: 'pair', from: ['x', 'y'] } },
      },
      pair: {
        table: 'pairs',
        primaryKey: ['x', 'y'],
        columns: { x: 'int', y: 'int', name: 'text' },
      },
    });
    const registry = sqlRegistry(tables, { families: ['postgresql'] });
    const source = sqlSource({ connection, registry, tables, model: 'member' });
    await checkProfile(source);
    const { ids } = await asked(registry, source, 'member', 'company.name');
    expect(ids.toSorted()).toEqual([1, 2, 3]);
  });

  it('of declared tables is believed once the profile has been checked', async () => {
    const tables = sqlTables({
      user: {
        table: 'users',
        primaryKey: 'id',
        columns: { id: 'int', companyId: { type: 'int', column: 'company_id' } },
        relations: { company: { one: 'company', from: 'companyId' } },
      },
      stranger: {
        table: 'strangers',
        primaryKey: 'id',
        columns: { id: 'int', companyId: { type: 'int', column: 'company_id' } },
        relations: { company: { one: 'company', from: 'companyId' } },
      },
      dangling: {
        table: 'loose',
        primaryKey: 'id',
        columns: { id: 'int', companyId: { type: 'int', column: 'company_id' } },
        relations: { company: { one: 'company', from: 'companyId' } },
      },
      company: { table: 'companies', primaryKey: 'id', columns: { id: 'int', name: 'text' } },
    });
    const registry = sqlRegistry(tables, { families: ['postgresql'] });
    const source = sqlSource({ connection, registry, tables, model: 'user' });
    const joined = async () => {
      await asked(registry, source, 'user', 'company.name');
      return page().text.includes('inner join');
    };
    expect(await joined()).toBe(false);
    expect(await checkProfile(source)).toEqual([]);
    expect(await joined()).toBe(true);
    const { context } = source.describe;
    await checkProfile(source);
    expect(source.describe.context).toBe(context);
    // Its foreign key leads to a table of this name in another schema.
    const strangers = sqlSource({ connection, registry, tables, model: 'stranger' });
    await checkProfile(strangers);
    const { ids } = await asked(registry, strangers, 'stranger', 'company.name');
    expect(ids.toSorted()).toEqual([1, 2]);
    // Its foreign key is not valid, and one of its rows refers to nothing.
    const danglings = sqlSource({ connection, registry, tables, model: 'dangling' });
    await checkProfile(danglings);
    await asked(registry, danglings, 'dangling', 'company.name');
    expect(page().text).not.toContain('inner join');
  });
});
