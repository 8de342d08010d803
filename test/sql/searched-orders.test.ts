/**
 * Searches in the order of an index, on MySQL or MariaDB: read from the rows with the text where few rows have it, and
 * along the order where many have it, or where the scope of the request has few rows.
 */

import mysql2, { type Connection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, sqlRegistry, sqlSource } from '../../src/adapters/sql/index.ts';
import { type KeysetResult, defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

/** More rows than a probe counts. */
const rows = 8000;
const database = await scratchDatabase('mysql', 'searched_orders');

interface Sent {
  readonly sql: string;
  readonly values: unknown[];
}

interface Row {
  readonly id: number;
  readonly team: number;
  readonly state: string;
  readonly at: number;
  readonly note: string;
}

/** The members in the order of the database, which is not that of their names. */
const states = ['waiting', 'active', 'failed'];

const teamOf = (id: number): number => {
  if (id < 2100) return 1;
  return id < rows - 50 ? 2 : 3;
};

const all: readonly Row[] = Array.from({ length: rows }, (_, id) => ({
  id,
  team: teamOf(id),
  state: states[id % 3] ?? '',
  at: (id * 7919) % rows,
  note: `${id % 100 === 3 ? 'seldom' : 'in every row'} of ${id % 50 === 0 ? 'some' : 'all'}`,
}));

describe.skipIf('missing' in database && !everyServiceRequired())('a search', () => {
  if ('missing' in database) throw new Error(database.advice);
  let connection: Connection;
  const sent: Sent[] = [];

  beforeAll(async () => {
    connection = await mysql2.createConnection({ uri: database.url });
    await connection.query(
      `create table jobs (id int primary key, team int not null, state enum(${states.map((state) => `'${state}'`).join()}) not null, at int not null, note varchar(40) not null, key (at, id), key (team, at, id), key (state, id))`,
    );
    await connection.query('insert into jobs values ?', [all.map((row) => Object.values(row))]);
    await connection.query('analyze table jobs');
  });
  afterAll(async () => {
    await connection.end();
    await database.drop();
  });

  /** The rows that the connection has read. */
  async function readRows(): Promise<number> {
    const [read] = await connection.query<RowDataPacket[]>(
      `show session status like 'Handler_read%'`,
    );
    return read.reduce((sum, row) => sum + Number(row['Value']), 0);
  }

  /** Asks for pages of which the statement, its plan and the ids are told. */
  async function opened(isScoped = false) {
    const { tables } = await introspect(connection);
    const registry = sqlRegistry(tables, { families: ['mysql'] });
    const team = (value: number) =>
      ({ type: 'condition', path: 'team', operator: 'eq', value }) as const;
    const rules = defineQueryRules(
      registry,
      'jobs',
      {
        search: ['note'],
        filters: [
          { path: 'note', operators: ['like'] },
          { path: 'at', operators: ['gte'] },
          { path: 'team', operators: ['gte'] },
        ],
        sorts: ['at', 'state'],
        fields: { root: { allowed: ['id', 'at', 'state'], default: ['id'] } },
        pagination: { mode: 'both', count: 'none' },
      },
      isScoped ? { scopes: { jobs: ({ of }: { of: number }) => team(of) } } : {},
    );
    const query = connection.query.bind(connection) as (sql: object) => Promise<unknown>;
    const listening = Object.assign(Object.create(connection) as Connection, {
      query: (statement: Sent) => {
        sent.push(statement);
        return query(statement);
      },
    });
    const source = sqlSource({ connection: listening, registry, tables, model: 'jobs' });
    return async (request: string, of = 0) => {
      sent.splice(0);
      const before = await readRows();
      const page = await runQuery(source, request, rules, isScoped ? { scope: { of } } : {});
      const examined = (await readRows()) - before;
      const { sql = '', values = [] } = sent.at(-1) ?? {};
      const [plan] = await connection.query<RowDataPacket[]>(
        `explain format=traditional ${sql.replace(/^\/\*.*?\*\/\s*/, '')}`,
        values,
      );
      const isLeft = ({ Extra, select_type: type }: RowDataPacket): boolean =>
        /impossible where|no matching row in const table/i.test(String(Extra)) &&
        type !== 'UNCACHEABLE UNION';
      const inPage = plan.filter(({ table, key }) => table === 'jobs' && key !== 'PRIMARY');
      return {
        sql,
        examined,
        nextCursor: (page as Partial<KeysetResult>).nextCursor,
        ids: page.data.map((row) => (row as unknown as Row).id),
        left: plan.filter(isLeft).length,
        // Without an index: the rows that a probe finds are read once.
        scans: plan.filter(({ table, type }) => type === 'ALL' && /^\w/.test(String(table))).length,
        // MySQL tells of the sort beside the first table, MariaDB beside the one that is sorted.
        read: inPage.map(({ id, key }) => [
          key as unknown,
          plan.some((row) => row['id'] === id && /filesort/.test(String(row['Extra']))),
        ]),
      };
    };
  }

  const idsOf = (
    text: string,
    from: number,
    to: number,
    kept: (row: Row) => boolean = () => true,
  ) =>
    all
      .filter((row) => row.note.includes(text) && kept(row))
      .toSorted((left, right) => right.at - left.at)
      .slice(from, to)
      .map(({ id }) => id);

  it.each([
    ['search=seldom', 'seldom', true],
    ['filter[note][like]=seldom', 'seldom', true],
    ['search=nothing', 'nothing', true],
    ['search=every', 'every', false],
  ])('%s', async (request, text, isFew) => {
    const ask = await opened();
    const first = await ask(`${request}&sort=-at&perPage=5&cursor=`);
    const pages: (readonly [typeof first, number[]])[] = [
      [first, idsOf(text, 0, 5)],
      [await ask(`${request}&sort=-at&perPage=5&page=3`), idsOf(text, 10, 15)],
    ];
    if (first.nextCursor) {
      const next = await ask(`${request}&sort=-at&perPage=5&cursor=${first.nextCursor}`);
      pages.push([next, idsOf(text, 5, 10)]);
    }
    for (const [{ ids, left, scans, read }, due] of pages) {
      expect(ids).toEqual(due);
      expect([left, scans]).toEqual([1, 1]);
      expect(read).toEqual(isFew ? [] : [['at', false]]);
    }
  });

  it('in a scope of few rows is made in these', async () => {
    const ask = await opened(true);
    const scoped = await ask('search=seldom&sort=-at&perPage=5', 3);
    expect(scoped.ids).toEqual(idsOf('seldom', 0, 5, ({ team }) => team === 3));
    expect(scoped.left).toBe(1);
    expect(scoped.read).toEqual([['team', false]]);
    const usual = await ask('search=seldom&sort=-at&perPage=5', 1);
    expect(usual.ids).toEqual(idsOf('seldom', 0, 5, ({ team }) => team === 1));
    expect([usual.left, usual.scans]).toEqual([1, 1]);
    expect(usual.read).toEqual([]);
    // The table is not read for the text where the scope has few rows.
    expect(scoped.examined).toBeLessThan(rows / 2);
    expect(usual.examined).toBeGreaterThan(rows);
  });

  it('beside a condition that few rows meet is made in these', async () => {
    const ask = await opened();
    for (const beside of [
      'search=seldom&filter[team][gte]=3',
      'filter[note][like]=seldom&filter[team][gte]=3',
    ]) {
      const { ids, sql, read } = await ask(`${beside}&sort=-at&perPage=5`);
      expect(ids).toEqual(idsOf('seldom', 0, 5, ({ team }) => team === 3));
      expect(read).toEqual([['team', true]]);
      const probes = sql.slice(0, sql.indexOf('order by'));
      expect(probes.indexOf('`team` >= ')).toBeLessThan(probes.indexOf('`note`'));
    }
  });

  it('is the only condition that is probed', async () => {
    const ask = await opened();
    const { ids, sql } = await ask('filter[team][gte]=3&sort=-at&perPage=5');
    expect(ids).toEqual(idsOf('', 0, 5, ({ team }) => team === 3));
    expect(sql).not.toContain('sluice gate');
  });

  it('sorts its rows by members as the database does', async () => {
    const ask = await opened();
    const { ids, left } = await ask('search=seldom&sort=state&perPage=20');
    expect(left).toBe(1);
    const found = all.filter(({ note }) => note.includes('seldom'));
    const due = states.flatMap((state) => found.filter((row) => row.state === state));
    expect(ids).toEqual(due.slice(0, 20).map(({ id }) => id));
  });
});
