/** Host features of a TypeORM source: customize, timeouts, transactions, replicas, error messages. */

import {
  AbstractLogger,
  Column,
  DataSource,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from 'typeorm';
import type { DataSourceOptions, LogLevel, LogMessage, Relation } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkProfile,
  enforceProfile,
  typeormRegistry,
  typeormSource,
} from '../../src/adapters/typeorm/index.ts';
import type { TypeormCustomize } from '../../src/adapters/typeorm/index.ts';
import {
  type DatabaseFamily,
  QueryError,
  type QueryPlan,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

@Entity('things')
class Thing {
  @PrimaryColumn() id!: number;
  @Column() owner!: number;
  @ManyToOne(() => Thing, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'owner' })
  above!: Relation<Thing>;
}

/** An entity without a table. */
@Entity('absent')
class Absent {
  @PrimaryColumn() id!: number;
}

const registry = typeormRegistry([Thing, Absent]);
const declaration = {
  filters: [{ path: 'id', operators: ['gte', 'lte', 'in'] }],
  sorts: ['id'],
  fields: { root: { allowed: ['id'], default: ['id'] } },
  pagination: { mode: 'both' },
} as const;
const rules = defineQueryRules(registry, 'thing', declaration);
const sortedRules = defineQueryRules(registry, 'thing', {
  sorts: ['above.owner'],
  fields: { root: { allowed: ['id'], default: ['id'] } },
});
const absentRules = defineQueryRules(registry, 'absent', declaration);

/** A logger that records statements. */
class Heard extends AbstractLogger {
  readonly statements: string[] = [];
  protected override isLogEnabledFor(): boolean {
    return true;
  }
  protected writeLog(_level: LogLevel, messages: LogMessage | LogMessage[]): void {
    for (const { message, type } of [messages].flat() as LogMessage[]) {
      if (type === 'query') this.statements.push(String(message));
    }
  }
}

const optionsFor: { readonly [family in DatabaseFamily]: (url: string) => DataSourceOptions } = {
  postgresql: (url) => ({
    type: 'postgres',
    replication: { master: { url }, slaves: [{ url: `${url}?application_name=replica` }] },
    extra: { max: 2 },
  }),
  mysql: (url) => ({ type: 'mysql', url, extra: { connectionLimit: 2 } }),
  sqlite: (url) => ({ type: 'better-sqlite3', database: url }),
};

/** A condition that takes `seconds` (on MySQL a tenth per row); `null` if a statement cannot be interrupted. */
const slow = (family: DatabaseFamily, seconds: number): string | null => {
  if (family === 'sqlite') return null;
  return family === 'postgresql'
    ? `(select count(*) from (select pg_sleep(${seconds})) as slow) = 1`
    : `(select sleep(${seconds / 10})) = 0`;
};

interface World {
  readonly database: ScratchDatabase;
  readonly dataSource: DataSource;
  readonly heard: Heard;
}

async function open(family: DatabaseFamily): Promise<World | null> {
  const database = await scratchDatabase(family, 'typeorm_host');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return null;
  }
  const heard = new Heard();
  const dataSource = await new DataSource({
    ...optionsFor[family](database.url),
    entities: [Thing, Absent],
    logger: heard,
    maxQueryExecutionTime: 60_000,
  } as DataSourceOptions).initialize();
  await dataSource.query('create table things (id int primary key, owner int not null)');
  const rows = Array.from({ length: 30 }, (_, index) => `(${index + 1}, ${(index % 2) + 1})`);
  await dataSource.query(`insert into things values ${rows.join()}`);
  return { database, dataSource, heard };
}

const failure = (work: Promise<unknown>): Promise<QueryError> =>
  work.then(
    () => {
      throw new Error('expected an error');
    },
    (error: unknown) => {
      expect(error).toBeInstanceOf(QueryError);
      return error as QueryError;
    },
  );

describe.each(['sqlite', 'postgresql', 'mysql'] as const)('a host on %s', (family) => {
  let world: World | null = null;
  beforeAll(async () => {
    world = await open(family);
  });
  afterAll(async () => {
    await world?.dataSource.destroy();
    await world?.database.drop();
  });
  const opened = () => {
    if (!world) throw new Error('the database is missing');
    return world;
  };
  const source = () => typeormSource(opened().dataSource, Thing);
  const run = (request: string, customize?: TypeormCustomize<Thing>, more: object = {}) =>
    runQuery(source(), request, rules, { customize, ...more });

  it('combines the conditions of customize with AND, in data and count', async () => {
    const result = await run('filter[id][gte]=5&perPage=2', (builder, { kind }) => {
      expect(['data', 'count']).toContain(kind);
      return builder.where('things.id <= :most', { most: 8 });
    });
    const data = [{ id: 5 }, { id: 6 }];
    expect(result).toEqual({ data, page: 1, perPage: 2, total: 4, lastPage: 2 });
  });

  it('does not let customize widen the condition of a tenant', async () => {
    const tenant = (plan: QueryPlan): QueryPlan => ({
      ...plan,
      where: {
        type: 'and',
        predicates: [
          ...(plan.where ? [plan.where] : []),
          { type: 'condition', path: 'owner', operator: 'eq', value: 1 },
        ],
      },
    });
    const attempts: readonly TypeormCustomize<Thing>[] = [
      (builder) => builder.where('things.id = 1 or things.id = 2'),
      (builder) => builder.where('things.id = 1').orWhere('things.id = 2'),
      (builder) => builder.orWhere('1 = 1'),
      (builder) => builder.where([{ id: 1 }, { id: 2 }]),
      (builder) => builder.andWhere('things.id = 2').orWhere('things.id = :one', { one: 1 }),
      (builder) => builder.skip(0).take(100).limit(100).offset(0).orderBy('things.owner', 'DESC'),
      (builder) => builder.select('things').addSelect('things.owner'),
    ];
    for (const customize of attempts) {
      const result = await run('perPage=3', customize, { transformPlan: tenant });
      for (const { id } of result.data) expect(Number(id) % 2).toBe(1);
      expect(result.data.length).toBeLessThanOrEqual(3);
      expect(Object.keys(result.data[0] ?? {})).toEqual(['id']);
    }
  });

  it('lets customize change neither the window of the page nor the count', async () => {
    for (const includes of ['', '&page=2']) {
      const own = await run(`perPage=3${includes}`);
      const given = await run(`perPage=3${includes}`, (builder) => builder.skip(5).take(2));
      expect(given).toEqual(own);
      expect(given).toMatchObject({ total: 30 });
    }
  });

  it('supports joins and parameters in customize', async () => {
    const result = await run('filter[id][in]=1,2,3,4&sort=-id&perPage=2', (builder) => {
      builder
        .innerJoin(Thing, 'other', 'other.id = things.id + :step', { step: 28 })
        .andWhere('other.id in (:...ids)', { ids: [29, 30] });
    });
    expect(result).toMatchObject({ data: [{ id: 2 }, { id: 1 }], total: 2 });
  });

  it('gives the entities of each request to its own customize, joins of any kind included', async () => {
    const page = async (customize: TypeormCustomize<Thing>, hydrate = true) => {
      const on = typeormSource(opened().dataSource, Thing, { hydrate });
      const result = await runQuery(on, 'filter[id][lte]=4', rules, { customize });
      return JSON.parse(JSON.stringify(result)) as object;
    };
    for (const id of [1, 2]) {
      const data = [{ id }];
      expect(await page((builder) => builder.andWhere(`things.id = ${id}`))).toMatchObject({
        data,
      });
    }
    const given: readonly TypeormCustomize<Thing>[] = [
      (builder) => builder.innerJoin('(select 29 as id)', 'other', 'other.id = things.id + 28'),
      (builder) => builder.leftJoin('things.above', 'a').innerJoin('a.above', 'b', 'b.id = 1'),
      (builder) => builder.andWhere("'x USE INDEX (y)' <> ''"),
    ];
    for (const customize of given) {
      expect(await page(customize)).toEqual(await page(customize, false));
    }
  });

  it('keeps the hint that customize gives, and takes no other builder', async () => {
    const { heard } = opened();
    heard.statements.length = 0;
    const customize: TypeormCustomize<Thing> = (builder) => builder.useIndex('primary');
    const hinted = await runQuery(source(), 'sort=-above.owner&perPage=2', sortedRules, {
      customize,
    });
    expect(hinted).toMatchObject({ data: [{ id: 30 }, { id: 28 }], total: 30 });
    const uses = heard.statements.map((text) => text.includes('USE INDEX'));
    expect(uses).toEqual(uses.map(() => family === 'mysql'));
    const other = () => ({}) as never;
    expect(await failure(run('', other))).toMatchObject({
      code: 'SOURCE_CONFIGURATION_INVALID',
      message: '"customize" must return the query builder that it receives',
    });
    expect(await run('perPage=1', () => undefined)).toMatchObject({ total: 30 });
  });

  it('applies customize to later pages and cursors', async () => {
    const above: TypeormCustomize<Thing> = (builder) => builder.where('things.id > 10');
    expect(await run('perPage=3&page=2', above)).toMatchObject({
      data: [{ id: 14 }, { id: 15 }, { id: 16 }],
      total: 20,
    });
    const first = await run('perPage=3&cursor=', above);
    if (!('nextCursor' in first)) throw new Error('expected a keyset page');
    const next = await run(`perPage=3&cursor=${first.nextCursor}`, above);
    expect(next.data).toEqual([{ id: 14 }, { id: 15 }, { id: 16 }]);
  });

  it('caps a customized count', async () => {
    const capped = defineQueryRules(registry, 'thing', {
      ...declaration,
      pagination: { count: { capped: 4 } },
    });
    const customize: TypeormCustomize<Thing> = (builder) => builder.where('things.id > 10');
    expect(await runQuery(source(), 'perPage=2', capped, { customize })).toMatchObject({
      total: 4,
      totalCapped: true,
    });
  });

  it('completes within a timeout, and stops a statement at the timeout', async () => {
    expect(await run('perPage=1', undefined, { timeoutMs: 5000 })).toMatchObject({ total: 30 });
    const condition = slow(family, 30);
    if (condition === null) {
      // SQLite runs in the process: an expired timeout is detected before the next statement.
      expect((await failure(run('', undefined, { timeoutMs: 0.001 }))).code).toBe('QUERY_TIMEOUT');
      return;
    }
    for (const hydrate of [false, true]) {
      const started = performance.now();
      const error = await failure(
        runQuery(typeormSource(opened().dataSource, Thing, { hydrate }), '', rules, {
          timeoutMs: 200,
          customize: (builder) => builder.where(condition),
        }),
      );
      expect(error).toMatchObject({ code: 'QUERY_TIMEOUT', status: 504 });
      expect(performance.now() - started).toBeLessThan(15_000);
    }
    expect(await run('perPage=1')).toMatchObject({ total: 30 });
  });

  it('rejects when the signal is aborted, and releases its connection', async () => {
    const signal = AbortSignal.abort(new Error('the client is gone'));
    await expect(run('', undefined, { signal })).rejects.toThrow('the client is gone');
    const condition = slow(family, 2);
    if (condition === null) return;
    const soon = AbortSignal.timeout(50);
    await expect(
      run('', (builder) => builder.where(condition), { signal: soon }),
    ).rejects.toMatchObject({ name: 'TimeoutError' });
    // The pool has two connections, so that a leak would block the next requests.
    for (let at = 0; at < 5; at += 1) {
      expect(await run('perPage=1')).toMatchObject({ total: 30 });
    }
  });

  it('runs inside a transaction of the host, on its connection', async () => {
    const { dataSource, heard } = opened();
    await dataSource.transaction(async (manager) => {
      await manager.query('insert into things values (99, 1)');
      const inside = typeormSource(manager.getRepository(Thing));
      expect(inside.prepare).toBeTypeOf('function');
      for (const options of [{}, { timeoutMs: 5000 }]) {
        const result = await runQuery(inside, 'perPage=2', rules, options);
        expect(result).toMatchObject({ data: [{ id: 1 }, { id: 2 }], total: 31 });
      }
      const hydrated = typeormSource(manager.getRepository(Thing), { hydrate: true });
      expect(await runQuery(hydrated, 'filter[id][gte]=99', rules)).toMatchObject({ total: 1 });
      await manager.query('delete from things where id = 99');
    });
    expect(heard.statements.some((text) => /^(?:\/\*.*?\*\/)?select/i.test(text))).toBe(true);
    expect(await run('perPage=1')).toMatchObject({ total: 30 });
  });

  it('reads from the same replica as TypeORM', async () => {
    if (family !== 'postgresql') return;
    const result = await run('', (builder) =>
      builder.where("current_setting('application_name') = 'replica'"),
    );
    expect(result).toMatchObject({ total: 30 });
    const { dataSource } = opened();
    const rows: unknown = await dataSource.query(
      "select current_setting('application_name') as name",
    );
    expect(rows).toEqual([{ name: '' }]);
  });

  it('reports a missing table without SQL', async () => {
    const error = await failure(
      runQuery(typeormSource(opened().dataSource, Absent), '', absentRules),
    );
    expect(error).toMatchObject({ code: 'SOURCE_CONFIGURATION_INVALID', status: 500 });
    expect(JSON.stringify(error)).not.toMatch(/select|absent/i);
    expect(error.cause).toBeInstanceOf(Error);
    expect((await failure(runQuery(source(), '', absentRules))).code).toBe(
      'SOURCE_CONFIGURATION_INVALID',
    );
  });

  it('checks the database against the profile', async () => {
    const violations = await checkProfile(typeormSource(opened().dataSource, Thing, { registry }));
    expect(violations.map(({ where, rule }) => `${where} ${rule}`)).toEqual(['absent.id missing']);
    const own = typeormRegistry([Thing]);
    await enforceProfile(typeormSource(opened().dataSource, Thing, { registry: own }));
    const error = await failure(enforceProfile(source()));
    expect(error.code).toBe('PORTABILITY_PROFILE_MISMATCH');
  });
});

describe('a source', () => {
  it.each([
    ['postgres', 'postgresql'],
    ['mysql', 'mysql'],
    ['mariadb', 'mysql'],
    ['better-sqlite3', 'sqlite'],
    ['sqlite', 'sqlite'],
    ['sqljs', 'sqlite'],
  ])('of type %s is of the family %s', (type, family) => {
    const repository = {
      manager: { connection: { options: { type }, driver: {} } },
      target: Thing,
    };
    expect(typeormSource(repository as never).family).toBe(family);
  });

  it('refuses drivers of other families, and a DataSource that is not initialized', async () => {
    const other = { options: { type: 'mongodb' } };
    const repository = { manager: { connection: other }, target: Thing };
    expect(() => typeormSource(repository as never)).toThrow(/type mongodb is not supported/);
    const idle = new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [Thing],
    });
    const error = await failure(runQuery(typeormSource(idle, Thing), '', rules));
    expect(error.message).toMatch(/initialize it first/);
  });
});
