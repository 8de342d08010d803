/** The connections of a DataSource on PostgreSQL: one replica for each request, and subscribers that hear of every query. */

import type { EventEmitter } from 'node:events';
import { DataSource, EntitySchema, type EntitySubscriberInterface, EventSubscriber } from 'typeorm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { errorCauses } from '../../src/lib/index.ts';
import { plainStatement } from '../../src/relational/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const Item = new EntitySchema<{ id: number }>({
  name: 'item',
  tableName: 'items',
  columns: { id: { type: 'int', primary: true } },
});
const Slow = new EntitySchema<{ id: number }>({
  name: 'slow',
  tableName: 'slow_items',
  columns: { id: { type: 'int', primary: true } },
});
const registry = typeormRegistry([Item]);
const rules = defineQueryRules(registry, 'item', {
  fields: { root: { allowed: ['id'], default: ['id'] } },
});
const uncounted = defineQueryRules(registry, 'item', {
  fields: { root: { allowed: ['id'], default: ['id'] } },
  pagination: { count: 'none' },
});

const database = await scratchDatabase('postgresql', 'typeorm_connections');

describe.skipIf('missing' in database && !everyServiceRequired())('a DataSource', () => {
  if ('missing' in database) throw new Error(database.advice);
  const { url } = database;
  const open = (more: object) =>
    new DataSource({ type: 'postgres', url, entities: [Item], ...more }).initialize();

  beforeAll(async () => {
    const dataSource = await open({});
    // Connections of the second replica see no rows, and those of the primary more than others.
    await dataSource.query(`create view items as select no as id from generate_series(1,
      case current_setting('application_name') when 'second' then 0 when 'primary' then 5 else 3 end) as no`);
    await dataSource.destroy();
  });
  afterAll(() => database.drop());

  it('reads rows and count of a request from one replica', async () => {
    const slaves = ['first', 'second'].map((name) => ({ url: `${url}?application_name=${name}` }));
    const master = { url: `${url}?application_name=primary` };
    const dataSource = await open({ replication: { master, slaves } });
    const acquired: unknown[] = [];
    const driver = dataSource.driver as unknown as { readonly master: EventEmitter };
    driver.master.on('acquire', (client) => acquired.push(client));
    let turn = 0;
    // TypeORM chooses a replica by chance.
    const random = vi.spyOn(Math, 'random').mockImplementation(() => (turn++ % 2 ? 0.9 : 0.1));
    try {
      const seen = new Set<number>();
      // Without replicas, a connection of the primary would be asked whether it keeps names.
      for (let run = 0; run < 24; run += 1) {
        const page = await runQuery(typeormSource(dataSource, Item), 'perPage=1', rules);
        const total = 'total' in page ? page.total : NaN;
        expect(total).toBe(page.data.length * 3);
        seen.add(total);
      }
      expect(seen).toEqual(new Set([0, 3]));
      expect(acquired).toEqual([]);
    } finally {
      random.mockRestore();
      await dataSource.destroy();
    }
  });

  it.each(['beforeQuery', 'afterQuery'] as const)(
    'tells a subscriber with %s alone of every query',
    async (method) => {
      const heard: string[] = [];
      @EventSubscriber()
      class Heard implements EntitySubscriberInterface {
        constructor() {
          Object.assign(this, {
            [method]: ({ query }: { readonly query: string }) => heard.push(query),
          });
        }
      }
      const dataSource = await open({ subscribers: [Heard] });
      try {
        const source = typeormSource(dataSource, Item);
        for (let run = 0; run < 20; run += 1) {
          heard.length = 0;
          expect(await runQuery(source, 'perPage=2', rules)).toMatchObject({ total: 3 });
          expect(heard.filter((text) => text.includes('items'))).not.toEqual([]);
        }
      } finally {
        await dataSource.destroy();
      }
    },
  );

  it('has statements side by side and connections of its own without replicas alone', async () => {
    const dataSource = await open({});
    const { execute } = typeormSource(dataSource, Item);
    expect([execute.concurrent, execute.oneServer]).toEqual([true, undefined]);
    await execute.lease(async (leased) => {
      expect([leased.concurrent, leased.oneServer]).toEqual([false, undefined]);
      await leased.lease(async (same) => expect(same).toBe(leased));
    });
    expect(() => execute.runner).toThrow('The executor has no connection; call lease first.');
    await dataSource.destroy();
    const slaves = [{ url }];
    const replicated = await open({ replication: { master: { url }, slaves } });
    const { execute: replica } = typeormSource(replicated, Item);
    expect([replica.concurrent, replica.oneServer !== undefined]).toEqual([false, true]);
    await replica.lease(async ({ oneServer }) => expect(oneServer).toBeUndefined());
    await replicated.destroy();
  });

  it('has two connections free where two have come back', async () => {
    const dataSource = await open({ poolSize: 2 });
    const { execute } = typeormSource(dataSource, Item);
    const free: boolean[] = [];
    const lent = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    for (const runner of lent) await runner.connect();
    for (const runner of lent) {
      await runner.release();
      free.push(execute.hasTwoFree());
    }
    await dataSource.destroy();
    expect(free).toEqual([false, true]);
  });

  it('gives its one connection back after work that fails', async () => {
    const dataSource = await open({ poolSize: 1 });
    await dataSource.query('create table kept (no int)');
    const { execute } = typeormSource(dataSource, Item);
    const statement = (text: string) => plainStatement(text, []);
    const write = (no: number, last: string) =>
      execute.transaction(async (inner) => {
        await inner.run(statement(`insert into kept values (${no})`), []);
        return inner.run(statement(last), []);
      });
    try {
      expect(await write(1, 'select 7 as c0')).toEqual([[7]]);
      await expect(write(2, 'select 1 / 0')).rejects.toThrow(/zero/);
      const left = execute.transaction(async (inner) => {
        await inner.run(statement('insert into kept values (3)'), []);
        throw new Error('left');
      });
      await expect(left).rejects.toThrow('left');
      const failing = execute.lease(() => Promise.reject(new Error('left')));
      await expect(failing).rejects.toThrow('left');
      expect(await execute.run(statement('select no as c0 from kept'), [])).toEqual([[1]]);
      await dataSource.transaction(async (manager) => {
        const { execute: inside } = typeormSource(manager.getRepository(Item));
        expect(inside.concurrent).toBe(false);
        expect(await inside.lease(async (same) => same)).toBe(inside);
      });
    } finally {
      await dataSource.query('drop table kept');
      await dataSource.destroy();
    }
  });

  it('keeps its connection until the transaction of a request that is over has ended', async () => {
    const dataSource = await open({ poolSize: 1 });
    const events: string[] = [];
    const { master } = dataSource.driver as unknown as { readonly master: EventEmitter };
    master.on('release', () => events.push('released'));
    const { execute } = typeormSource(dataSource, Item);
    let work: Promise<unknown> = Promise.resolve();
    await execute.lease(async (leased) => {
      work = leased.transaction(async (inner) => {
        await inner.run(plainStatement('select 1 as c0', []), []);
        events.push('read');
      });
    });
    await work;
    expect(events).toEqual(['read', 'released']);
    await dataSource.destroy();
  });

  it.each([
    [false, rules],
    [true, rules],
    [false, uncounted],
  ])(
    'asks again for rows whose names the server has lost, in a transaction: %s',
    async (isWithin, chosen) => {
      const dataSource = await open({ poolSize: 1 });
      const read = (on: Pick<DataSource, 'getRepository'>) =>
        runQuery(typeormSource(on.getRepository(Item)), 'perPage=2', chosen);
      const forgotten = async (on: Pick<DataSource, 'getRepository' | 'query'>) => {
        await read(on);
        await on.query('deallocate all');
        return read(on);
      };
      try {
        for (let run = 0; run < 20; run += 1) await read(dataSource);
        if (isWithin) {
          const failed = dataSource.transaction(forgotten);
          const causes = await failed.then(() => [], errorCauses);
          expect(causes.at(-1)?.message).toMatch(/prepared statement .* does not exist/);
        } else {
          const page = await forgotten(dataSource);
          expect(page.data).toEqual([{ id: 1 }, { id: 2 }]);
          if (chosen === rules) expect(page).toMatchObject({ total: 3 });
        }
      } finally {
        await dataSource.destroy();
      }
    },
  );

  it("reads values by the host's own parsers, however often a statement has run", async () => {
    const integer: number = pg.types.builtins.INT4;
    const getTypeParser = (oid: number, format: 'text') => {
      const usual = pg.types.getTypeParser(oid, format) as (text: string) => unknown;
      // Numbers of processes remain.
      return (text: string) =>
        oid === integer && text.length === 1 ? Number(text) * 10 : usual(text);
    };
    const dataSource = await open({ poolSize: 1, extra: { types: { getTypeParser } } });
    try {
      for (let run = 0; run < 20; run += 1) {
        const { data } = await runQuery(typeormSource(dataSource, Item), 'perPage=2', rules);
        expect(data).toEqual([{ id: 10 }, { id: 20 }]);
      }
    } finally {
      await dataSource.destroy();
    }
  });

  it('tells its logger of every query, with values, errors and slowness', async () => {
    const heard: unknown[] = [];
    const silent = (): void => {};
    const options = {
      entities: [Slow],
      poolSize: 1,
      logger: {
        logQuery: (text: string, values: unknown) => heard.push(['sent', text, values]),
        logQueryError: (error: Error, text: string, values: unknown) =>
          heard.push(['failed', error, text, values]),
        logQuerySlow: () => heard.push(['slow']),
        logSchemaBuild: silent,
        logMigration: silent,
        log: silent,
      },
    };
    const slowRules = defineQueryRules(typeormRegistry([Slow]), 'slow', {
      filters: [{ path: 'id', operators: ['eq'] }],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    for (const more of [{}, { maxQueryExecutionTime: 1 }]) {
      const dataSource = await open({ ...options, ...more });
      const read = () => runQuery(typeormSource(dataSource, Slow), 'filter[id]=2', slowRules);
      try {
        await dataSource.query(`create view slow_items as
          select id from items, lateral (select pg_sleep(0.01 + id * 0)) as slow`);
        for (let run = 0; run < 30; run += 1) {
          heard.length = 0;
          expect((await read()).data).toEqual([{ id: 2 }]);
          expect(heard).toContainEqual([
            'sent',
            expect.stringContaining('"slow_items"'),
            expect.arrayContaining([expect.anything()]),
          ]);
          const isSlow = expect.arrayContaining([['slow']]) as unknown;
          if ('maxQueryExecutionTime' in more) expect(heard).toEqual(isSlow);
        }
        const kept: unknown = await dataSource.query(
          `select from pg_prepared_statements where statement like '%slow_items%'`,
        );
        expect(kept).toHaveLength('maxQueryExecutionTime' in more ? 0 : 1);
        await dataSource.query('drop view slow_items');
        heard.length = 0;
        await expect(read()).rejects.toMatchObject({ code: 'SOURCE_CONFIGURATION_INVALID' });
        expect(heard).toContainEqual([
          'failed',
          expect.any(Error),
          expect.stringContaining('"slow_items"'),
          expect.arrayContaining([expect.anything()]),
        ]);
      } finally {
        await dataSource.query('drop view if exists slow_items');
        await dataSource.destroy();
      }
    }
  });
});
