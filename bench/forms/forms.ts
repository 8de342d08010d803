/** The forms that a request can take: conditions, orders, includes, scopes and pages. */

import type { Family } from '../lists/services.ts';
import { type Asked, type Statement, perPage } from './by-hand.ts';
import {
  type Clause,
  type Condition,
  boundInstant,
  every,
  hops,
  instant,
  jsonPaths,
  name,
  operators,
  searches,
  several,
} from './conditions.ts';

/** A value of a position: as a cursor has it, and as a statement has it. */
interface Placed {
  readonly text: string | null;
  readonly bound: (family: Family) => unknown;
}

/** An order of a list. */
export interface Order {
  readonly sort: string;
  readonly terms: readonly { readonly sql: string; readonly direction: 'asc' | 'desc' }[];
  /** The table in which the order begins, and how items refer to it. */
  readonly tables?: { readonly table: string; readonly on: string };
  /** A position in the middle. */
  readonly position: (rows: number) => readonly Placed[];
}

/** Parts of the rules that a form needs. */
export type RuleSet = 'plain' | 'merged' | 'scoped' | 'deleted' | 'kind' | 'nulls';

/** Parts of a list that are measured: see `index.ts`. */
export type Cell = 'cursor' | 'after' | 'page' | 'counted' | 'capped' | 'deep';

/** The statements of a page; `null` where those of all forms serve. */
type ByHand = (family: Family, rows: number, asked: Asked) => readonly Statement[] | null;

/** A form of a request. */
export interface Form {
  readonly group: string;
  readonly name: string;
  readonly model?: 'items' | 'companies' | 'linesOf';
  readonly table?: string;
  readonly shown?: readonly string[];
  readonly rules?: RuleSet;
  readonly request?: string;
  readonly condition: Condition;
  /** Conditions that the rules add. */
  readonly fixed?: (family: Family) => readonly Clause[];
  readonly order: Order;
  readonly cells: readonly Cell[];
  /** The statements of a page, where they are written for this form. */
  readonly byHand?: ByHand;
  /** The statement of included rows for those of a page. */
  readonly included?: (family: Family, keys: readonly number[]) => Statement | null;
}

const half = (rows: number): number => Math.floor(rows / 2);
const same = (value: string | number): Placed => ({ text: String(value), bound: () => value });
const placedInstant = (rows: number): Placed => {
  const text = instant(half(rows));
  return { text, bound: (family) => boundInstant(text, family) };
};

const byKey: Order = {
  sort: '',
  terms: [{ sql: 'i.id', direction: 'asc' }],
  position: (rows) => [same(half(rows))],
};

const byColumn = (
  path: string,
  column: string,
  direction: 'asc' | 'desc',
  placed: (rows: number) => Placed,
): Order => ({
  sort: `sort=${direction === 'desc' ? '-' : ''}${path}`,
  terms: [
    { sql: `i.${column}`, direction },
    { sql: 'i.id', direction },
  ],
  position: (rows) => [placed(rows), same(half(rows))],
});

const newest = byColumn('createdAt', 'created_at', 'desc', placedInstant);
const oldest = byColumn('createdAt', 'created_at', 'asc', placedInstant);
const amounts = (direction: 'asc' | 'desc') =>
  byColumn('amount', 'amount', direction, () => same(50_000));

const byCompany = (direction: 'asc' | 'desc'): Order => ({
  sort: `sort=${direction === 'desc' ? '-' : ''}company.name`,
  terms: [
    { sql: 'c.name', direction },
    { sql: 'i.id', direction },
  ],
  tables: { table: 'companies c', on: 'c.id = i.company_id' },
  position: (rows) => [same('company 4711'), same(half(rows))],
});

/** A page whose order begins with a nullable column, as its rows with a value and those without. */
function inParts(order: Order, nullsOf: (family: Family) => 'first' | 'last'): ByHand {
  return (family, rows, { limit, offset = 0, isAfter }) => {
    const [first, key] = order.terms;
    if (!first || !key) return null;
    const [value, id] = order.position(rows).map(({ bound }) => bound(family));
    const sign = first.direction === 'desc' ? '<' : '>';
    const until = ` limit ${limit + offset}`;
    const part = (conditions: string, by: string) =>
      `select * from (select i.id, i.name, ${first.sql} as o from items i where ${conditions} order by ${by}${until})`;
    const after =
      family === 'mysql'
        ? `${first.sql} ${sign}= ? and (${first.sql} ${sign} ? or (${first.sql} = ? and ${key.sql} ${sign} ?))`
        : `(${first.sql}, ${key.sql}) ${sign} (?, ?)`;
    const presence = isAfter ? after : `${first.sql} is not null`;
    const values = isAfter ? (family === 'mysql' ? [value, value, value, id] : [value, id]) : [];
    const present = `${part(presence, `${first.sql} ${first.direction}, ${key.sql} ${key.direction}`)} p`;
    const absence = family === 'pg' ? `${first.sql} ${first.direction}, ` : '';
    const absent = `${part(`${first.sql} is null`, `${absence}${key.sql} ${key.direction}`)} a`;
    const nulls = nullsOf(family);
    if (isAfter && nulls === 'first') {
      return [[`select id, name from (${present}) u limit ${limit}`, ...values]];
    }
    const parts = nulls === 'first' ? [absent, present] : [present, absent];
    const all = `select id, name from (${parts.join(' union all ')}) u limit ${limit}${offset ? ` offset ${offset}` : ''}`;
    // Where the first part fills the page, nobody who knows it reads the second.
    const alone = `select id, name from (${parts[0]}) u limit ${limit}${offset ? ` offset ${offset}` : ''}`;
    return [
      [all, ...values],
      [alone, ...values],
    ];
  };
}

const native = (direction: 'asc' | 'desc') => (family: Family) =>
  (direction === 'asc') === (family === 'pg') ? ('last' as const) : ('first' as const);
const other = (direction: 'asc' | 'desc') => (family: Family) =>
  native(direction)(family) === 'first' ? ('last' as const) : ('first' as const);

const usual: readonly Cell[] = ['cursor', 'after', 'counted'];
const whole: readonly Cell[] = ['cursor', 'after', 'page', 'counted', 'capped', 'deep'];

const made = (group: string, conditions: readonly Condition[], cells: readonly Cell[] = usual) =>
  conditions.map((condition): Form => ({
    group,
    name: condition.name,
    condition,
    order: byKey,
    cells,
  }));

const sorted = (group: string, conditions: readonly Condition[], order: Order, cells = usual) =>
  conditions.map((condition): Form => ({
    group,
    name: `${condition.name}, ${order.sort}`,
    condition,
    order,
    cells,
  }));

const sort = (label: string, order: Order, more: Partial<Form> = {}): Form => ({
  group: 'order',
  name: label,
  condition: every,
  order,
  cells: ['cursor', 'after', 'page', 'deep'],
  ...more,
});

const sorts: readonly Form[] = [
  sort('by the key', byKey, { cells: whole }),
  sort(
    'string',
    byColumn('name', 'name', 'asc', (rows) => same(name(half(rows)))),
  ),
  sort(
    'string, descending',
    byColumn('name', 'name', 'desc', (rows) => same(name(half(rows)))),
  ),
  sort('datetime', oldest),
  sort('datetime, descending', newest),
  sort(
    'bigint',
    byColumn('big', 'big', 'asc', (rows) => ({
      text: String(BigInt(half(rows)) * 1_000_003n),
      bound: () => half(rows) * 1_000_003,
    })),
  ),
  sort('nullable integer', amounts('asc'), { byHand: inParts(amounts('asc'), native('asc')) }),
  sort('nullable integer, descending', amounts('desc'), {
    byHand: inParts(amounts('desc'), native('desc')),
  }),
  sort('nullable integer, nulls elsewhere', amounts('asc'), {
    rules: 'nulls',
    byHand: inParts(amounts('asc'), other('asc')),
  }),
  sort('nullable integer, descending, nulls elsewhere', amounts('desc'), {
    rules: 'nulls',
    byHand: inParts(amounts('desc'), other('desc')),
  }),
  sort(
    'state, then newest',
    {
      sort: 'sort=state,-createdAt',
      terms: [
        { sql: 'i.state', direction: 'asc' },
        { sql: 'i.created_at', direction: 'desc' },
        { sql: 'i.id', direction: 'desc' },
      ],
      // MySQL orders members by their positions, and compares them with texts as texts.
      position: (rows) => [
        { text: 'done', bound: (family) => (family === 'mysql' ? 5 : 'done') },
        placedInstant(rows),
        same(half(rows)),
      ],
    },
    { cells: ['cursor', 'after'] },
  ),
  sort('field of a relation to one row', byCompany('asc'), {
    condition: {
      ...every,
      name: '',
      clauses: () => [{ sql: 'i.company_id is not null', values: [] }],
      request: 'filter[company][isNull]=false',
    },
    cells: ['cursor', 'after', 'page'],
  }),
  sort('field of a nullable relation', byCompany('desc'), {
    cells: ['cursor'],
    byHand: (family, _rows, { limit }) => {
      const absent = `select id, name from (select i.id, i.name from items i where i.company_id is null order by i.id desc limit ${limit}) a`;
      const along =
        family === 'mysql' ? 'straight_join' : family === 'sqlite' ? 'cross join' : 'join';
      const present = `select id, name from (select i.id, i.name from companies c ${along} items i on i.company_id = c.id order by c.name desc, i.id desc limit ${limit}) p`;
      return family === 'pg' ? [[absent]] : [[present]];
    },
  }),
];

const include = (
  label: string,
  request: string,
  included: Form['included'],
  more: Partial<Form> = {},
): Form => ({
  group: 'include',
  name: label,
  request,
  condition: every,
  order: byKey,
  cells: ['cursor', 'after'],
  ...(included && { included }),
  ...more,
});

const list = (keys: readonly number[]) => keys.join(', ');

const includes: readonly Form[] = [
  include('relation to one row', 'includes=company', undefined, {
    byHand: (_family, rows, { limit, isAfter }) => [
      [
        `select i.id, i.name, c.id as c, c.name as d from items i left join companies c on c.id = i.company_id ${isAfter ? `where i.id > ${half(rows)}` : ''} order by i.id limit ${limit}`,
      ],
    ],
  }),
  include('many rows, few of each', 'includes=linesOf', (_family, keys) => [
    `select item_id, id, product from lines_of where item_id in (${list(keys)}) order by item_id, id`,
  ]),
  include('many to many', 'includes=tags', (_family, keys) => [
    `select x.item_id, t.id, t.name from item_tags x join tags t on t.id = x.tag_id where x.item_id in (${list(keys)}) order by x.item_id, t.id`,
  ]),
  include(
    'many rows, 250 of each',
    'includes=items',
    (family, keys) => {
      const part = (key: number) =>
        `select company_id, id, name from items where company_id = ${key} order by id limit 101`;
      return [
        keys
          .map((key) => (family === 'sqlite' ? `select * from (${part(key)})` : `(${part(key)})`))
          .join(' union all '),
      ];
    },
    { model: 'companies', table: 'companies', cells: ['cursor'] },
  ),
];

const tenant = (): readonly Clause[] => [{ sql: 'i.tenant_id = 7', values: [] }];
const alive = (): readonly Clause[] => [{ sql: 'i.deleted_at is null', values: [] }];
const ofKind = (): readonly Clause[] => [{ sql: `i.kind in ('book')`, values: [] }];

const pick = (names: readonly string[]) =>
  [...operators, ...hops].filter((condition) => names.includes(condition.name));

const restricted = (group: string, rules: RuleSet, fixed: Form['fixed']): readonly Form[] =>
  [
    ...sorted(group, [every], newest, ['cursor', 'after', 'counted', 'deep']),
    ...made(group, [every], ['cursor', 'after', 'counted']),
    ...made(group, pick(['integer eq', 'integer gte', 'many: eq, rare', 'one: eq, rare']), usual),
    ...sorted(group, pick(['integer eq']), newest, ['cursor', 'after']),
  ].map((form): Form => ({ ...form, rules, ...(fixed && { fixed }) }));

const ofLines: Form = {
  group: 'scope',
  name: 'scope through a relation',
  rules: 'scoped',
  model: 'linesOf',
  table: 'lines_of',
  shown: ['product'],
  condition: {
    name: '',
    request: '',
    clauses: () => [
      { from: 'lines_of i join items t on t.id = i.item_id', sql: 't.tenant_id = 7', values: [] },
      {
        sql: 'exists (select 1 from items t where t.id = i.item_id and t.tenant_id = 7)',
        values: [],
      },
    ],
  },
  order: byKey,
  cells: ['cursor', 'after', 'counted'],
};

/** Two parts in the order of the index, of which the page keeps the first rows. */
const mergedBy =
  (states: readonly string[]): ByHand =>
  (family, rows, { limit, isAfter }) => {
    const bound = isAfter ? newest.position(rows).map((placed) => placed.bound(family)) : [];
    const after = !isAfter
      ? ''
      : family === 'mysql'
        ? ' and i.created_at <= ? and (i.created_at < ? or (i.created_at = ? and i.id < ?))'
        : ' and (i.created_at, i.id) < (?, ?)';
    const values = family === 'mysql' && isAfter ? [bound[0], bound[0], ...bound] : bound;
    const parts = states.map(
      (state, at) =>
        `select * from (select i.id, i.name, i.created_at from items i where i.state = '${state}'${after} order by i.created_at desc, i.id desc limit ${limit}) p${at}`,
    );
    return [
      [
        `select id, name from (${parts.join(' union all ')}) u order by created_at desc, id desc limit ${limit}`,
        ...states.flatMap(() => values),
      ],
    ];
  };

const merged = (label: string, request: string, states: readonly string[]): Form => ({
  group: 'merged page',
  name: label,
  rules: 'merged',
  request,
  condition: every,
  order: newest,
  cells: ['cursor', 'after'],
  byHand: mergedBy(states),
});

const ofCompanies = (label: string, request: string, clauses: Condition['clauses']): Form => ({
  group: 'relation',
  name: label,
  model: 'companies',
  table: 'companies',
  condition: { name: label, request, clauses },
  order: byKey,
  cells: usual,
});

const byItems =
  (test: string, value: unknown): Condition['clauses'] =>
  () => [
    {
      sql: `exists (select 1 from items t where t.company_id = i.id and t.${test})`,
      values: [value],
    },
    { sql: `i.id in (select t.company_id from items t where t.${test})`, values: [value] },
  ];

/** All forms. */
export const forms: readonly Form[] = [
  ...made('operator', operators, ['cursor', 'counted']),
  ...sorted(
    'operator and order',
    pick([
      'integer eq',
      'integer gte',
      'integer between',
      'integer isNull',
      'enum eq',
      'enum in',
      'string like',
      'boolean eq',
      'date eq',
    ]),
    newest,
    ['cursor', 'after', 'counted', 'page'],
  ),
  ...made('several', several, whole),
  ...sorted('several', several, newest, ['cursor', 'after', 'page']),
  ...made('relation', hops, ['cursor', 'after', 'counted', 'capped']),
  ...sorted('relation', hops, newest, ['cursor', 'after']),
  ofCompanies(
    'companies of items: eq, rare',
    'filter[items.amount]=4711',
    byItems('amount = ?', 4711),
  ),
  ofCompanies(
    'companies of items: gte, most',
    'filter[items.amount][gte]=500',
    byItems('amount >= ?', 500),
  ),
  ...made('json', jsonPaths),
  ...sorted('json', jsonPaths, newest, ['cursor', 'after']),
  ...made('search', searches),
  ...sorted('search', searches, newest, ['cursor', 'after']),
  ...sorts,
  ...includes,
  merged('two values', 'filter[state][in]=open,failed&sort=-createdAt', ['open', 'failed']),
  merged('a frequent value and a rare one', 'filter[state][in]=open,done&sort=-createdAt', [
    'open',
    'done',
  ]),
  merged('every member', 'sort=-createdAt', ['open', 'failed', 'void', 'paid', 'done']),
  ...restricted('scope', 'scoped', tenant),
  ofLines,
  ...restricted('soft delete', 'deleted', alive),
  ...restricted('single table inheritance', 'kind', ofKind),
];

export { perPage };
