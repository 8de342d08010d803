/**
 * Pages deep in a list skip entries of an index, and read the rows of the page alone; those of a scope as well on SQLite, which
 * sorts them, and behind a position on MySQL, which would read them from the first on.
 */

import Sqlite from 'better-sqlite3';
import mysql2, { type RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { expect, it } from 'vitest';
import { type SqlConnection, introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import {
  type CompiledQueryRules,
  type KeysetResult,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const [rows, perPage, page] = [6_000, 10, 120];

interface Opened {
  readonly connection: SqlConnection;
  run(sql: string): Promise<unknown>;
  /** How the table was read in the last statement with an order: one text for each access. */
  accesses(): Promise<readonly string[]>;
  close(): Promise<unknown>;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

const scansOf = (node: PlanNode): string[] => [
  ...(node['Relation Name'] ? [node['Node Type']] : []),
  ...(node.Plans ?? []).flatMap(scansOf),
];

/** The client, with the last statement of a page that it has been sent. */
function heard<Client extends object, Statement extends { readonly [part: string]: unknown }>(
  client: Client & { query: unknown },
  textOf: (statement: Statement) => string,
) {
  const sent: Statement[] = [];
  const query = (statement: Statement, ...rest: unknown[]): unknown => {
    sent.push(statement);
    return (client.query as (...given: unknown[]) => unknown).call(client, statement, ...rest);
  };
  const last = () =>
    sent.findLast((statement) => textOf(statement)?.includes('order by')) as Statement;
  return { connection: Object.assign(Object.create(client) as Client, { query }), last };
}

const openers = {
  async postgresql(url: string): Promise<Opened> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { connection, last } = heard<pg.Client, { text: string; values: unknown[] }>(
      client,
      ({ text }) => text,
    );
    return {
      connection,
      run: (sql) => client.query(sql),
      async accesses() {
        const { text, values } = last();
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          `explain (format json) ${text}`,
          values,
        );
        return rows[0]?.['QUERY PLAN'].flatMap(({ Plan }) => scansOf(Plan)) ?? [];
      },
      close: () => client.end(),
    };
  },
  async mysql(url: string): Promise<Opened> {
    const client = await mysql2.createConnection(url);
    const { connection, last } = heard<mysql2.Connection, { sql: string; values: unknown[] }>(
      client,
      ({ sql }) => sql,
    );
    return {
      connection,
      run: (sql) => client.query(sql),
      async accesses() {
        const { sql, values } = last();
        // The statement begins with its time limit.
        const [steps] = await client.query<RowDataPacket[]>(
          `explain ${sql.slice(sql.indexOf('select '))}`,
          values,
        );
        return steps
          .filter(({ table }) => table === 'events')
          .map(({ type, Extra }) => `${type} ${Extra ?? ''}`);
      },
      close: () => client.end(),
    };
  },
  async sqlite(path: string): Promise<Opened> {
    const client = new Sqlite(path);
    const prepare = client.prepare.bind(client);
    let last = '';
    client.prepare = ((sql: string) => {
      if (sql.includes('order by')) last = sql;
      return prepare(sql);
    }) as typeof client.prepare;
    return {
      connection: client,
      run: async (sql) => client.exec(sql),
      async accesses() {
        const holes = Array.from({ length: last.split('?').length - 1 }, () => 1);
        const steps = prepare(`explain query plan ${last}`).all(...holes) as { detail: string }[];
        return steps.map(({ detail }) => detail).filter((detail) => /events/.test(detail));
      },
      close: async () => client.close(),
    };
  },
};

const expected = {
  postgresql: [/^Index Only Scan$/, /^Index Scan$/],
  mysql: [/^(?:index|ref|range) .*Using index$/, /^eq_ref /],
  sqlite: [/USING (?:COVERING )?INDEX events_/, /^SEARCH events USING INTEGER PRIMARY KEY/],
} as const;

const families = ['postgresql', 'mysql', 'sqlite'] as const;

it.each([
  ...families.flatMap((family) => [
    [family, 'in the order of a column'] as const,
    [family, 'in the order of the key, behind a filter'] as const,
  ]),
  ['sqlite', 'on the first page of a scope'] as const,
  ['mysql', 'behind a position in a scope'] as const,
])('find keys first on %s %s', async (family, asked) => {
  const isFiltered = asked.includes('filter');
  const isScoped = asked.includes('scope');
  const isBehind = asked.includes('behind a position');
  const database = await scratchDatabase(family, 'deep_pages');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return;
  }
  const { connection, run, accesses, close } = await openers[family](database.url);
  try {
    await run(
      'create table events (id integer not null primary key, at int not null, note varchar(200) not null)',
    );
    await run('create index events_at on events (at, id)');
    const values = Array.from(
      { length: rows },
      (_, id) => `(${id}, ${Math.floor(((id * 7) % rows) / 2)}, '${'x'.repeat(150)}')`,
    );
    await run(`insert into events values ${values.join()}`);
    if (isFiltered || isScoped) {
      // Of each four rows, one is of the kind.
      await run('alter table events add kind int not null default 0');
      await run('update events set kind = case when id % 4 = 1 then 1 else 0 end');
      await run('create index events_kind on events (kind, id)');
    }
    await run(
      { postgresql: 'vacuum analyze', mysql: 'analyze table', sqlite: 'analyze' }[family] +
        ' events',
    );
    const registry = await introspect(connection);
    const source = sqlSource({ connection, registry, tables: registry.tables, model: 'events' });
    const rules = defineQueryRules(
      registry,
      'events',
      {
        sorts: ['at'],
        ...(isFiltered && { filters: [{ path: 'kind', operators: ['eq'] }] }),
        fields: { root: { allowed: ['id', 'note'], default: ['id'] } },
        ...(isBehind && { pagination: { mode: 'keyset' } }),
      },
      isScoped
        ? {
            cursorKeys,
            scopes: {
              events: () => ({ type: 'condition', path: 'kind', operator: 'eq', value: 1 }),
            },
          }
        : {},
    ) as CompiledQueryRules;
    const ask = (request: string) =>
      runQuery(
        source,
        `fields=id,note&perPage=${perPage}&${request}`,
        rules,
        isScoped ? { scope: {} } : {},
      ) as Promise<Partial<KeysetResult> & Pick<KeysetResult, 'data'>>;
    const number = isScoped ? Number(isBehind) + 1 : page;
    const sort = isFiltered ? 'filter[kind]=1' : 'sort=-at';
    const { data } = isBehind
      ? await ask(`cursor=${(await ask('cursor=')).nextCursor}`)
      : await ask(`${sort}&page=${number}`);
    const every = Array.from({ length: rows }, (_, id) => ({
      id,
      at: Math.floor(((id * 7) % rows) / 2),
    }));
    const found = every.filter(({ id }) => !(isFiltered || isScoped) || id % 4 === 1);
    const order =
      isFiltered || isBehind
        ? found
        : found.toSorted((left, right) => right.at - left.at || right.id - left.id);
    expect(data.map((row) => (row as { readonly id: number }).id)).toEqual(
      order.slice((number - 1) * perPage, number * perPage).map(({ id }) => id),
    );
    const steps = (await accesses()).toSorted();
    const [first, second] = expected[family];
    expect(steps).toHaveLength(2);
    expect(steps.some((access) => first.test(access))).toBe(true);
    expect(steps.some((access) => second.test(access))).toBe(true);
  } finally {
    await close();
    await database.drop();
  }
});
