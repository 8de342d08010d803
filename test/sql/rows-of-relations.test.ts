/**
 * Rows that have rows of a relation, on MariaDB and MySQL, whose planners do not weigh the limit of a page: one of a relation
 * that most rows have is read along its order, one of a relation that few have from these.
 */

import mysql, { type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import {
  type CompiledQueryRules,
  type KeysetResult,
  type QuerySource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import {
  type ScratchDatabase,
  everyServiceRequired,
  findFurtherMysql,
  findMysql,
  onMysql,
} from '../services/index.ts';
import { numbered } from './numbered.ts';

const shops = 20_000;
const few = [17, 4000, 19_999];
const rooms = 2000;
const visits = 2000;
/** Rows that a page of ten may read: two probes of a relation count 1,001 of its rows each. */
const mostRead = 2 * 1001 + 500;

describe.each([
  ['the usual server', findMysql],
  ['MySQL', () => findFurtherMysql('mysql')],
] as const)('on %s', (_, find) => {
  let database: ScratchDatabase | undefined;
  let connection: mysql.Connection;
  const endpoints = new Map<string, readonly [QuerySource, CompiledQueryRules]>();

  beforeAll(async () => {
    const service = await find();
    if ('missing' in service) {
      if (everyServiceRequired()) throw new Error(service.advice);
      return;
    }
    database = await onMysql(service, 'rows_of_relations');
    connection = await mysql.createConnection({ uri: database.url });
    const run = (sql: string) => connection.query(sql);
    await run(
      `create table shops (id int primary key, name varchar(20) not null default 'a shop', place int not null, key (place, id))`,
    );
    for (const table of ['items', 'posters', 'signs']) {
      await run(
        `create table ${table} (id int primary key, shop_id int not null, foreign key (shop_id) references shops (id))`,
      );
    }
    await run(
      'create table visits (id int primary key, shop_id int, foreign key (shop_id) references shops (id))',
    );
    await run(
      `insert into shops (id, place) select no, no * 7919 % ${shops} from ${numbered(5)} where no <= ${shops}`,
    );
    await run('insert into items select id, id from shops where id % 2 = 0');
    await run(`insert into posters select id, id from shops where id in (${few.join()})`);
    await run(`insert into signs select id, id from shops where place < ${shops - few.length}`);
    await run(
      `insert into visits select id, if(id % 20, id, null) from shops where id <= ${visits}`,
    );
    await run('analyze table shops, items, posters, signs, visits');
    const registry = await introspect(connection);
    const { tables } = registry;
    for (const [model, ...relations] of [
      ['shops', 'items', 'posters', 'signs'],
      ['items', 'shop'],
      ['visits'],
    ] as const) {
      const rules = defineQueryRules(
        registry,
        model,
        {
          filters: relations.map((path) => ({ path, operators: ['isNull'] as const })),
          sorts: { shops: ['place'], items: [], visits: ['shop.name'] }[model],
          fields: {
            root: { allowed: model === 'shops' ? ['id', 'name'] : ['id'], default: ['id'] },
          },
          pagination: { mode: 'both', count: 'none' },
        },
        { cursorKeys },
      ) as CompiledQueryRules;
      endpoints.set(model, [sqlSource({ connection, registry, tables, model }), rules]);
    }
  });
  afterAll(async () => {
    await connection?.end();
    await database?.drop();
  });

  /** A page, and the rows that its statement has read. */
  const ask = async (request: string, model = 'shops') => {
    const [source, rules] = endpoints.get(model) as readonly [QuerySource, CompiledQueryRules];
    await connection.query('flush status');
    const page = (await runQuery(source, `${request}&perPage=10`, rules)) as KeysetResult;
    const [rows] = await connection.query<RowDataPacket[]>(
      `show session status where variable_name like 'Handler_read%'`,
    );
    return { ...page, read: rows.reduce((sum, row) => sum + Number(row['Value']), 0) };
  };
  /** The sorts of the last statement. */
  const sorts = async () => {
    const [rows] = await connection.query<RowDataPacket[]>(
      `show session status where variable_name in ('Sort_scan', 'Sort_range')`,
    );
    return rows.reduce((sum, row) => sum + Number(row['Value']), 0);
  };
  const ids = (from: number, step: number) =>
    Array.from({ length: 10 }, (__, at) => ({ id: from + at * step }));

  it('are read along the order where most have them', async (context) => {
    if (!database) return context.skip();
    const first = await ask('filter[items][isNull]=false&cursor=');
    expect(first.data).toEqual(ids(2, 2));
    expect(first.read).toBeLessThan(mostRead);
    const next = await ask(`filter[items][isNull]=false&cursor=${first.nextCursor}`);
    expect(next.data).toEqual(ids(22, 2));
    expect(next.read).toBeLessThan(mostRead);
  });

  it('are read from them where few have them', async (context) => {
    if (!database) return context.skip();
    const { data, read } = await ask('filter[posters][isNull]=false&cursor=');
    expect(data).toEqual(few.map((id) => ({ id })));
    expect(read).toBeLessThan(mostRead);
  });

  it('are not read to the end where rows lack them', async (context) => {
    if (!database) return context.skip();
    const first = await ask('filter[items][isNull]=true&cursor=');
    expect(first.data).toEqual(ids(1, 2));
    expect(first.read).toBeLessThan(mostRead);
  });

  it('are lacked by the first rows along the order, or sought in the whole table', async (context) => {
    if (!database) return context.skip();
    const many = await ask('filter[items][isNull]=true&sort=place&cursor=');
    expect(many.data).toHaveLength(10);
    expect(many.read).toBeLessThan(mostRead);
    const sortsOfPage = await sorts();
    const rare = await ask('filter[signs][isNull]=true&sort=place&fields=id,name&cursor=');
    const [last] = await connection.query(
      `select id, name from shops order by place desc limit ${few.length}`,
    );
    expect(rare.data).toEqual((last as object[]).toReversed());
    expect(await sorts()).toBe(sortsOfPage + 1);
  });

  it('are read once where no index leads to them', async (context) => {
    if (!database) return context.skip();
    await connection.query('create table rooms (id int primary key)');
    await connection.query(
      'create table notes (id int primary key, room int not null, size int not null)',
    );
    await connection.query(`insert into rooms select id from shops where id <= ${rooms}`);
    await connection.query(`insert into notes select id, id, id from rooms where id < ${rooms}`);
    const tables = sqlTables({
      room: {
        table: 'rooms',
        primaryKey: 'id',
        columns: { id: 'int' },
        relations: { notes: { many: 'note', to: 'room' } },
      },
      note: {
        table: 'notes',
        primaryKey: 'id',
        columns: { id: 'int', room: 'int', size: 'int' },
        relations: { at: { one: 'room', from: 'room' } },
      },
    });
    const registry = sqlRegistry(tables, { families: ['mysql'] });
    const rules = defineQueryRules(registry, 'room', {
      filters: [
        { path: 'notes', operators: ['isNull'] },
        { path: 'notes.size', operators: ['ne'] },
      ],
      fields: 'all',
      pagination: { mode: 'offset', count: { capped: rooms } },
    });
    endpoints.set('rooms', [sqlSource({ connection, registry, tables, model: 'room' }), rules]);
    const lacking = await ask('filter[notes][isNull]=true', 'rooms');
    expect(lacking).toMatchObject({ data: [{ id: rooms }], total: 1 });
    expect(lacking.read).toBeLessThan(10 * rooms);
    // Its page is met soon, and reads the notes before those of each of its rows.
    const others = await ask('filter[notes.size][ne]=0', 'rooms');
    expect(others).toMatchObject({ total: rooms - 1 });
    expect(others.read).toBeLessThan(10 * rooms);
  });

  it('are read without a probe of the one row to which they refer', async (context) => {
    if (!database) return context.skip();
    const { data, read } = await ask('filter[shop][isNull]=false&cursor=', 'items');
    expect(data).toEqual(ids(2, 2));
    expect(read).toBeLessThan(100);
  });

  it('are sorted once by the row to which they may refer', async (context) => {
    if (!database) return context.skip();
    const { data, read } = await ask('sort=-shop.name&page=150', 'visits');
    expect(data[0]).toEqual({ id: 431 });
    // Each of them, its shop, and what is sorted.
    expect(read).toBeLessThan(4 * visits);
  });
});
