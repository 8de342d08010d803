/**
 * Numbers of more than 32 bits with a sign in columns of kind `integer` on MySQL and MariaDB, such as addresses in
 * `int unsigned`: they are shown, walked past, filtered and found by key, and as kind `bigint` as well.
 */

import { drizzle } from 'drizzle-orm/mysql2';
import { int, mysqlTable } from 'drizzle-orm/mysql-core';
import mysql from 'mysql2/promise';
import { Column, DataSource, Entity, EntitySchema, PrimaryColumn } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { QueryField, typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import {
  type KeysetResult,
  type QuerySource,
  type SchemaRegistry,
  defineQueryRules,
  runOne,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

const columns = {
  id: int('id', { unsigned: true }).primaryKey(),
  ip: int('ip', { unsigned: true }).notNull(),
};
const hosts = mysqlTable('hosts', columns);

const Host = new EntitySchema<{ id: number; ip: number }>({
  name: 'hosts',
  columns: {
    id: { type: 'int', unsigned: true, primary: true },
    ip: { type: 'int', unsigned: true },
  },
});

/** The least significant byte is left out, so that the stored values order the rows. */
@Entity('hosts')
class Network {
  @PrimaryColumn('int', { unsigned: true }) id!: number;
  @QueryField({ kind: 'integer' })
  @Column('int', {
    unsigned: true,
    transformer: { to: (value: number) => value * 256, from: (value: number) => value >>> 8 },
  })
  ip!: number;
}

@Entity('hosts')
class WideHost {
  @QueryField({ kind: 'bigint' })
  @PrimaryColumn('int', { unsigned: true })
  id!: number;
  @QueryField({ kind: 'bigint' })
  @Column('int', { unsigned: true })
  ip!: number;
}

const wideTables = sqlTables({
  hosts: {
    table: 'wide_hosts',
    primaryKey: 'id',
    columns: { id: { type: 'bigint', kind: 'integer' }, ip: { type: 'bigint', kind: 'integer' } },
  },
});

/** A description of the table, and its source. */
interface Made {
  readonly registry: SchemaRegistry;
  readonly source: QuerySource;
}

describe('numbers of more than 32 bits with a sign', () => {
  let database: ScratchDatabase | undefined;
  let pool: mysql.Pool;
  const dataSources: DataSource[] = [];

  beforeAll(async () => {
    const found = await scratchDatabase('mysql', 'unsigned_integers');
    if ('missing' in found) {
      if (everyServiceRequired()) throw new Error(found.advice);
      return;
    }
    database = found;
    pool = mysql.createPool({ uri: found.url });
    for (const [table, type] of [
      ['hosts', 'int unsigned'],
      ['wide_hosts', 'bigint'],
    ]) {
      await pool.query(`create table ${table} (id ${type} primary key, ip ${type} not null)`);
      await pool.query(
        `insert into ${table} values (1, 4294967295), (2, 2147483648), (3000000000, 2147483647), (4000000000, 1)`,
      );
    }
  });
  afterAll(async () => {
    for (const dataSource of dataSources) await dataSource.destroy();
    await pool?.end();
    await database?.drop();
  });

  async function onTypeorm(entity: typeof Host | typeof Network | typeof WideHost): Promise<Made> {
    const dataSource = await new DataSource({
      type: 'mysql',
      url: database?.url ?? '',
      entities: [entity],
    }).initialize();
    dataSources.push(dataSource);
    const registry = typeormRegistry({ hosts: entity }, { families: ['mysql'] });
    return { registry, source: typeormSource(dataSource, entity as never) as QuerySource };
  }

  function onDrizzle(overrides: Parameters<typeof drizzleRegistry>[2]): Made {
    const tables = { hosts };
    const registry = drizzleRegistry(tables, [], overrides as never);
    const source = drizzleSource({ db: drizzle(pool), registry, tables, model: 'hosts' });
    return { registry, source: source as QuerySource };
  }

  const asIntegers: { readonly [name: string]: () => Made | Promise<Made> } = {
    Drizzle: () => onDrizzle({}),
    TypeORM: () => onTypeorm(Host),
    'TypeORM with a transformer': () => onTypeorm(Network),
    'a bigint that is declared as integer': () => {
      const registry = sqlRegistry(wideTables, { families: ['mysql'] });
      const source = sqlSource({ connection: pool, registry, tables: wideTables, model: 'hosts' });
      return { registry, source: source as QuerySource };
    },
  };

  const asBigints: { readonly [name: string]: () => Made | Promise<Made> } = {
    Drizzle: () => onDrizzle({ hosts: { id: { kind: 'bigint' }, ip: { kind: 'bigint' } } }),
    TypeORM: () => onTypeorm(WideHost),
  };

  const ids = [1, 2, 3_000_000_000, 4_000_000_000];
  const walks: readonly (readonly [sort: string, expected: readonly number[]])[] = [
    ['id', ids],
    ['-id', ids.toReversed()],
    ['ip', ids.toReversed()],
    ['-ip', ids],
  ];

  const rulesOf = (registry: SchemaRegistry, keys: string | undefined) =>
    defineQueryRules(
      registry,
      'hosts',
      {
        fields: 'all',
        sorts: ['id', 'ip'],
        filters: [{ path: 'ip', operators: ['eq', 'gte', 'in'] }],
        pagination: { mode: 'both' },
      },
      { families: ['mysql'], ...(keys && { cursorKeys: keys }) },
    );

  async function walked({ registry, source }: Made, sort: string, keys: string | undefined) {
    const rules = rulesOf(registry, keys);
    const read = async (cursor: string) => {
      const request = `sort=${sort}&perPage=1&cursor=${cursor}`;
      return (await runQuery(source, request, rules)) as KeysetResult;
    };
    const forwards: number[] = [];
    let back: string | null = null;
    for (let cursor: string | null = ''; cursor !== null && forwards.length < 9;) {
      const page = await read(cursor);
      forwards.push(...page.data.map(({ id }) => Number(id)));
      back = page.prevCursor;
      cursor = page.nextCursor;
    }
    const backwards: number[] = [];
    for (let cursor = back; cursor !== null && backwards.length < 9;) {
      const page = await read(cursor);
      backwards.unshift(...page.data.map(({ id }) => Number(id)));
      cursor = page.prevCursor;
    }
    return { forwards, backwards };
  }

  it.each(Object.entries(asIntegers))('are walked past in %s', async (_name, make) => {
    if (!database) return;
    const made = await make();
    const kinds = made.registry.get('hosts')?.fields.map(({ kind }) => kind);
    expect(kinds).toEqual(['integer', 'integer']);
    for (const keys of [undefined, cursorKeys]) {
      for (const [sort, expected] of walks) {
        const { forwards, backwards } = await walked(made, sort, keys);
        expect(forwards, `sort=${sort}`).toEqual(expected);
        expect(backwards, `sort=${sort}`).toEqual(expected.slice(0, -1));
      }
    }
  });

  it.each([
    ['Drizzle', () => onDrizzle({})],
    ['TypeORM', () => onTypeorm(Host)],
  ] as const)('are numbers in answers of %s', async (_name, make) => {
    if (!database) return;
    const { registry, source } = await make();
    const rules = rulesOf(registry, undefined);
    const { data } = await runQuery(source, 'sort=-ip&perPage=1', rules);
    expect(data).toEqual([{ id: 1, ip: 4_294_967_295 }]);
    const beyond = runQuery(source, 'filter[ip]=4294967296', rules);
    await expect(beyond).rejects.toMatchObject({ code: 'FILTER_VALUE_INVALID' });
    const most = await runQuery(source, 'filter[ip]=4294967295', rules);
    expect(most.data).toEqual(data);
    expect(await runOne(source, '3000000000', '', rules)).toMatchObject({ id: 3_000_000_000 });
    const above = await runQuery(source, 'filter[ip][gte]=2147483647&sort=id', rules);
    expect(above.data.map(({ id }) => id)).toEqual([1, 2, 3_000_000_000]);
  });

  it.each(Object.entries(asBigints))('are filtered as kind bigint in %s', async (_name, make) => {
    if (!database) return;
    const made = await make();
    const { registry, source } = made;
    const rules = rulesOf(registry, undefined);
    const found = { id: '1', ip: '4294967295' };
    for (const request of ['filter[ip]=4294967295', 'filter[ip][gte]=2147483649']) {
      const { data } = await runQuery(source, request, rules);
      expect(data, `of ${request}`).toEqual([found]);
    }
    const one = await runOne(source, '3000000000', '', rules);
    expect(one).toEqual({ id: '3000000000', ip: '2147483647' });
    for (const [sort, expected] of walks) {
      const { forwards } = await walked(made, sort, undefined);
      expect(forwards, `sort=${sort}`).toEqual(expected);
    }
  });
});
