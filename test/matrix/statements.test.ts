/** How many statements a request costs, and that data and count run at the same time on a pool. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2/promise';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CompiledQueryRules } from '../../src/index.ts';
import { runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells, families, sharedOut } from './cells.ts';
import type { EndpointName } from './corpus/index.ts';
import { compileEndpoints } from './corpus/index.ts';
import { prismaCell } from './prisma-cell.ts';

/** One kind of request, and how many statements it costs. */
interface Cost {
  readonly what: string;
  readonly endpoint: EndpointName;
  readonly request: string;
  readonly statements: number;
  /** Statements that Prisma's `findMany` runs by itself: one for every relation and every join table. */
  readonly findMany: number;
  /** As entities, which one statement loads with all includes. */
  readonly entities: number;
}

/** Adapters with figures of their own. */
const figures: { readonly [adapter: string]: 'entities' } = { 'typeorm hydrate': 'entities' };

const cost = (
  what: string,
  endpoint: EndpointName,
  request: string,
  statements: number,
  findMany: number = statements,
  entities: number = statements,
): Cost => ({ what, endpoint, request, statements, findMany, entities });

const costs: readonly Cost[] = [
  cost('a page and its count', 'users', '', 2),
  cost('a page past the end and its count', 'users', 'page=9', 2),
  cost('a full last page', 'users', 'page=6', 2),
  cost('a page that shows the total', 'users', 'perPage=61', 1),
  cost('a last page that shows the total', 'users', 'perPage=25&page=3', 1),
  cost('no rows at all', 'users', 'filter[id]=999', 1),
  cost('filters through joins', 'users', 'filter[company.country.region.name]=Asia&perPage=5', 2),
  cost(
    'filters through many relations',
    'users',
    'filter[orders.lines.notes.text]=ripe&perPage=1',
    2,
  ),
  cost('search through many relations', 'usersSearch', 'search=apple&perPage=1', 2),
  cost(
    'one relations included',
    'users',
    'includes=company,company.country,manager&perPage=61',
    1,
    4,
  ),
  cost('a many relation of one row', 'users', 'includes=orders&filter[id]=1', 2),
  cost('a many relation of all rows', 'users', 'includes=orders&perPage=61', 2),
  cost('a many relation and a count', 'users', 'includes=orders&perPage=8', 3),
  cost('a join table', 'users', 'includes=teams&perPage=61', 2, 3),
  cost('two many relations', 'users', 'includes=orders,teams&perPage=61', 3, 4, 2),
  cost(
    'many relations three deep',
    'users',
    'includes=orders,orders.lines,orders.lines.notes&perPage=61',
    4,
    4,
    2,
  ),
  cost(
    'a many relation without a row to hang on',
    'users',
    'includes=orders,orders.lines&filter[id]=999',
    1,
    3,
  ),
  cost('all at once', 'users', 'paginate=false', 1),
  cost('a keyset page', 'usersKeyset', 'perPage=5', 1),
  cost('a page without a count', 'usersUncounted', 'perPage=5', 1),
  cost('a capped count', 'usersCapped', 'perPage=5', 2),
  cost('a key of two parts', 'lines', 'includes=notes,order&perPage=50', 2, 3),
];

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
        // Tables of other databases may have the same number.
        `select count(*) as waiting from pg_locks join pg_database d on d.oid = database
         where datname = current_database() and relation = 'users'::regclass and not granted`,
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

describe.each(sharedOut(cells))('statements of $name', ({ adapter, family }) => {
  let cell: DatabaseCell | null = null;
  let rules: { readonly [name in EndpointName]: CompiledQueryRules };
  const statements: string[] = [];

  beforeAll(async () => {
    const logger = { logQuery: (query: string) => void statements.push(query) };
    const made = await adapter.open(family, 'statements', logger);
    if (typeof made !== 'string') {
      cell = made;
      rules = compileEndpoints(made.registry);
    } else if (everyServiceRequired()) {
      throw new Error(made);
    }
  });
  beforeEach(() => void statements.splice(0));
  afterAll(() => cell?.dispose());

  it.for(costs)('$what', async (of, context) => {
    const { endpoint, request } = of;
    if (!cell) return context.skip();
    const source = cell.source(rules[endpoint].model);
    // The first time, a slow page may start its count to save the wait; then the total is foreseen.
    await runQuery(source, request, rules[endpoint]);
    // A count that was begun and turned out not to be needed may still be on its way.
    await sleep(30);
    statements.splice(0);
    await runQuery(source, request, rules[endpoint]);
    expect(statements).toHaveLength(of[figures[adapter.name] ?? 'statements']);
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
      `filter[id][gt]=9&filter[name][like]=b%25&sort=-name&page=3&perPage=5`,
      rules.users,
    );
    expect([...first]).toEqual(expect.arrayContaining(statements));
  });

  if (family === 'sqlite') return;

  /** Largest number of statements of a request that wait at once while the users are locked. */
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

/** Calls of a Prisma client by hand for the requests that cost it more than SQL. */
const byHand: { readonly [what: string]: object } = {
  'one relations included': { include: { company: { include: { country: true } }, manager: true } },
  'a join table': { include: { memberships: { include: { team: true } } } },
  'two many relations': { include: { orders: true, memberships: { include: { team: true } } } },
  'a many relation without a row to hang on': {
    where: { id: 999 },
    include: { orders: { include: { lines: true } } },
  },
};

interface Users {
  readonly user: { findMany(args: object): Promise<readonly unknown[]> };
}

describe.each(families)('findMany by hand on %s', (family) => {
  it('costs more statements than SQL, of which an extended client needs one more', async (context) => {
    let statements = 0;
    const made = await prismaCell(family, 'by_hand', { logQuery: () => void (statements += 1) });
    if (typeof made === 'string') {
      if (everyServiceRequired()) throw new Error(made);
      return context.skip();
    }
    try {
      const { user } = made.client as unknown as Users;
      const rules = compileEndpoints(made.registry);
      for (const [what, args] of Object.entries(byHand)) {
        statements = 0;
        await user.findMany(args);
        const of = costs.find((one) => one.what === what) as Cost;
        expect([what, statements]).toEqual([what, of.findMany]);
        // On an extended client SQL selects the keys and the related rows, and one `findMany` reads the rows of the page.
        const source = made.ownQueries('user');
        await runQuery(source, of.request, rules[of.endpoint]);
        await sleep(30);
        statements = 0;
        const { data } = await runQuery(source, of.request, rules[of.endpoint]);
        expect([what, statements]).toEqual([what, of.statements + (data.length > 0 ? 1 : 0)]);
      }
    } finally {
      await made.dispose();
    }
  });
});
