/** The conditions of a request on items, each with the forms by hand of its SQL in a family. */

import type { Family } from '../lists/services.ts';
import { companies } from './seed.ts';

/** SQL of a condition on `items i`, with its values. */
export interface Clause {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** The tables, where `items i` alone does not do. */
  readonly from?: string;
}

export interface Condition {
  readonly name: string;
  readonly request: string;
  readonly clauses: (family: Family, rows: number) => readonly Clause[];
}

/** A column of a kind, and values that its rows have. */
interface Column {
  readonly kind: string;
  readonly path: string;
  readonly column: string;
  /** The value of a place from 0 to below the number of rows, as a request has it. */
  readonly at: (place: number) => string;
  /** As a statement has it. */
  readonly bound?: (value: string, family: Family) => unknown;
  readonly type?: string;
  /** Places that two narrow values have, and one in the middle. */
  readonly narrow: readonly [number, number];
  readonly middle: (rows: number) => number;
  readonly has: readonly ('order' | 'text' | 'null')[];
}

const instant = (place: number): string =>
  new Date(Date.UTC(2020, 0, 1) + place * 1000).toISOString();
/** An instant as a statement has it. */
export const boundInstant = (value: string, family: Family): unknown =>
  family === 'sqlite'
    ? Date.parse(value)
    : family === 'mysql'
      ? value.replace('T', ' ').slice(0, -1)
      : value;
export const name = (place: number): string => `item ${10_000_000 + place}`;
export { instant };

const members = ['open', 'failed', 'void', 'paid', 'done'];
const half = (rows: number): number => Math.floor(rows / 2);

const columns: readonly Column[] = [
  {
    kind: 'string',
    path: 'name',
    column: 'name',
    at: name,
    narrow: [4711, 4720],
    middle: half,
    has: ['order', 'text'],
  },
  {
    kind: 'uuid',
    path: 'code',
    column: 'code',
    at: (place) => `00000000-0000-4000-8000-0000${10_000_000 + place}`,
    narrow: [4711, 4720],
    middle: half,
    has: ['order', 'text'],
  },
  {
    kind: 'enum',
    path: 'state',
    column: 'state',
    at: (place) => members[place] ?? '',
    narrow: [0, 1],
    middle: () => 2,
    has: ['text'],
  },
  {
    kind: 'integer',
    path: 'amount',
    column: 'amount',
    at: String,
    bound: Number,
    narrow: [4711, 4712],
    middle: () => 50_000,
    has: ['order', 'null'],
  },
  {
    kind: 'bigint',
    path: 'big',
    column: 'big',
    at: (place) => String(BigInt(place) * 1_000_003n),
    bound: Number,
    narrow: [4711, 4720],
    middle: half,
    has: ['order'],
  },
  {
    kind: 'decimal',
    path: 'price',
    column: 'price',
    at: (place) => (place / 100).toFixed(2),
    bound: (value, family) => (family === 'pg' ? value : Number(value)),
    narrow: [4711, 4720],
    middle: (rows) => Math.min(half(rows), 500_000),
    has: ['order'],
  },
  {
    kind: 'float',
    path: 'score',
    column: 'score',
    at: (place) => String(place / 8),
    bound: Number,
    narrow: [4711, 4720],
    middle: (rows) => Math.min(half(rows), 250_000),
    has: ['order'],
  },
  {
    kind: 'boolean',
    path: 'active',
    column: 'active',
    at: (place) => (place === 0 ? 'true' : 'false'),
    bound: (value, family) => (family === 'pg' ? value : value === 'true' ? 1 : 0),
    narrow: [0, 1],
    middle: () => 0,
    has: [],
  },
  {
    kind: 'date',
    path: 'day',
    column: 'day',
    at: (place) => instant(place * 86_400).slice(0, 10),
    narrow: [471, 472],
    middle: () => 1500,
    has: ['order'],
  },
  {
    kind: 'datetime',
    path: 'createdAt',
    column: 'created_at',
    at: instant,
    bound: boundInstant,
    narrow: [4711, 4720],
    middle: half,
    has: ['order'],
  },
];

/** A test of a text; `pattern` has the place of the text, as `%x`. */
const like = (column: string, family: Family, pattern: string, isFolded: boolean): Clause => {
  if (family === 'sqlite' && !isFolded)
    return { sql: `${column} glob ?`, values: [pattern.replaceAll('%', '*')] };
  const operator = family === 'pg' && isFolded ? 'ilike' : 'like';
  return { sql: `${column} ${operator} ?`, values: [pattern] };
};

function ofColumn(own: Column): Condition[] {
  const { kind, path, column, at, bound = (value: string) => value, narrow, middle, has } = own;
  const sql = `i.${column}`;
  const plain =
    (text: string, values: (rows: number) => readonly string[]): Condition['clauses'] =>
    (family, rows) => [{ sql: text, values: values(rows).map((value) => bound(value, family)) }];
  const [low, high] = narrow.map(at) as [string, string];
  const made: Condition[] = [];
  const add = (operator: string, value: string, clauses: Condition['clauses']) => {
    const request = `filter[${path}][${operator}]=${encodeURIComponent(value)}`;
    made.push({ name: `${kind} ${operator}`, request, clauses });
  };
  const one = () => [low];
  const two = () => [low, high];
  add('eq', low, plain(`${sql} = ?`, one));
  add('ne', low, plain(`${sql} <> ?`, one));
  add('in', `${low},${high}`, plain(`${sql} in (?, ?)`, two));
  add('notIn', `${low},${high}`, plain(`${sql} not in (?, ?)`, two));
  if (has.includes('order')) {
    for (const [operator, sign] of [
      ['gt', '>'],
      ['gte', '>='],
      ['lt', '<'],
      ['lte', '<='],
    ] as const) {
      // The middle depends on the number of rows, which the request must name.
      made.push({
        name: `${kind} ${operator}`,
        request: `filter[${path}][${operator}]={middle:${path}}`,
        clauses: plain(`${sql} ${sign} ?`, (rows) => [at(middle(rows))]),
      });
    }
    add('between', `${low},${high}`, plain(`${sql} between ? and ?`, two));
  }
  if (has.includes('text')) {
    const text = kind === 'enum' ? 'ope' : '0471';
    const asText = (family: Family) =>
      family === 'pg' && kind !== 'string' ? `cast(${sql} as text)` : sql;
    for (const operator of ['like', 'notLike', 'ilike', 'notIlike']) {
      const isFolded = operator.toLowerCase().endsWith('ilike');
      add(operator, text, (family) => {
        const test = like(asText(family), family, `%${text}%`, isFolded);
        const isNegated = operator.startsWith('not');
        return [isNegated ? { ...test, sql: `not (${test.sql})` } : test];
      });
    }
  }
  if (kind === 'string') {
    for (const [operator, text, pattern] of [
      ['startsWith', 'item 100047', 'item 100047%'],
      ['notStartsWith', 'item 100047', 'item 100047%'],
      ['istartsWith', 'ITEM 100047', 'ITEM 100047%'],
      ['endsWith', '4711', '%4711'],
    ] as const) {
      add(operator, text, (family) => {
        const test = like(sql, family, pattern, operator.startsWith('i'));
        const isNegated = operator.startsWith('not');
        return [isNegated ? { ...test, sql: `not (${test.sql})` } : test];
      });
    }
  }
  if (has.includes('null')) {
    add('isNull', 'true', () => [{ sql: `${sql} is null`, values: [] }]);
    add('isNull', 'false', () => [{ sql: `${sql} is not null`, values: [] }]);
  }
  return made;
}

/** The request with the value in the middle of a column. */
export function requestOf({ request }: Condition, rows: number): string {
  return request.replace(/\{middle:(\w+)\}/, (_, path: string) => {
    const column = columns.find((each) => each.path === path);
    return encodeURIComponent(column?.at(column.middle(rows)) ?? '');
  });
}

/** Both forms of a condition through a relation to one row. */
function throughOne(
  name: string,
  request: string,
  tables: readonly string[],
  test: string,
  ...values: readonly unknown[]
): Condition {
  const inner = tables.slice(1).map((table) => table);
  return {
    name,
    request,
    clauses: (family) => {
      const joined = (word: string) =>
        ['items i', `${tables[0]} on c.id = i.company_id`, ...inner].join(` ${word} `);
      const along =
        family === 'mysql' ? 'straight_join' : family === 'sqlite' ? 'cross join' : null;
      const set = `i.company_id in (select c.id from ${tables.join(' join ')} where ${test})`;
      return [
        { from: joined('join'), sql: test, values },
        ...(along ? [{ from: joined(along), sql: test, values }] : []),
        { sql: set, values },
      ];
    },
  };
}

/** The forms of a condition through a relation to many rows. */
function throughMany(
  name: string,
  request: string,
  from: string,
  key: string,
  test: string,
  ...values: readonly unknown[]
): Condition {
  return {
    name,
    request,
    clauses: (family) => [
      { sql: `exists (select 1 from ${from} where ${key} = i.id and ${test})`, values },
      { sql: `i.id in (select ${key} from ${from} where ${test})`, values },
      ...(family === 'mysql'
        ? [
            {
              sql: `(select 1 from ${from} where ${key} = i.id and ${test} limit 1) is not null`,
              values,
            },
          ]
        : []),
    ],
  };
}

const [company, country] = ['companies c', 'countries o on o.id = c.country_id'];
const lines = 'lines_of l';
const tagged = 'item_tags x join tags t on t.id = x.tag_id';

/** Conditions through relations. */
export const hops: readonly Condition[] = [
  throughOne(
    'one: eq, rare',
    'filter[company.name]=company 4711',
    [company],
    'c.name = ?',
    'company 4711',
  ),
  throughOne(
    'one: gte, half',
    'filter[company.id][gte]=10000',
    [company],
    'c.id >= ?',
    companies / 2,
  ),
  throughOne(
    'one: like, few',
    'filter[company.name][like]=471',
    [company],
    `c.name like ?`,
    '%471%',
  ),
  throughOne(
    'two hops: eq, a fiftieth',
    'filter[company.country.code]=c7',
    [company, country],
    'o.code = ?',
    'c7',
  ),
  throughOne(
    'two hops: ne, most',
    'filter[company.country.code][ne]=c7',
    [company, country],
    'o.code <> ?',
    'c7',
  ),
  {
    name: 'one: isNull',
    request: 'filter[company][isNull]=true',
    clauses: () => [{ sql: 'i.company_id is null', values: [] }],
  },
  throughMany(
    'many: eq, rare',
    'filter[linesOf.product]=product 4711',
    lines,
    'l.item_id',
    'l.product = ?',
    'product 4711',
  ),
  throughMany(
    'many: in, rare',
    'filter[linesOf.product][in]=product 4711,product 4712',
    lines,
    'l.item_id',
    'l.product in (?, ?)',
    'product 4711',
    'product 4712',
  ),
  throughMany('many: gte, half', 'filter[linesOf.qty][gte]=5', lines, 'l.item_id', 'l.qty >= ?', 5),
  throughMany('many: ne, most', 'filter[linesOf.qty][ne]=5', lines, 'l.item_id', 'l.qty <> ?', 5),
  throughMany(
    'many: none',
    'filter[linesOf.product]=nothing',
    lines,
    'l.item_id',
    'l.product = ?',
    'nothing',
  ),
  {
    name: 'many: isNull',
    request: 'filter[linesOf][isNull]=true',
    clauses: () => [
      { sql: 'not exists (select 1 from lines_of l where l.item_id = i.id)', values: [] },
      { sql: 'i.id not in (select l.item_id from lines_of l)', values: [] },
      {
        from: 'items i left join lines_of l on l.item_id = i.id',
        sql: 'l.id is null',
        values: [],
      },
    ],
  },
  {
    name: 'many: isNull false',
    request: 'filter[linesOf][isNull]=false',
    clauses: () => [
      { sql: 'exists (select 1 from lines_of l where l.item_id = i.id)', values: [] },
      { sql: 'i.id in (select l.item_id from lines_of l)', values: [] },
    ],
  },
  throughMany(
    'many to many: eq',
    'filter[tags.name]=tag 471',
    tagged,
    'x.item_id',
    't.name = ?',
    'tag 471',
  ),
  throughMany(
    'many to many: gte, half',
    'filter[tags.id][gte]=500',
    tagged,
    'x.item_id',
    't.id >= ?',
    500,
  ),
  {
    name: 'two conditions through relations',
    request: 'filter[company.country.code]=c12&filter[linesOf.qty][gte]=5',
    clauses: () => [
      {
        sql: 'i.company_id in (select c.id from companies c join countries o on o.id = c.country_id where o.code = ?) and exists (select 1 from lines_of l where l.item_id = i.id and l.qty >= ?)',
        values: ['c12', 5],
      },
      {
        from: 'items i join companies c on c.id = i.company_id join countries o on o.id = c.country_id',
        sql: 'o.code = ? and exists (select 1 from lines_of l where l.item_id = i.id and l.qty >= ?)',
        values: ['c12', 5],
      },
    ],
  },
];

const both = (
  name: string,
  request: string,
  sql: string,
  values: readonly unknown[],
): Condition => ({
  name,
  request,
  clauses: (family) => [
    {
      sql,
      values: values.map((value) =>
        typeof value === 'boolean' && family !== 'pg' ? Number(value) : value,
      ),
    },
  ],
});

/** The value at a path by hand. */
const member = (family: Family, key: string, isNumber: boolean): string =>
  family === 'pg'
    ? isNumber
      ? `(i.attrs ->> '${key}')::numeric`
      : `i.attrs ->> '${key}'`
    : family === 'sqlite'
      ? `json_extract(i.attrs, '$.${key}')`
      : isNumber
        ? `json_extract(i.attrs, '$.${key}')`
        : `json_unquote(json_extract(i.attrs, '$.${key}'))`;

const json = (
  name: string,
  request: string,
  key: string,
  test: string,
  value: string | number,
): Condition => ({
  name,
  request,
  clauses: (family) => [
    ...(family === 'pg' && test === '= ?'
      ? [{ sql: 'i.attrs @> ?::jsonb', values: [JSON.stringify({ [key]: value })] }]
      : []),
    { sql: `${member(family, key, typeof value === 'number')} ${test}`, values: [value] },
  ],
});

/** Values within a json column. */
export const jsonPaths: readonly Condition[] = [
  json('json: integer eq, rare', 'filter[attrs.ref]=4711', 'ref', '= ?', 4711),
  json('json: integer gte, half', 'filter[attrs.size][gte]=500', 'size', '>= ?', 500),
  json('json: string eq, a seventh', 'filter[attrs.color]=c3', 'color', '= ?', 'c3'),
  json('json: string ne', 'filter[attrs.color][ne]=c3', 'color', '<> ?', 'c3'),
];

/** Several conditions on the columns of items. */
export const several: readonly Condition[] = [
  both(
    'state and half',
    'filter[state]=void&filter[active]=false',
    'i.state = ? and i.active = ?',
    ['void', false],
  ),
  both(
    'two narrow ones',
    'filter[amount]=4711&filter[price][lte]=5000',
    'i.amount = ? and i.price <= ?',
    [4711, 5000],
  ),
  both('a frequent state', 'filter[state]=done', 'i.state = ?', ['done']),
  both('a state of a hundredth', 'filter[state]=void', 'i.state = ?', ['void']),
];

/** Text that one or two columns contain. */
export const searches: readonly Condition[] = ['item 10047', '47110', 'nothing'].map((text) => ({
  name: `search ${text}`,
  request: `search=${encodeURIComponent(text)}`,
  clauses: (family) => [like('i.name', family, `%${text}%`, true)],
}));

/** Each operator on a column of each kind. */
export const operators: readonly Condition[] = columns.flatMap(ofColumn);

/** No condition. */
export const every: Condition = {
  name: 'every row',
  request: '',
  clauses: () => [{ sql: '1 = 1', values: [] }],
};
