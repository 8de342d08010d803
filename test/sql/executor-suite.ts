/** The suite for every connection of every library: answers, cursors, transactions, timeouts, errors, load. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type SqlConnection,
  type SqlExecutor,
  checkProfile,
  sqlRegistry,
  sqlSource,
  withComputedFields,
} from '../../src/adapters/sql/index.ts';
import { type DatabaseFamily, type ListResult, QueryError, runQuery } from '../../src/index.ts';
import { answer } from '../matrix/check-case.ts';
import { compileEndpoints, corpus } from '../matrix/corpus/index.ts';
import { computedFields } from '../matrix/fixtures/computed.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { loadedDatabase } from '../matrix/fixtures/loaded-database.ts';
import { sqlTablesOf } from '../matrix/fixtures/tables-sql.ts';
import { lockedServers, settled, untilWaiting } from '../matrix/locked-server.ts';
import { referenceSource } from '../matrix/reference/source.ts';
import { everyServiceRequired } from '../services/index.ts';
import { plainStatement } from '../../src/relational/index.ts';
import { executorOf as sqlExecutor } from '../../src/adapters/sql/executors/recognise.ts';

/** Runs SQL directly. */
export type RunByHand = (sql: string) => PromiseLike<unknown>;

/** An open connection of a library. */
export interface Opened {
  readonly connection: SqlConnection;
  readonly run: RunByHand;
  /** Runs work in a transaction and rolls it back. */
  rolledBack(work: (inner: SqlConnection, run: RunByHand) => Promise<void>): Promise<void>;
  close(): PromiseLike<unknown>;
}

/** A library on a database. */
export interface Library {
  readonly name: string;
  readonly family: DatabaseFamily;
  open(url: string): Promise<Opened> | Opened;
  /** Whether statements run on when a client leaves, because the driver cannot end them. */
  readonly runsOn?: boolean;
  /** Whether the connection has no pool. */
  readonly isOne?: boolean;
}

/** Each library runs a part of the corpus; together they run all of it. */
const cases = Object.values(corpus).flat();
const share = 7;

/** Declares the tests of one library; `at` selects its part of the corpus. */
export function executorSuite({ name, family, open, runsOn, isOne }: Library, at: number): void {
  describe(`${name}`, () => {
    const tables = sqlTablesOf(family);
    const registry = withComputedFields(
      sqlRegistry(tables, { families: [family] }),
      computedFields,
    );
    const rules = compileEndpoints(registry);
    let opened: Opened | undefined;
    let drop: (() => Promise<void>) | undefined;
    let watcher: Knex | undefined;
    const server = lockedServers[family];
    const sourceOn = (connection: SqlConnection, model: string) =>
      sqlSource({ connection, registry, tables, model });

    beforeAll(async () => {
      const database = await loadedDatabase(family, 'executor');
      if ('missing' in database) {
        if (everyServiceRequired()) throw new Error(database.advice);
        return;
      }
      ({ drop } = database);
      opened = await open(database.url);
      if (server) watcher = knexOn(database);
    });
    afterAll(async () => {
      await watcher?.destroy();
      await opened?.close();
      await drop?.();
    });

    it('uses the profile of its database', async (context) => {
      if (!opened) return context.skip();
      expect(await checkProfile(sourceOn(opened.connection, 'user'))).toEqual([]);
    });

    it('returns the results of the reference', async (context) => {
      if (!opened) return context.skip();
      for (const each of cases.filter((_, place) => place % share === at % share)) {
        const endpoint = rules[each.endpoint];
        const given = await answer(
          sourceOn(opened.connection, endpoint.model),
          each.request,
          endpoint,
        );
        const meant = await answer(
          referenceSource(endpoint.model, undefined, { family, registry }),
          each.request,
          endpoint,
        );
        expect([each.name, JSON.stringify(given)]).toEqual([each.name, JSON.stringify(meant)]);
      }
    });

    it('pages by cursor over instants, decimals and nulls', async (context) => {
      if (!opened) return context.skip();
      const source = sourceOn(opened.connection, 'user');
      for (const sort of ['-seenAt,debt', 'createdAt', '-balance,nickname']) {
        const seen: unknown[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const request: string = `sort=${sort}&perPage=7&fields=id&cursor=${cursor}`;
          const page: ListResult = await runQuery(source, request, rules.usersKeyset);
          seen.push(...page.data.map(({ id }) => id));
          cursor = 'nextCursor' in page ? page.nextCursor : null;
        }
        expect(new Set(seen).size).toBe(60);
        expect(seen).toHaveLength(60);
      }
    });

    it("runs all statements of a request in the host's transaction", async (context) => {
      if (!opened) return context.skip();
      const { connection, rolledBack } = opened;
      const countOf = async (on: SqlConnection, limits = {}) => {
        const page = await runQuery(sourceOn(on, 'region'), 'perPage=1', rules.regions, limits);
        return 'total' in page ? page.total : undefined;
      };
      const before = await countOf(connection);
      await rolledBack(async (inner, run) => {
        await run(`insert into regions (id, name, name_folded) values (900, 'Nowhere', 'nowhere')`);
        expect(await countOf(inner)).toBe(Number(before) + 1);
        expect(await countOf(inner, { timeoutMs: 5000 })).toBe(Number(before) + 1);
        // The host's transaction is still open: no read above has ended it.
        await run(`insert into regions (id, name, name_folded) values (901, 'Beyond', 'beyond')`);
        expect(await countOf(inner)).toBe(Number(before) + 2);
      });
      expect(await countOf(connection)).toBe(before);
    });

    it('runs statements side by side on a pool alone', async (context) => {
      if (!opened) return context.skip();
      const { concurrent } = sqlExecutor(opened.connection);
      expect(concurrent).toBe(family !== 'sqlite' && !isOne);
      await opened.rolledBack(async (inner) => {
        expect(sqlExecutor(inner).concurrent).toBe(false);
      });
    });

    it("begins no transaction of its own within the host's, which goes on after a failed one", async (context) => {
      if (!opened) return context.skip();
      const { connection, rolledBack } = opened;
      const counting = plainStatement('select count(*) as c0 from regions', []);
      const count = async (on: Pick<SqlExecutor, 'run'>) =>
        Number((await on.run(counting, []))[0]?.[0]);
      const countOn = (on: SqlConnection) => count(sqlExecutor(on));
      const before = await countOn(connection);
      await rolledBack(async (inner, run) => {
        await run(`insert into regions (id, name, name_folded) values (902, 'Nowhere', 'nowhere')`);
        const executor = sqlExecutor(inner);
        expect(await executor.transaction(count, 5000)).toBe(before + 1);
        const missing = plainStatement('select c0 from no_such_table', []);
        await expect(
          executor.transaction(async (on) => on.run(missing, []), 5000),
        ).rejects.toBeInstanceOf(Error);
        await run(`insert into regions (id, name, name_folded) values (903, 'Beyond', 'beyond')`);
        expect(await countOn(inner)).toBe(before + 2);
      });
      expect(await countOn(connection)).toBe(before);
    });

    it('keeps its transactions apart, of which one fails', async (context) => {
      if (!opened || family !== 'postgresql') return context.skip();
      const executor = sqlExecutor(opened.connection);
      const inserted = (id: number) => async (on: Pick<SqlExecutor, 'run'>) =>
        on.run(
          plainStatement(
            `insert into regions (id, name, name_folded) values (${id}, 'Apart', 'apart') returning id as c0`,
            [],
          ),
          [],
        );
      const count = plainStatement(`select count(*) as c0 from regions where id in (910, 911)`, []);
      const ended = await Promise.allSettled([
        executor.transaction(async (on) => {
          await inserted(910)(on);
          await sleep(20);
          throw new Error('failed');
        }, 5000),
        executor.transaction(inserted(911), 5000),
      ]);
      expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
      expect((await executor.run(count, []))[0]?.map(Number)).toEqual([1]);
      await opened.run('delete from regions where id in (910, 911)');
    });

    it("leaves the time limit of the host's transaction as it was", async (context) => {
      if (!opened || family !== 'postgresql') return context.skip();
      await opened.rolledBack(async (inner, run) => {
        for (const own of ['77s', '0']) {
          await run(`set local statement_timeout = '${own}'`);
          const options = { timeoutMs: 5000 };
          await runQuery(sourceOn(inner, 'region'), 'perPage=1', rules.regions, options);
          const limit = plainStatement(`select current_setting('statement_timeout') as c0`, []);
          expect(await sqlExecutor(inner).run(limit, [])).toEqual([[own]]);
        }
      });
    });

    it('reads every digit of decimals', async (context) => {
      if (!opened || family === 'sqlite') return context.skip();
      const exact = '12345678901234567.25';
      const statement = plainStatement(`select cast(${exact} as decimal(30, 2)) as c0`, []);
      expect(await sqlExecutor(opened.connection).run(statement, [])).toEqual([[exact]]);
    });

    it('reads numbers of 16 digits exactly', async (context) => {
      if (!opened) return context.skip();
      // Adding digit by digit, as a driver may do, gives their neighbours.
      const heights = [
        93.53455627109823, 999999999.9999987, 1.9342068125438643e-12, -1.2345678901234568e-15,
      ];
      await opened.rolledBack(async (inner, run) => {
        for (const [at, height] of heights.entries()) {
          const id = at + 1;
          await run(`update users set height = ${height.toExponential()} where id = ${id}`);
        }
        const request = 'fields=id,height&sort=id&filter[id][lte]=4';
        const { data } = await runQuery(sourceOn(inner, 'user'), request, rules.users);
        expect(data.map(({ height }) => height)).toEqual(heights);
      });
    });

    it('handles concurrent requests, with and without a timeout', async (context) => {
      if (!opened) return context.skip();
      const source = sourceOn(opened.connection, 'user');
      const requests = Array.from({ length: 24 }, (_, page) => `perPage=2&page=${page + 1}`);
      const answers = await Promise.all(
        requests.map((request, place) =>
          runQuery(source, request, rules.users, place % 3 === 0 ? { timeoutMs: 5000 } : {}),
        ),
      );
      const ids = answers.flatMap(({ data }) => data.map(({ id }) => id));
      expect(new Set(ids).size).toBe(48);
    });

    it('reports errors of the tables, and recovers', async (context) => {
      if (!opened) return context.skip();
      const wrong = { ...tables, region: { ...tables['region'], table: 'gone' } } as typeof tables;
      const { connection } = opened;
      const source = sqlSource({ connection, registry, tables: wrong, model: 'region' });
      for (const limits of [{}, { timeoutMs: 5000 }]) {
        const failure = await runQuery(source, '', rules.regions, limits).catch(
          (error: unknown) => error,
        );
        expect(failure).toBeInstanceOf(QueryError);
        expect((failure as QueryError).code).toBe('SOURCE_CONFIGURATION_INVALID');
      }
      const page = await runQuery(sourceOn(connection, 'region'), '', rules.regions);
      expect(page.data.length).toBeGreaterThan(0);
    });

    it('cancels a request after its timeout, and recovers', async (context) => {
      if (!opened || family === 'sqlite') return context.skip();
      const { connection } = opened;
      const source = sourceOn(connection, 'user');
      // A tenth of a millisecond has passed before any server responds.
      const failure = await runQuery(source, '', rules.users, { timeoutMs: 0.1 }).catch(
        (error: unknown) => error,
      );
      expect((failure as QueryError).code).toBe('QUERY_TIMEOUT');
      expect((await runQuery(source, '', rules.users, { timeoutMs: 5000 })).data).not.toEqual([]);
    });

    it('ends statements on the server at the timeout and when the signal is aborted', async (context) => {
      if (!opened || !server || !watcher || runsOn) return context.skip();
      const source = sourceOn(opened.connection, 'user');
      const knex = watcher;
      const unlock = await server.lock(knex);
      try {
        // More requests than connections: the others never start.
        const late = Array.from({ length: 4 }, () =>
          runQuery(source, '', rules.users, { timeoutMs: 300 }),
        );
        for (const { reason } of (await Promise.allSettled(late)) as PromiseRejectedResult[]) {
          expect(reason).toMatchObject({ code: 'QUERY_TIMEOUT' });
        }
        await untilWaiting(server, knex, (waiting) => waiting === 0);
        const gone = new AbortController();
        const options = { signal: gone.signal, timeoutMs: 0 };
        const left = Array.from({ length: 4 }, () => runQuery(source, '', rules.users, options));
        const settledAll = Promise.allSettled(left);
        await untilWaiting(server, knex, (waiting) => waiting > 0);
        gone.abort(new Error('gone'));
        for (const { reason } of (await settledAll) as PromiseRejectedResult[]) {
          expect(String(reason)).toBe('Error: gone');
        }
        await untilWaiting(server, knex, (waiting) => waiting === 0);
      } finally {
        await unlock();
      }
      await settled(server, knex);
      expect((await runQuery(source, '', rules.users)).data).not.toEqual([]);
    });

    it('ends no statement but that of the aborted request', async (context) => {
      if (!opened || !server || runsOn) return context.skip();
      const source = sourceOn(opened.connection, 'user');
      const request = 'perPage=3&filter[orders.lines.notes.text][ne]=x';
      let lasted = 5;
      for (let round = 0; round < 60; round += 1) {
        const gone = new AbortController();
        const { signal } = gone;
        const left = runQuery(source, request, rules.users, { signal }).catch(String);
        await sleep(Math.random() * lasted);
        gone.abort(new Error('gone'));
        const started = performance.now();
        expect((await runQuery(source, request, rules.users)).data).toHaveLength(3);
        lasted = performance.now() - started;
        await left;
      }
    });

    it('is unavailable once the host has closed it', async (context) => {
      if (!opened) return context.skip();
      const source = sourceOn(opened.connection, 'user');
      await opened.close();
      opened = undefined;
      const unavailable = { code: 'SOURCE_UNAVAILABLE', status: 503 };
      for (const limits of [{}, { timeoutMs: 5000 }]) {
        await expect(runQuery(source, '', rules.users, limits)).rejects.toMatchObject(unavailable);
      }
      await expect(checkProfile(source)).rejects.toMatchObject(unavailable);
    });
  });
}
