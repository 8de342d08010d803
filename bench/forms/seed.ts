/**
 * Seeds the tables of these forms by each database's own generator: items with a column of each kind, their companies
 * and countries, lines, and tags. All values follow from the number of a row.
 */

import type { Family } from '../lists/services.ts';
import { type Opened, drop, open } from './open.ts';

export const companies = 20_000;
export const tags = 1000;

/** The words in which the servers differ. */
function wordsOf({ family, isMariaDb }: Opened) {
  // SQLite joins texts before it calculates.
  const joined = (...parts: readonly string[]) =>
    family === 'mysql'
      ? `concat(${parts.join(', ')})`
      : parts.map((part) => `(${part})`).join(' || ');
  const whole = (sql: string) => (family === 'mysql' ? sql : `cast(${sql} as integer)`);
  const types = {
    pg: {
      text: 'varchar(80)',
      uuid: 'uuid',
      state: 'state',
      boolean: 'boolean',
      instant: 'timestamptz',
      json: 'jsonb',
      double: 'double precision',
    },
    mysql: {
      text: 'varchar(80)',
      uuid: 'char(36)',
      state: `enum('open', 'failed', 'void', 'paid', 'done')`,
      boolean: 'boolean',
      instant: 'datetime(3)',
      json: 'json',
      double: 'double',
    },
    sqlite: {
      text: 'text',
      uuid: 'text',
      state: 'text',
      boolean: 'boolean',
      instant: 'integer',
      json: 'text',
      double: 'real',
    },
  }[family];
  const from = (count: number): string => {
    if (family === 'pg') return `from generate_series(1::bigint, ${count}) as s(n)`;
    if (isMariaDb) return `from (select seq as n from seq_1_to_${count}) as s`;
    return `from (with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s) as s`;
  };
  const days = {
    pg: (n: string) => `date '2020-01-01' + cast(${n} as integer)`,
    mysql: (n: string) => `date_add('2020-01-01', interval ${n} day)`,
    sqlite: (n: string) => `date('2020-01-01', '+' || (${n}) || ' days')`,
  }[family];
  const seconds = {
    pg: (n: string) => `timestamptz '2020-01-01Z' + (${n}) * interval '1 second'`,
    mysql: (n: string) => `date_add('2020-01-01', interval ${n} second)`,
    sqlite: (n: string) => `(1577836800 + ${n}) * 1000`,
  }[family];
  const flag = (condition: string) =>
    family === 'pg' ? `(${condition})` : `case when ${condition} then 1 else 0 end`;
  const cast = (sql: string, type: 'uuid' | 'state' | 'json') =>
    family === 'pg' ? `cast(${sql} as ${types[type]})` : sql;
  return { joined, whole, types, from, days, seconds, flag, cast };
}

/** The place of an item in every order but that of its key; a prime spreads them. */
export const placeOf = (n: string, rows: number) => `((${n}) * 7919 % ${rows})`;

/** Creates and fills the tables. The indexes of foreign keys are those that the rules name. */
async function seed(opened: Opened, rows: number): Promise<void> {
  const { family, isMariaDb, run } = opened;
  const { joined, whole, types, from, days, seconds, flag, cast } = wordsOf(opened);
  const { text } = types;
  if (family === 'pg') {
    await run(`create type state as enum ('open', 'failed', 'void', 'paid', 'done')`);
  }
  if (family === 'mysql' && !isMariaDb) await run(`set cte_max_recursion_depth = ${rows}`);
  if (family === 'mysql') await run('set unique_checks = 0');
  if (family === 'mysql') await run('set foreign_key_checks = 0');
  const key = 'id integer not null primary key';
  for (const table of [
    `countries (${key}, code ${text} not null)`,
    `companies (${key}, name ${text} not null, country_id integer not null, foreign key (country_id) references countries (id))`,
    `items (${key}, name ${text} not null, code ${types.uuid} not null, state ${types.state} not null, amount integer, big bigint not null, price decimal(12, 2) not null, score ${types.double} not null, active ${types.boolean} not null, day date not null, created_at ${types.instant} not null, attrs ${types.json} not null, company_id integer, tenant_id integer not null, kind ${text} not null, deleted_at ${types.instant}, note ${text} not null, foreign key (company_id) references companies (id))`,
    `lines_of (${key}, item_id integer not null, product ${text} not null, qty integer not null, foreign key (item_id) references items (id))`,
    `tags (${key}, name ${text} not null)`,
    `item_tags (item_id integer not null, tag_id integer not null, primary key (item_id, tag_id), foreign key (item_id) references items (id), foreign key (tag_id) references tags (id))`,
  ]) {
    await run(`create table ${table}`);
  }
  const place = placeOf('n', rows);
  const fixed = (sql: string) => `${10_000_000} + ${sql}`;
  const item = [
    whole('n'),
    joined(`'item '`, fixed(place)),
    cast(joined(`'00000000-0000-4000-8000-0000'`, fixed(place)), 'uuid'),
    cast(
      `case when n % 10000 = 0 then 'open' when n % 10000 = 1 then 'failed' when n % 100 = 2 then 'void' when n % 10 = 3 then 'paid' else 'done' end`,
      'state',
    ),
    `case when n % 10 > 0 then ${whole('n * 104729 % 100000')} end`,
    `${place} * 1000003`,
    `(n % 1000000) / 100.0`,
    `(n % 500000) / 8.0`,
    flag('n % 2 = 1'),
    days('n % 3000'),
    seconds(place),
    cast(
      joined(
        `'{"ref": '`,
        'n % 100000',
        `', "size": '`,
        'n % 1000',
        `', "color": "c'`,
        'n % 7',
        `'"}'`,
      ),
      'json',
    ),
    `case when n % 20 > 0 then ${whole(`1 + n * 31 % ${companies}`)} end`,
    whole('1 + n % 100'),
    `case n % 4 when 0 then 'book' when 1 then 'film' else 'game' end`,
    `case when n % 10 = 4 then ${seconds(place)} end`,
    `'a note of an item that makes its row as wide as rows are'`,
  ];
  const fill = (table: string, values: readonly string[], count: number) =>
    run(`insert into ${table} select ${values.join(', ')} ${from(count)}`);
  await fill('countries', [whole('n'), joined(`'c'`, 'n')], 50);
  await fill(
    'companies',
    [whole('n'), joined(`'company '`, `n * 7919 % ${companies}`), whole('1 + n % 50')],
    companies,
  );
  await fill('items', item, rows);
  await fill(
    'lines_of',
    [
      whole('n'),
      whole(`1 + n * 17 % ${rows}`),
      joined(`'product '`, `n % ${rows / 20}`),
      whole('n % 10'),
    ],
    rows,
  );
  await fill('tags', [whole('n'), joined(`'tag '`, 'n')], tags);
  await fill(
    'item_tags',
    [whole(`1 + n * 2 % ${rows}`), whole(`1 + n * 7 % ${tags}`)],
    rows / 2 - 1,
  );
  if (family === 'mysql') await run('set foreign_key_checks = 1');
  // A scope needs an index of its own, and so do merged pages and values within JSON: see the documents of each.
  await run('create index items_tenant on items (tenant_id)');
  await run('create index items_merged on items (state, created_at desc, id desc)');
  if (family === 'pg') {
    await run('create index items_attrs on items using gin (attrs jsonb_path_ops)');
  }
}

/** Lets the planner know the tables. */
export async function analyse({ family, run }: Opened): Promise<void> {
  if (family === 'mysql') {
    await run('analyze table countries, companies, items, lines_of, tags, item_tags');
  } else await run(family === 'pg' ? 'vacuum analyze' : 'analyze');
}

/** The database with that many items: a kept one where it has them, else a new one. */
export async function openSeeded(family: Family, rows: number, isKept: boolean): Promise<Opened> {
  const there = await open[family]();
  const [last] = await there.run('select max(id) as id from items', []).catch(() => []);
  if (isKept && Number((last as { readonly id?: unknown } | undefined)?.id) === rows) return there;
  await there.close();
  await drop(family);
  const opened = await open[family]();
  const begun = performance.now();
  await seed(opened, rows);
  console.error(`seeded in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  return opened;
}
