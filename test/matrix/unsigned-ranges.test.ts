/**
 * Unsigned columns of MySQL and MariaDB in their whole range, without overrides: filters, lists, keys and cursors take every
 * number that is shown, and numbers beyond are refused. On other databases, entities with `unsigned` have signed columns.
 */

import { drizzle } from 'drizzle-orm/mysql2';
import * as my from 'drizzle-orm/mysql-core';
import mysql from 'mysql2/promise';
import { DataSource, type DataSourceOptions, EntitySchema } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import {
  checkProfile,
  introspect,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import {
  type KeysetResult,
  type QuerySource,
  type SchemaRegistry,
  defineQueryRules,
  openApiParameters,
  runOne,
  runQuery,
} from '../../src/index.ts';
import { describeRules, parseFilterText } from '../../src/client/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

const unsigned = { unsigned: true } as const;
const counters = my.mysqlTable('counters', {
  id: my.bigint({ mode: 'bigint', unsigned: true }).primaryKey(),
  whole: my.int(unsigned).notNull(),
  medium: my.mediumint(unsigned).notNull(),
  small: my.smallint(unsigned).notNull(),
  tiny: my.tinyint(unsigned).notNull(),
});

const declared = sqlTables({
  counters: {
    table: 'counters',
    primaryKey: 'id',
    columns: {
      id: 'bigint unsigned',
      whole: { type: 'int unsigned', kind: 'integer' },
      medium: 'mediumint unsigned',
      small: 'smallint unsigned',
      tiny: 'tinyint unsigned',
    },
  },
});

const Counter = new EntitySchema<{ id: string; whole: number }>({
  name: 'counters',
  columns: {
    id: { type: 'bigint', unsigned: true, primary: true },
    whole: { type: 'int', unsigned: true },
    medium: { type: 'mediumint', unsigned: true },
    small: { type: 'smallint', unsigned: true },
    tiny: { type: 'tinyint', unsigned: true },
  } as never,
});

const Signed = new EntitySchema<{ id: string; whole: number }>({
  name: 'counters',
  columns: {
    id: { type: 'bigint', unsigned: true, primary: true },
    whole: { type: 'int', unsigned: true },
  },
});

/** Greatest numbers of 64, 32, 24, 16 and 8 bits, numbers beyond those with a sign, and small ones. */
const rows = [
  ['18446744073709551615', 4_294_967_295, 16_777_215, 65_535, 255],
  ['9223372036854775808', 2_147_483_648, 8_388_608, 32_768, 128],
  ['9223372036854775807', 2_147_483_647, 8_388_607, 32_767, 127],
  ['1', 0, 0, 0, 0],
] as const;
const ids = rows.map(([id]) => id);

const inCatalogue = (registry: Awaited<ReturnType<typeof introspect>>) => ({
  registry,
  tables: registry.tables,
  model: 'counters',
});

interface Made {
  readonly registry: SchemaRegistry;
  readonly source: QuerySource;
}

const rulesOf = (registry: SchemaRegistry, keys?: string) => {
  const { families = ['mysql'] } = registry;
  const paths = registry.get('counters')?.fields.map(({ path }) => path) ?? [];
  const operators = ['eq', 'ne', 'gte', 'lte', 'in'] as const;
  return defineQueryRules(
    registry,
    'counters',
    {
      fields: 'all',
      sorts: paths,
      filters: paths.map((path) => ({ path, operators: [...operators] })),
      pagination: { mode: 'both' },
    },
    {
      families,
      limits: { maxListLength: 20_000, maxQueryLength: 1_000_000 },
      ...(keys && { cursorKeys: keys }),
    },
  );
};

describe('unsigned columns', () => {
  let database: ScratchDatabase | undefined;
  let pool: mysql.Pool;
  const closed: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const found = await scratchDatabase('mysql', 'unsigned_ranges');
    if ('missing' in found) {
      if (everyServiceRequired()) throw new Error(found.advice);
      return;
    }
    database = found;
    pool = mysql.createPool({ uri: found.url, supportBigNumbers: true, bigNumberStrings: true });
    await pool.query(
      `create table counters (id bigint unsigned primary key, whole int unsigned not null, medium mediumint unsigned not null,
       small smallint unsigned not null, tiny tinyint unsigned not null)`,
    );
    await pool.query(`insert into counters values ${rows.map((row) => `(${row.join()})`).join()}`);
  });
  afterAll(async () => {
    for (const close of closed) await close();
    await pool?.end();
    await database?.drop();
  });

  const makers: { readonly [name: string]: () => Made | Promise<Made> } = {
    Drizzle: () => {
      const tables = { counters };
      const registry = drizzleRegistry(tables);
      const source = drizzleSource({ db: drizzle(pool), registry, tables, model: 'counters' });
      return { registry, source: source as QuerySource };
    },
    'a declared table': () => {
      const registry = sqlRegistry(declared, { families: ['mysql'] });
      const source = sqlSource({ connection: pool, registry, tables: declared, model: 'counters' });
      return { registry, source: source as QuerySource };
    },
    'a table of the catalogue': async () => {
      const registry = await introspect(pool);
      const source = sqlSource({ connection: pool, ...inCatalogue(registry) });
      return { registry, source: source as QuerySource };
    },
    TypeORM: async () => {
      const dataSource = await opened({ type: 'mysql', url: database?.url ?? '' }, Counter);
      const registry = typeormRegistry({ counters: Counter }, { families: ['mysql'] });
      return { registry, source: typeormSource(dataSource, Counter) as QuerySource };
    },
  };

  async function opened(options: object, entity: EntitySchema) {
    const dataSource = new DataSource({ ...options, entities: [entity] } as DataSourceOptions);
    await dataSource.initialize();
    closed.push(() => dataSource.destroy());
    return dataSource;
  }

  const found = async ({ source }: Made, request: string, rules: ReturnType<typeof rulesOf>) =>
    (await runQuery(source, request, rules)).data.map(({ id }) => String(id));

  it.each(Object.entries(makers))('are filtered in their range in %s', async (_name, make) => {
    if (!database) return;
    const made = await make();
    const rules = rulesOf(made.registry);
    const paths = ['id', 'whole', 'medium', 'small', 'tiny'] as const;
    for (const [at, path] of paths.entries()) {
      for (const row of rows) {
        const value = String(row[at]);
        expect(await found(made, `filter[${path}]=${value}`, rules)).toEqual([row[0]]);
        const listed = `filter[${path}][in]=${value},77`;
        expect(await found(made, listed, rules), `of ${listed}`).toEqual([row[0]]);
        const least = `filter[${path}][gte]=${value}&sort=-id`;
        const expected = ids.slice(0, rows.indexOf(row) + 1);
        expect(await found(made, least, rules), `of ${least}`).toEqual(expected);
        expect(await runOne(made.source, row[0], '', rules)).toMatchObject({ id: row[0] });
      }
    }
    const many = Array.from({ length: 17_000 }, (_, at) => at + 100).join();
    const long = `filter[id][in]=${ids.join()},${many}&sort=-id`;
    expect(await found(made, long, rules)).toEqual(ids);
    expect(await found(made, 'filter[id][gte]=-1&filter[whole][gte]=-1&sort=-id', rules)).toEqual(
      ids,
    );
    for (const beyond of ['id=18446744073709551616', 'id=-9223372036854775809']) {
      const [path, value] = beyond.split('=');
      await expect(runQuery(made.source, `filter[${path}]=${value}`, rules)).rejects.toMatchObject({
        code: 'FILTER_VALUE_INVALID',
      });
    }
    const nobody = runOne(made.source, '18446744073709551616', '', rules);
    await expect(nobody).rejects.toMatchObject({ code: 'ROW_NOT_FOUND' });
    const violations = await checkProfile(made.source as never);
    expect(violations.filter(({ rule }) => rule === 'column-type')).toEqual([]);
  });

  it.each(Object.entries(makers))('are walked past in %s', async (_name, make) => {
    if (!database) return;
    const made = await make();
    for (const rules of [rulesOf(made.registry), rulesOf(made.registry, cursorKeys)]) {
      for (const sort of ['-id', '-whole', '-small,-whole']) {
        const seen: string[] = [];
        for (let cursor: string | null = ''; cursor !== null && seen.length < 9;) {
          const request = `sort=${sort}&perPage=1&cursor=${cursor}`;
          const page = (await runQuery(made.source, request, rules)) as KeysetResult;
          seen.push(...page.data.map(({ id }) => String(id)));
          cursor = page.nextCursor;
        }
        expect(seen, `sort=${sort}`).toEqual(ids);
      }
    }
  });

  it('tell their range to clients', async () => {
    const rules = rulesOf(drizzleRegistry({ counters }));
    const description = describeRules(rules);
    const marks = description.filters.map(({ path, unsigned: mark }) => [path, mark]);
    expect(marks).toEqual([
      ['id', true],
      ['whole', true],
      ['medium', undefined],
      ['small', undefined],
      ['tiny', undefined],
    ]);
    const text = 'whole = 4294967295 and id = 18446744073709551615';
    expect(parseFilterText(description, text)).toMatchObject({ error: null });
    const whole = openApiParameters(rules).find(({ name }) => name === 'filter[whole][eq]');
    expect(whole?.schema).toMatchObject({ maximum: 4_294_967_295 });
  });

  const others = [
    ['postgresql', { type: 'postgres' }],
    ['sqlite', { type: 'better-sqlite3' }],
  ] as const;
  it.each(others)('are signed ones on %s', async (family, options) => {
    const other = await scratchDatabase(family, 'unsigned_others');
    if ('missing' in other) {
      if (everyServiceRequired()) throw new Error(other.advice);
      return;
    }
    const place = family === 'sqlite' ? { database: other.url } : { url: other.url };
    const dataSource = await opened({ ...options, ...place, synchronize: true }, Signed);
    closed.push(() => other.drop());
    const registry = typeormRegistry({ counters: Signed });
    const source = typeormSource(dataSource, Signed) as QuerySource;
    await dataSource.query('insert into counters values (9223372036854775806, 2147483647)');
    const rules = rulesOf(Object.assign(registry, { families: [family] }));
    const list = (request: string) => runQuery(source, request, rules);
    const { data } = await list('filter[whole]=2147483647&filter[id]=9223372036854775806');
    expect(data).toHaveLength(1);
    for (const path of ['id=18446744073709551615', 'whole=4294967295', 'whole][in=1,4294967295']) {
      const [name, value] = path.split('=');
      const answer = await list(`filter[${name}]=${value}`).catch((error: unknown) => error);
      if (family === 'sqlite') expect(answer).toMatchObject({ data: [] });
      else expect(answer).toMatchObject({ code: 'CAPABILITY_UNAVAILABLE', status: 400 });
    }
  });
});
