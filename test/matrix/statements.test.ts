/** How many statements a request costs, and that data and count run at the same time on a pool. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2/promise';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CompiledQueryRules, DatabaseFamily } from '../../src/index.ts';
import { runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import type { EndpointName } from './corpus/index.ts';
import { compileEndpoints } from './corpus/index.ts';
import { drizzleCell } from './drizzle-cell.ts';

/** Statements by what is asked for: the endpoint, the request, and how many it costs. */
const costs: readonly (readonly [
  what: string,
  EndpointName,
  request: string,
  statements: number,
])[] = [
  ['a page and its count', 'users', '', 2],
  ['a page past the end and its count', 'users', 'page=9', 2],
  ['a full last page', 'users', 'page=6', 2],
  ['a page that shows the total', 'users', 'perPage=61', 1],
  ['a last page that shows the total', 'users', 'perPage=25&page=3', 1],
  ['no rows at all', 'users', 'filter[id]=999', 1],
  ['filters through joins', 'users', 'filter[company.country.region.name]=Asia&perPage=5', 2],
  ['filters through many relations', 'users', 'filter[orders.lines.notes.text]=ripe&perPage=1', 2],
  ['search through many relations', 'usersSearch', 'search=apple&perPage=1', 2],
  ['one relations included', 'users', 'includes=company,company.country,manager&perPage=61', 1],
  ['a many relation of one row', 'users', 'includes=orders&filter[id]=1', 2],
  ['a many relation of all rows', 'users', 'includes=orders&perPage=61', 2],
  ['a many relation and a count', 'users', 'includes=orders&perPage=8', 3],
  ['a join table', 'users', 'includes=teams&perPage=61', 2],
  ['two many relations', 'users', 'includes=orders,teams&perPage=61', 3],
  [
    'many relations three deep',
    'users',
    'includes=orders,orders.lines,orders.lines.notes&perPage=61',
    4,
  ],
  [
    'a many relation without a row to hang on',
    'users',
    'includes=orders,orders.lines&filter[id]=999',
    1,
  ],
  ['all at once', 'users', 'paginate=false', 1],
  ['a keyset page', 'usersKeyset', 'perPage=5', 1],
  ['a page without a count', 'usersUncounted', 'perPage=5', 1],
  ['a capped count', 'usersCapped', 'perPage=5', 2],
  ['a key of two parts', 'lines', 'includes=notes,order&perPage=50', 2],
];

const families: readonly DatabaseFamily[] = ['sqlite', 'postgresql', 'mysql'];

/** Holds a lock on the users, so that every statement that reads them waits, and counts who waits. */
interface Holdup {
  waiting(): Promise<number>;
  release(): Promise<void>;
}

async function holdPostgresql(url: string): Promise<Holdup> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query('lock table users in access exclusive mode');
  return {
    waiting: async () => {
      const { rows } = await client.query<{ waiting: string }>(
        `select count(*) as waiting from pg_locks where relation = 'users'::regclass and not granted`,
      );
      return Number(rows[0]?.waiting);
    },
    release: async () => {
      await client.query('rollback');
      await client.end();
    },
  };
}

async function holdMysql(url: string): Promise<Holdup> {
  const holder = await createConnection({ uri: url });
  const watcher = await createConnection({ uri: url });
  await holder.query('lock tables users write');
  return {
    waiting: async () => {
      const [rows] = await watcher.query<RowDataPacket[]>(
        `select count(*) as waiting from information_schema.processlist
         where db = database() and state like 'Waiting for table%'`,
      );
      return Number(rows[0]?.['waiting']);
    },
    release: async () => {
      await holder.query('unlock tables');
      await Promise.all([holder.end(), watcher.end()]);
    },
  };
}

const holdups = { postgresql: holdPostgresql, mysql: holdMysql };

describe.each(families)('statements on %s', (family) => {
  let cell: DatabaseCell | null = null;
  let rules: { readonly [name in EndpointName]: CompiledQueryRules };
  const statements: string[] = [];

  beforeAll(async () => {
    const logger = { logQuery: (query: string) => void statements.push(query) };
    const made = await drizzleCell(family, 'statements', logger);
    if (typeof made !== 'string') {
      cell = made;
      rules = compileEndpoints(made.registry);
    } else if (everyServiceRequired()) {
      throw new Error(made);
    }
  });
  beforeEach(() => void statements.splice(0));
  afterAll(() => cell?.dispose());

  it.for(costs)('%s', async ([_what, endpoint, request, expected], context) => {
    if (!cell) return context.skip();
    const source = cell.source(rules[endpoint].model);
    // The first time, a slow page may start its count to save the wait; then the total is foreseen.
    await runQuery(source, request, rules[endpoint]);
    statements.splice(0);
    await runQuery(source, request, rules[endpoint]);
    expect(statements).toHaveLength(expected);
  });

  it('differs in values alone, not in text, from request to request', async (context) => {
    if (!cell) return context.skip();
    const source = cell.source('user');
    await runQuery(
      source,
      'filter[id][gt]=1&filter[name][like]=a&sort=-name&page=2&perPage=5',
      rules.users,
    );
    const first = new Set(statements.splice(0));
    await runQuery(
      source,
      'filter[id][gt]=9&filter[name][like]=b%25&sort=-name&page=3&perPage=5',
      rules.users,
    );
    expect([...first]).toEqual(expect.arrayContaining(statements));
  });

  if (family === 'sqlite') return;

  /** Most statements of a request seen waiting at once, while nobody may read the users. */
  const mostWaiting = async (of: DatabaseCell, run: () => Promise<void>): Promise<number> => {
    const holdup = await holdups[family](of.database.url);
    let most = 0;
    let pending: Promise<void> | undefined;
    try {
      pending = run();
      for (let at = 0; at < 30 && most < 2; at += 1) {
        await sleep(20);
        most = Math.max(most, await holdup.waiting());
      }
    } finally {
      await holdup.release();
      await pending;
    }
    return most;
  };

  it('runs data and count at the same time on a pool', async (context) => {
    const of = cell;
    if (!of) return context.skip();
    const most = await mostWaiting(of, async () => {
      const result = await runQuery(of.source('user'), 'perPage=7', rules.users);
      expect(result).toMatchObject({ total: 60 });
    });
    expect(most).toBe(2);
  });

  it("runs data and count in turn inside a caller's transaction", async (context) => {
    const of = cell;
    if (!of?.transaction) return context.skip();
    const { transaction } = of;
    const most = await mostWaiting(of, () =>
      transaction('user', async (source) => {
        expect(await runQuery(source, 'perPage=8', rules.users)).toMatchObject({ total: 60 });
      }),
    );
    expect(most).toBe(1);
  });
});
