/** The statements by hand of a page and of its total: several forms, of which the fastest counts. */

import type { Family } from '../lists/services.ts';
import type { Clause } from './conditions.ts';
import type { Form, Order } from './forms.ts';

/** A statement with its values. */
export type Statement = readonly [sql: string, ...values: readonly unknown[]];

export const perPage = 20;

/** How much of a list is asked for. */
export interface Asked {
  readonly limit: number;
  readonly offset?: number;
  /** Whether the page is behind the position of the order. */
  readonly isAfter?: boolean;
}

/** An order term in each form: as an index has it, and so that no index serves it. */
const ordered = ({ terms }: Order, isIndexed: boolean, alias?: string): string =>
  terms
    .map(({ sql, direction }, at) => {
      const term = alias ? `${alias}.o${at}` : sql;
      return `${isIndexed ? term : `coalesce(${term}, ${term})`} ${direction}`;
    })
    .join(', ');

/** The condition of the rows behind the position of an order. */
function behind(order: Order, family: Family, rows: number): Clause {
  const { terms } = order;
  const values = order.position(rows).map(({ bound }) => bound(family));
  const sign = (at: number) => (terms[at]?.direction === 'desc' ? '<' : '>');
  const isUniform = terms.every(({ direction }) => direction === terms[0]?.direction);
  const columns = terms.map(({ sql }) => sql);
  if (columns.length === 1) return { sql: `${columns.join()} ${sign(0)} ?`, values };
  if (family !== 'mysql' && isUniform && order.tables === undefined) {
    return {
      sql: `(${columns.join(', ')}) ${sign(0)} (${columns.map(() => '?').join(', ')})`,
      values,
    };
  }
  const alternatives = columns.map((column, at) =>
    [...columns.slice(0, at).map((before) => `${before} = ?`), `${column} ${sign(at)} ?`].join(
      ' and ',
    ),
  );
  return {
    sql: `${columns[0]} ${sign(0)}= ? and (${alternatives.map((one) => `(${one})`).join(' or ')})`,
    values: [values[0], ...columns.flatMap((_, at) => values.slice(0, at + 1))],
  };
}

const window = ({ limit, offset }: Asked): string =>
  ` limit ${limit}${offset ? ` offset ${offset}` : ''}`;

function fromOf(
  { table = 'items' }: Form,
  { from }: Clause,
  order?: Order,
  family?: Family,
): string {
  const tables = from ?? `${table} i`;
  if (!order?.tables) return tables;
  // The first word is that of an order which begins in the joined table.
  const word = family === 'mysql' ? 'straight_join' : family === 'sqlite' ? 'cross join' : 'join';
  return `${order.tables.table} ${word} ${tables} on ${order.tables.on}`;
}

const ands = (clauses: readonly Clause[]): Clause => ({
  sql: clauses.map(({ sql }) => `(${sql})`).join(' and '),
  values: clauses.flatMap(({ values }) => values),
});

/** The conditions of a form. */
function clausesOf(form: Form, family: Family, rows: number): readonly Clause[] {
  const fixed = form.fixed?.(family) ?? [];
  return form.condition.clauses(family, rows).map((clause) => ({
    ...ands([clause, ...fixed]),
    ...(clause.from !== undefined && { from: clause.from }),
  }));
}

/** The forms of the statement of a page. */
export function pageForms(form: Form, family: Family, rows: number, asked: Asked): Statement[] {
  const own = form.byHand?.(family, rows, asked);
  if (own) return [...own];
  const { order, shown = ['name'], table = 'items' } = form;
  const select = (alias: string) => ['id', ...shown].map((name) => `${alias}.${name}`).join(', ');
  const after = asked.isAfter ? [behind(order, family, rows)] : [];
  return clausesOf(form, family, rows).flatMap((clause): Statement[] => {
    const from = fromOf(form, clause, order, family);
    const free = order.tables
      ? [fromOf(form, clause), `${order.tables.table} on ${order.tables.on}`].join(' join ')
      : from;
    const where = ands([clause, ...after]);
    const walked = ands([
      { sql: `case when ${clause.sql} then 1 else 0 end = 1`, values: clause.values },
      ...after,
    ]);
    const terms = order.terms.map(({ sql }, at) => `${sql} as o${at}`).join(', ');
    const late = (tables: string, own: Clause): Statement => [
      `select ${select('r')} from (select i.id, ${terms} from ${tables} where ${own.sql} order by ${ordered(order, true)}${window(asked)}) k join ${table} r on r.id = k.id order by ${ordered(order, true, 'k')}`,
      ...own.values,
    ];
    const plain = (tables: string, own: Clause, isIndexed: boolean): Statement => [
      `select ${select('i')} from ${tables} where ${own.sql} order by ${ordered(order, isIndexed)}${window(asked)}`,
      ...own.values,
    ];
    const isDeep = (asked.offset ?? 0) >= 1000;
    return [
      plain(free, where, true),
      plain(free, where, false),
      plain(from, walked, true),
      ...(free === from ? [] : [plain(from, where, true)]),
      ...(isDeep || order.tables ? [late(from, where), late(free, where)] : []),
    ];
  });
}

/** The forms of the statement of a total, which may stop at a cap. */
export function countForms(form: Form, family: Family, rows: number, cap?: number): Statement[] {
  return clausesOf(form, family, rows).map((clause): Statement => {
    const tables = fromOf(form, clause);
    return cap === undefined
      ? [`select count(*) as n from ${tables} where ${clause.sql}`, ...clause.values]
      : [
          `select count(*) as n from (select 1 from ${tables} where ${clause.sql} limit ${cap + 1}) k`,
          ...clause.values,
        ];
  });
}
