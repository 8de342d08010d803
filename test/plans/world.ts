/**
 * A million rows as many applications have them: a foreign key, a column with nulls, rows of their own in another table,
 * and an ordinary index for each order. The generators of each database fill them in seconds.
 */

import type { DatabaseFamily } from '../../src/index.ts';

/** Rows of `items` and of `marks`. */
export const count = 1_000_000;
export const companies = 2000;
/** Items of one kind, of one country, and with a mark `often`: a quarter of all each. */
export const ofQuarter = count / 4;

/** Items without `seen_at`: some of each kind and company. */
export const unseen = Math.floor(count / 49);

/** Whether the marks of the item `2 * (1 + at)` are labelled `often`. */
export const often = (at: number): boolean => at % 2 === 0;

interface Words {
  readonly text: string;
  /** Rows with the numbers from 1 on in the column `n`. */
  readonly series: (rows: number) => string;
  readonly joined: (left: string, right: string) => string;
  readonly mod: (left: string, right: number) => string;
  readonly div: (left: string, right: number) => string;
  readonly before: readonly string[];
  /** The foreign keys, which are checked last where the database can add them. */
  readonly foreignKeys: 'declared' | 'added';
  readonly after: readonly string[];
}

const words: Readonly<Record<DatabaseFamily, Words>> = {
  postgresql: {
    text: 'varchar(60)',
    series: (rows) => `generate_series(1, ${rows}) as s(n)`,
    joined: (left, right) => `${left} || ${right}`,
    mod: (left, right) => `((${left}) % ${right})`,
    div: (left, right) => `((${left}) / ${right})`,
    before: [],
    foreignKeys: 'added',
    after: ['vacuum analyze companies, items, marks'],
  },
  mysql: {
    text: 'varchar(60)',
    series: (rows) => `(select seq as n from seq_1_to_${rows}) as s`,
    joined: (left, right) => `concat(${left}, ${right})`,
    mod: (left, right) => `((${left}) % ${right})`,
    div: (left, right) => `((${left}) div ${right})`,
    before: ['set session foreign_key_checks = 0, session unique_checks = 0'],
    foreignKeys: 'added',
    after: [
      'set session foreign_key_checks = 1, session unique_checks = 1',
      'analyze table companies, items, marks',
    ],
  },
  sqlite: {
    text: 'text',
    series: (rows) =>
      `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${rows}) select n from s) as s`,
    joined: (left, right) => `${left} || ${right}`,
    mod: (left, right) => `((${left}) % ${right})`,
    div: (left, right) => `((${left}) / ${right})`,
    before: ['pragma journal_mode = off', 'pragma synchronous = off', 'pragma foreign_keys = off'],
    foreignKeys: 'declared',
    after: ['analyze'],
  },
};

const references = {
  items: ['company_id', 'companies'],
  marks: ['item_id', 'items'],
} as const;

const indexes = {
  companies: ['name', 'country'],
  items: [
    'created_at, id',
    'seen_at, id',
    'kind, created_at, id',
    'kind, seen_at, id',
    'company_id, id',
  ],
  marks: ['item_id, id', 'label'],
} as const;

/** The statements that create and fill the tables. */
export function worldOf(family: DatabaseFamily): readonly string[] {
  const { text, series, joined, mod, div, before, foreignKeys, after } = words[family];
  const reference = (table: keyof typeof references): string => {
    const [column, target] = references[table];
    return `foreign key (${column}) references ${target} (id)`;
  };
  const declared = (table: keyof typeof references): string =>
    foreignKeys === 'declared' ? `, ${reference(table)}` : '';
  // Orders of 7 and 11 are those of no other column, so that no index is in the order of the table.
  const rows = {
    companies: [
      `n, ${joined("'c'", 'n')}, case ${mod('n', 4)} when 0 then 'DE' else ${joined("'F'", mod('n', 4))} end`,
      companies,
    ],
    items: [
      `n, 1 + ${mod(div('n', 3), companies)}, ${mod(div('n', 5), 4)}, ${div(mod('n * 7', count), 3)},
       case when ${mod('n', 49)} > 0 then ${div(mod('n * 11', count), 3)} end, 'a note of this item'`,
      count,
    ],
    // Every second item has two marks.
    marks: [
      `n, 2 * (1 + ${mod('n', count / 2)}), case ${mod('n', 2)} when 0 then 'often' else ${joined("'m'", mod('n', 5000))} end`,
      count,
    ],
  } as const;
  const filled = Object.entries(rows).map(
    ([table, [values, of]]) => `insert into ${table} select ${values} from ${series(of)}`,
  );
  const indexed = Object.entries(indexes).flatMap(([table, all]) =>
    all.map(
      (columns) =>
        `create index ${table}_${columns.replaceAll(', ', '_')} on ${table} (${columns})`,
    ),
  );
  const added = foreignKeys === 'added' ? (['items', 'marks'] as const) : [];
  return [
    ...before,
    `create table companies (id integer primary key, name ${text} not null, country ${text} not null)`,
    `create table items (id integer primary key, company_id integer not null, kind integer not null,
      created_at integer not null, seen_at integer, note ${text} not null${declared('items')})`,
    `create table marks (id integer primary key, item_id integer not null, label ${text} not null${declared('marks')})`,
    ...filled,
    ...indexed,
    ...added.map((table) => `alter table ${table} add ${reference(table)}`),
    ...after,
  ];
}
