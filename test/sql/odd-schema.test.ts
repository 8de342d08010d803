/**
 * A schema with names that have to be quoted, keys of two parts and nulls everywhere: computed fields, arrays, groups, quantifiers and
 * values over relations within each other, under scopes, answer as SQL by hand does.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  sqlRegistry,
  sqlSource,
  sqlTables,
  withComputedFields,
} from '../../src/adapters/sql/index.ts';
import {
  type DatabaseFamily,
  type Predicate,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type Opened, openDriver } from './drivers.ts';

/** Names in the quotes of a family; those of texts stay as they are. */
const quoted = (family: DatabaseFamily, sql: string): string =>
  family === 'mysql' ? sql.replaceAll(/'[^']*'|"/g, (part) => (part === '"' ? '`' : part)) : sql;

const json = { postgresql: 'jsonb', mysql: 'json', sqlite: 'text' } as const;
const text = {
  postgresql: 'varchar(40) collate "C"',
  mysql: 'varchar(40)',
  sqlite: 'text',
} as const;

const script = (family: DatabaseFamily): string[] => [
  `create table "order" ("te nant" int not null, "n.o" int not null, "größe" numeric(9, 3), "select" ${text[family]},
     "tägs" ${json[family]}, "da.ta" ${json[family]}, "gone" int, "owner-code" ${text[family]}, primary key ("te nant", "n.o"))`,
  `create table "order lines" ("te nant" int not null, "n.o" int not null, pos int not null, product ${text[family]}, qty int, price numeric(9, 3),
     primary key ("te nant", "n.o", pos))`,
  `create table "ownér" ("te nant" int not null, code ${text[family]} not null, "na me" ${text[family]}, primary key ("te nant", code))`,
  `insert into "order" values
     (1, 1, 0.1, 'a', '["x","y"]', '{"n":[1,2],"who":"a","size":3000000000}', null, 'A'), (1, 2, 0.2, 'A', '[]', '{"n":[2],"size":1}', null, 'a'),
     (1, 3, null, null, null, null, null, null), (1, 4, 1.5, 'ä', '["x",null,5]', '{"n":"1","who":"A"}', null, ''),
     (1, 5, 0.1, 'a ', '["X"]', '{"n":[],"who":5}', null, 'A'), (1, 6, 0.1, 'a', '["x"]', '{"n":[1]}', 1, 'A'),
     (2, 1, 0.1, 'a', '["x","y"]', '{"n":[1,2]}', null, 'A'), (1, 7, -2, '%', '{"x":1}', '{"n":[3],"who":"B"}', null, 'none')`,
  `insert into "order lines" values
     (1, 1, 1, 'tea', 3, 0.1), (1, 1, 2, 'Tea', 2, null), (1, 2, 1, 'tea', 1, 0.2), (1, 4, 1, null, 10, 1.5), (1, 4, 2, 'tea', 0, 7),
     (1, 6, 1, 'tea', 3, 0.1), (2, 1, 1, 'tea', 9, 9), (1, 7, 1, 'z', 2, -1), (1, 7, 2, 'tea', 3, 0.1)`,
  `insert into "ownér" values (1, 'A', 'Ada'), (1, 'a', null), (1, '', 'hidden'), (2, 'A', 'Bo')`,
];

const tablesOf = (family: DatabaseFamily) => {
  const tenant = { type: 'int', column: 'te nant' } as const;
  const no = { type: 'int', column: 'n.o' } as const;
  const any = <Type extends string>(type: Type, column: string) =>
    ({ type, column, nullable: true }) as const;
  const tags = { ...any(json[family], 'tägs'), kind: 'string[]' } as const;
  const paths = { n: 'integer[]', who: 'string', size: 'integer' } as const;
  return sqlTables({
    order: {
      table: 'order',
      primaryKey: ['tenant', 'no'],
      columns: {
        tenant,
        no,
        size: any('numeric(9, 3)', 'größe'),
        select: any('varchar(40)', 'select'),
        tags,
        data: { ...any(json[family], 'da.ta'), kind: 'json', paths },
        gone: any('int', 'gone'),
        ownerCode: any('varchar(40)', 'owner-code'),
      },
      relations: {
        lines: { many: 'line', to: ['tenant', 'no'] },
        owner: { one: 'owner', from: ['tenant', 'ownerCode'] },
      },
    },
    line: {
      table: 'order lines',
      primaryKey: ['tenant', 'no', 'pos'],
      columns: {
        tenant,
        no,
        pos: 'int',
        product: any('varchar(40)', 'product'),
        qty: any('int', 'qty'),
        price: any('numeric(9, 3)', 'price'),
      },
      relations: { order: { one: 'order', from: ['tenant', 'no'] } },
    },
    owner: {
      table: 'ownér',
      primaryKey: ['tenant', 'code'],
      columns: { tenant, code: 'varchar(40)', name: any('varchar(40)', 'na me') },
      relations: { orders: { many: 'order', to: ['tenant', 'ownerCode'] } },
    },
  });
};

const computed = {
  order: {
    plus: { kind: 'decimal', sql: '{size} + 0.2' },
    title: { kind: 'string', sql: `case when {size} < 1 then {select} else 'Big' end` },
    isBig: { kind: 'boolean', sql: '{size} > 0.1' },
    letter: { kind: 'string', sql: `case when {size} < 1 then 'a' else 'A' end` },
  },
  line: { cost: { kind: 'decimal', sql: '{qty} * {price}' } },
  owner: { shown: { kind: 'string', nullable: false, sql: `coalesce({name}, 'nobody')` } },
} as const;

const condition = (path: string, operator: 'eq' | 'ne' | 'isNull', value: unknown) =>
  ({ type: 'condition', path, operator, value }) as Predicate;
const scopes = {
  order: ({ tenant }: { tenant: number }) =>
    ({
      type: 'and',
      predicates: [condition('tenant', 'eq', tenant), condition('gone', 'isNull', true)],
    }) as Predicate,
  line: ({ tenant }: { tenant: number }) => condition('order.tenant', 'eq', tenant),
  owner: () => condition('shown', 'ne', 'hidden'),
};

const seen = `o."te nant" = 1 and o.gone is null`;
const lines = `select 1 from "order lines" l where l."te nant" = o."te nant" and l."n.o" = o."n.o"`;
const owned = `from "ownér" w where w."te nant" = o."te nant" and w.code = o."owner-code" and coalesce(w."na me", 'nobody') <> 'hidden'`;
const shown = `(select coalesce(w."na me", 'nobody') ${owned})`;
const cost = 'l.qty * l.price';

/** A filter as text, the same as SQL or as keys, and an order with its SQL. */
const cases: readonly (readonly [where: string, sql: string | readonly number[], sort?: string])[] =
  [
    ['plus = 0.3', [1, 5]],
    ['plus in (0.3, 0.4) and not select = a', [2, 5]],
    ['plus > 0.3 or plus is null', `o."größe" > 0.1 or o."größe" is null`],
    ['not (plus > 0.3 or tags has x)', [5]],
    ['title = a', [1]],
    ['title in (a, A, "a ", BIG)', [1, 2, 5]],
    ['title starts with a', [1, 5]],
    ['not title like a', [2, 3, 4, 7]],
    ['letter = a', [1, 2, 5, 7]],
    ['data.size is not null', [2]],
    ['isBig = true', `o."größe" > 0.1`],
    ['isBig != true', [1, 5, 7]],
    ['tags has x', [1, 4]],
    ['tags hasall (y, x, y)', [1]],
    ['tags not hasany (x, X)', [2]],
    ['tags is empty or tags is null', [2, 3, 7]],
    ['not tags is empty and data.who is not null', [1, 4]],
    ['data.n hasany (1, 3) or data.who = A', [1, 4, 7]],
    ['lines.some(cost = 0.3 and product = tea)', [1, 7]],
    ['lines.some(cost > 0 or product = Tea)', [1, 2, 4, 7]],
    ['lines.every(cost is not null)', [2, 3, 4, 5, 7]],
    [
      'lines.none(cost < 0.3) and select is not null',
      `not exists (${lines} and ${cost} < 0.3) and o."select" is not null`,
    ],
    ['not lines.every(cost is not null)', [1]],
    ['not lines.some(not cost >= 0)', `not exists (${lines} and ${cost} < 0)`],
    ['lines.$sum.cost = 0.3', [1]],
    ['lines.$count >= 2 and not lines.$max.cost > 1', [1, 7]],
    ['lines.$sum.cost < 0 or lines.$count = 0', [3, 5, 7]],
    ['owner.shown = nobody', [2]],
    ['not owner.shown = nobody', [1, 5]],
    ['owner is null', `not exists (select 1 ${owned})`],
    ['owner.orders.some(plus = 0.3 and lines.every(cost > 1))', [1, 5]],
    ['owner.orders.none(tags has X)', [2, 3, 4, 7]],
    ['lines.product = tea', `exists (${lines} and l.product = 'tea')`, '-title'],
    ['select is not null', `o."select" is not null`, 'owner.shown,-plus'],
    ['no > 0', `1 = 1`, '-lines.$sum.cost,tenant'],
    ['no > 0', `1 = 1`, 'data.who,-isBig'],
  ];

/** The SQL of an order: null comes first ascending, and last descending. */
const orders: Readonly<Record<string, string>> = {
  title: `case when o."größe" < 1 then o."select" when o."größe" >= 1 then 'Big' else 'Big' end`,
  plus: `o."größe"`,
  isBig: `case when o."größe" > 0.1 then 1 when o."größe" <= 0.1 then 0 end`,
  'owner.shown': shown,
  'lines.$sum.cost': `(${lines.replace('select 1', `select sum(${cost})`)})`,
  'data.who': `case o."n.o" when 4 then 1 when 7 then 2 when 1 then 3 end`,
  tenant: `o."te nant"`,
};

describe.each(['postgresql', 'mysql', 'sqlite'] as const)('an odd schema on %s', (family) => {
  let opened: Opened | undefined;

  beforeAll(async () => {
    const database = await scratchDatabase(family, 'odd_schema');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    opened = openDriver(family, database);
    for (const sql of script(family)) await opened.run(quoted(family, sql));
  });
  afterAll(() => opened?.close());

  const tables = tablesOf(family);
  const registry = withComputedFields(sqlRegistry(tables), computed);
  const equality = ['eq', 'ne', 'in', 'isNull'] as const;
  const order = ['gt', 'gte', 'lt', 'lte'] as const;
  const members = ['has', 'hasAny', 'notHasAny', 'hasAll', 'isEmpty', 'isNull'] as const;
  const rules = defineQueryRules(
    registry,
    'order',
    {
      where: true,
      groups: { depth: 3, terms: 20 },
      quantifiers: ['lines', 'owner.orders', 'owner.orders.lines'],
      aggregates: { lines: { count: true, sum: ['cost'], max: ['cost'] } },
      filters: [
        { path: 'no', operators: order },
        { path: 'plus', operators: [...equality, ...order] },
        { path: 'title', operators: [...equality, 'like', 'startsWith'] },
        { path: 'select', operators: equality },
        { path: 'letter', operators: equality },
        { path: 'data.size', operators: equality },
        { path: 'isBig', operators: equality },
        { path: 'tags', operators: members },
        { path: 'data.n', operators: members },
        { path: 'data.who', operators: equality },
        { path: 'lines.cost', operators: [...equality, ...order] },
        { path: 'lines.product', operators: equality },
        { path: 'lines.$sum.cost', operators: ['eq', 'lt'] },
        { path: 'lines.$max.cost', operators: ['gt'] },
        { path: 'lines.$count', operators: ['eq', 'gte'] },
        { path: 'owner', operators: ['isNull'] },
        { path: 'owner.shown', operators: ['eq'] },
        { path: 'owner.orders.plus', operators: ['eq'] },
        { path: 'owner.orders.tags', operators: ['has'] },
        { path: 'owner.orders.lines.cost', operators: order },
      ],
      sorts: ['title', 'plus', 'isBig', 'tenant', 'owner.shown', 'lines.$sum.cost', 'data.who'],
      fields: { root: { allowed: ['no'], default: ['no'] } },
      pagination: { mode: 'both' },
    },
    { cursorKeys, scopes, limits: { cost: 1_000 } },
  );
  const list = (request: string) => {
    const { connection } = opened as Opened;
    const source = sqlSource({ connection, registry, tables, model: 'order' });
    return runQuery(source, request, rules, { scope: { tenant: 1 } });
  };
  const numbers = async (sql: string): Promise<number[]> => {
    const { run, connection } = opened as Opened;
    if (family === 'sqlite') {
      const { prepare } = connection as unknown as { prepare(sql: string): object };
      const statement = prepare.call(connection, sql) as { all(): { no: number }[] };
      return statement.all().map(({ no }) => no);
    }
    const answer = await run(quoted(family, sql));
    const rows =
      family === 'mysql' ? (answer as object[])[0] : Reflect.get(answer as object, 'rows');
    return (rows as { no: number }[]).map(({ no }) => no);
  };

  const each = cases.map(([where, sql, sort = 'tenant']) => ({ where, sql, sort }));
  it.each(each)('$where, by $sort', async ({ where, sql, sort }) => {
    if (!opened) return;
    const terms = sort.split(',').flatMap((term) => {
      const value = orders[term.replace('-', '')] ?? '';
      const way = term.startsWith('-') ? 'desc' : 'asc';
      const nulls =
        way === 'asc'
          ? `case when ${value} is null then 0 else 1 end`
          : `case when ${value} is null then 1 else 0 end`;
      return [nulls, `${value} ${way}`];
    });
    const last = sort.split(',').at(-1)?.startsWith('-') ? 'desc' : 'asc';
    const expected =
      typeof sql === 'string'
        ? await numbers(
            `select o."n.o" as no from "order" o where ${seen} and (${sql}) order by ${terms.join(', ')}, o."n.o" ${last}`,
          )
        : sql.toSorted((a, b) => a - b);
    const request = `where=${encodeURIComponent(where)}&sort=${sort}`;
    const keys = ({ data }: { readonly data: readonly { readonly no?: number }[] }) =>
      data.map(({ no }) => no);
    const whole = await list(`${request}&perPage=50`);
    expect(keys(whole)).toEqual(expected);
    expect(whole).toMatchObject({ total: expected.length });
    const walked: (number | undefined)[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list(`${request}&perPage=2&cursor=${encodeURIComponent(cursor)}`);
      walked.push(...keys(page));
      ({ nextCursor: cursor } = page as unknown as { nextCursor: string | null });
    }
    expect(walked).toEqual(expected);
  });
});
