/** Locked tables, lost connections and clients that leave: errors with a name, and a pool as full as before. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledQueryRules, DatabaseFamily } from '../../src/index.ts';
import { QueryError, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells } from './cells.ts';
import { compileEndpoints } from './corpus/index.ts';
import { knexOn } from './fixtures/load.ts';

/** Most connections of a cell's pool. */
const pooled = 4;

interface Server {
  /** Statements on the users of a database wait until the returned function is called. */
  lock(knex: Knex): Promise<() => Promise<unknown>>;
  /** Ends the connections whose statements wait. */
  cut(knex: Knex): Promise<void>;
  /** How many connections to the database are in the middle of something, but the one that asks. */
  readonly busy: string;
}

const servers: { readonly [family in DatabaseFamily]?: Server } = {
  postgresql: {
    lock: async (knex) => {
      const held = await knex.transaction();
      await held.raw('lock table users in access exclusive mode');
      return () => held.commit();
    },
    cut: async (knex) => {
      await knex.raw(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
    },
    busy: `select count(*) as busy from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
  },
  mysql: {
    lock: async (knex) => {
      const held = await knex.transaction();
      await held.raw('lock tables users write');
      return async () => {
        await held.raw('unlock tables');
        await held.commit();
      };
    },
    cut: async (knex) => {
      const [waiting] = (await knex.raw(
        `select id from information_schema.processlist where db = database() and state like '%lock%'`,
      )) as [{ readonly id: number }[]];
      for (const { id } of waiting) await knex.raw(`kill ${id}`).catch(() => undefined);
    },
    busy: `select count(*) as busy from information_schema.processlist
      where db = database() and id <> connection_id() and command <> 'Sleep'`,
  },
};

const onServers = cells.filter(({ family }) => servers[family] !== undefined);

describe.each(onServers)('trouble with $name', ({ adapter, family }) => {
  const server = servers[family] as Server;
  let cell: DatabaseCell | null = null;
  let knex: Knex;
  let rules: CompiledQueryRules;

  beforeAll(async () => {
    const made = await adapter.open(family, 'outages');
    if (typeof made !== 'string') {
      cell = made;
      knex = knexOn(made.database);
      rules = compileEndpoints(made.registry).users;
    } else if (everyServiceRequired()) {
      throw new Error(made);
    }
  });
  afterAll(async () => {
    await knex?.destroy();
    await cell?.dispose();
  });

  /** The outcomes of concurrent requests: rows, the code of a refusal, or the thrown error. */
  const sent = (of: DatabaseCell, count: number, options: object): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        runQuery(of.source('user'), `perPage=${at + 1}&includes=company`, rules, options).then(
          ({ data }) => `${data.length}`,
          (error: unknown) => (error instanceof QueryError ? error.code : String(error)),
        ),
      ),
    );
  const all = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}`);

  /** Waits until no statement runs any more. */
  const settled = async (): Promise<void> => {
    for (let patience = 100; patience > 0; patience -= 1) {
      const [found] = rowsOf(await knex.raw(server.busy));
      if (Number(found?.busy) === 0) return;
      await sleep(50);
    }
    expect.fail('Statements still run.');
  };

  it('answers for time and signals while statements wait, and goes on', async (context) => {
    if (!cell) return context.skip();
    const unlock = await server.lock(knex);
    const late = await sent(cell, 10, { timeoutMs: 200 });
    expect(new Set(late)).toEqual(new Set(['QUERY_TIMEOUT']));
    const signal = AbortSignal.timeout(100);
    const left = await sent(cell, 10, { signal });
    expect(new Set(left)).toEqual(new Set([String(signal.reason)]));
    await unlock();
    await settled();
    expect(await sent(cell, 10, {})).toEqual(all(10));
  });

  it.for([{}, { timeoutMs: 5000 }])(
    'outlives its connections, with %o',
    async (options, context) => {
      if (!cell) return context.skip();
      const unlock = await server.lock(knex);
      const cutting = setInterval(() => void server.cut(knex), 150);
      const lost = await sent(cell, pooled, options).finally(() => clearInterval(cutting));
      expect(new Set(lost)).toEqual(new Set(['SOURCE_UNAVAILABLE']));
      await unlock();
      await settled();
      expect(await sent(cell, 10, options)).toEqual(all(10));
    },
  );
});

/** Rows of a raw statement, which each driver wraps in its own way. */
function rowsOf(result: unknown): readonly { readonly busy: unknown }[] {
  const rows: unknown = Array.isArray(result) ? result[0] : (result as { rows: unknown }).rows;
  return rows as readonly { readonly busy: unknown }[];
}
