/**
 * Filters on columns with transformers take the values that lists show, whether decorators tell the type of the property
 * or not; values that a transformer refuses, or that no column holds, are errors of the request.
 */

import { Column, DataSource, Entity, EntitySchema, PrimaryColumn } from 'typeorm';
import type { DataSourceOptions, ValueTransformer } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import {
  type KeysetResult,
  type ModelScopes,
  type QuerySource,
  defineQueryRules,
  openApiParameters,
  runOne,
  runQuery,
} from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { families } from './open-library.ts';

const transformer = (
  to: (value: never) => unknown,
  from: (value: never) => unknown,
): ValueTransformer => ({
  to: (value: unknown) => (value === null || value === undefined ? value : to(value as never)),
  from: (value: unknown) => (value === null ? null : from(value as never)),
});

/** The usual transformer, whose product is not always a whole number. */
const cents = transformer(
  (euros: number) => euros * 100,
  (stored: number) => stored / 100,
);
const bigCents = transformer(
  (euros: number) => String(Math.round(euros * 100)),
  (stored: string) => Number(stored) / 100,
);
const fixed = transformer(
  (value: number) => value.toFixed(2),
  (stored: string) => Number(stored),
);
const states = ['active', 'blocked'];
const state = transformer(
  (name: string) => {
    if (!states.includes(name)) throw new RangeError('unknown');
    return states.indexOf(name) + 1;
  },
  (stored: number) => states[stored - 1],
);
const yes = transformer(
  (value: boolean) => (value ? 'Y' : 'N'),
  (stored: string) => stored === 'Y',
);
const epoch = transformer(
  (at: Date) => at.getTime(),
  (stored: string) => new Date(Number(stored)),
);
/** Changes the type alone. */
const numeric = transformer(
  (value: number) => value,
  (stored: string) => Number(stored),
);
/** Keys that are shown as text, and null for other text. */
const coded = transformer(
  (code: string) => (/^k[0-9]+$/.test(code) ? Number(code.slice(1)) : null),
  (stored: number) => `k${stored}`,
);

@Entity('offers')
class Offer {
  @PrimaryColumn('int', { transformer: coded }) id!: string;
  @Column('int', { transformer: cents }) price!: number;
  @Column('int', { nullable: true, transformer: [cents] }) rebate!: number | null;
  @Column('bigint', { transformer: bigCents }) total!: number;
  @Column('decimal', { precision: 10, scale: 2, transformer: fixed }) weight!: number;
  @Column('int', { transformer: state }) state!: string;
  @Column('varchar', { length: 1, transformer: yes }) open!: boolean;
  @Column('bigint', { transformer: epoch }) at!: Date;
  @Column('bigint', { transformer: numeric }) company!: number;
}

/** The same without types of properties. */
const Plain = new EntitySchema<object>({
  name: 'Plain',
  tableName: 'offers',
  columns: {
    id: { type: 'int', primary: true, transformer: coded },
    price: { type: 'int', transformer: cents },
    rebate: { type: 'int', nullable: true, transformer: [cents] },
    total: { type: 'bigint', transformer: bigCents },
    weight: { type: 'decimal', precision: 10, scale: 2, transformer: fixed },
    state: { type: 'int', transformer: state },
    at: { type: 'bigint', transformer: epoch },
    company: { type: 'bigint', transformer: numeric },
  } as never,
});

const stored = [
  [1, 250, 255, 1050, '2.50', 1, 'Y', 1_700_000_000_000, 5],
  [2, 255, null, 900_719_925_474_099, '10.00', 2, 'N', 0, 7],
  [3, 57, -110, 0, '0.07', 1, 'N', 1_600_000_000_123, 900_719_925_474_099],
  [4, 2_147_483_647, 3, -5, '2.05', 2, 'Y', 86_400_000, 7],
];

const registry = typeormRegistry([Offer, Plain]);
const rulesOf = (model: 'offer' | 'plain') => {
  const paths = registry.get(model)?.fields.map(({ path }) => path) ?? [];
  return defineQueryRules(registry, model, {
    fields: 'all',
    filters: paths.map((path) => ({
      path,
      operators: ['eq', 'ne', 'in', 'notIn', 'lt', 'lte', 'gt', 'gte', 'between'],
    })),
    sorts: paths,
    pagination: { mode: 'both' },
  });
};

describe.each(families)('filters through transformers on %s', (family) => {
  let dataSource: DataSource | null = null;
  let drop = async () => {};

  beforeAll(async () => {
    const database = await scratchDatabase(family, 'typeorm_shown_filters');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    drop = () => database.drop();
    const types = { postgresql: 'postgres', mysql: 'mariadb', sqlite: 'better-sqlite3' } as const;
    const place = family === 'sqlite' ? { database: database.url } : { url: database.url };
    const options = { type: types[family], ...place };
    const made = new DataSource({
      ...options,
      entities: [Offer],
      synchronize: true,
    } as DataSourceOptions);
    await made.initialize();
    for (const row of stored) {
      const values = row.map((value) => (typeof value === 'string' ? `'${value}'` : `${value}`));
      await made.query(`insert into offers values (${values.join()})`);
    }
    await made.destroy();
    dataSource = await new DataSource({
      ...options,
      entities: [Offer, Plain],
    } as DataSourceOptions).initialize();
  });
  afterAll(async () => {
    await dataSource?.destroy();
    await drop();
  });

  const opened = (model: 'offer' | 'plain', hydrate: boolean) => {
    if (!dataSource) return null;
    const source = typeormSource(dataSource, model === 'offer' ? Offer : Plain, {
      hydrate,
    }) as QuerySource;
    const rules = rulesOf(model);
    const list = (request: string) => runQuery(source, request, rules);
    const idsOf = async (request: string) =>
      (await list(`${request}&sort=id`)).data.map(({ id }) => id);
    return { source, rules, list, idsOf };
  };

  const cells = (['offer', 'plain'] as const).flatMap((model) =>
    [false, true].map((hydrate) => [model, hydrate] as const),
  );

  it.for(cells)('find each row by each shown value: %s, entities: %s', async (cell, context) => {
    const on = opened(...cell);
    if (!on) return context.skip();
    const { data } = await on.list('sort=id');
    expect(data.map(({ id }) => id)).toEqual(['k1', 'k2', 'k3', 'k4']);
    const rows: readonly { readonly [path: string]: unknown }[] = data;
    for (const path of Object.keys(data[0] ?? {})) {
      for (const row of rows) {
        const value = row[path];
        if (value === null) continue;
        const text = value instanceof Date ? value.toISOString() : String(value);
        const same = rows.filter((each) => String(each[path]) === String(value));
        const ids = same.map(({ id }) => id);
        const others = rows.filter((each) => !same.includes(each) && each[path] !== null);
        const rest = others.map(({ id }) => id);
        const about = `${path} of ${text}`;
        expect(await on.idsOf(`filter[${path}]=${text}`), `at ${about}`).toEqual(ids);
        expect(await on.idsOf(`filter[${path}][in]=${text}`), `at ${about}`).toEqual(ids);
        expect(await on.idsOf(`filter[${path}][ne]=${text}`), `at ${about}`).toEqual(rest);
        expect(await on.idsOf(`filter[${path}][notIn]=${text}`), `at ${about}`).toEqual(rest);
      }
    }
  });

  it.for(cells)('compare and walk stored numbers: %s, entities: %s', async (cell, context) => {
    const on = opened(...cell);
    if (!on) return context.skip();
    const expected = [
      ['filter[price][gt]=2.5', ['k2', 'k4']],
      ['filter[price][gte]=2.505', ['k2', 'k4']],
      ['filter[price][gt]=2.505', ['k2', 'k4']],
      ['filter[price][lt]=2.505', ['k1', 'k3']],
      ['filter[price][lte]=2.555', ['k1', 'k2', 'k3']],
      ['filter[price][between]=2.495,2.555', ['k1', 'k2']],
      ['filter[rebate][lt]=-1.095', ['k3']],
      ['filter[total][gte]=10.5', ['k1', 'k2']],
      ['filter[weight][lte]=2.05', ['k3', 'k4']],
    ] as const;
    for (const [request, ids] of expected) {
      expect(await on.idsOf(request), `of ${request}`).toEqual(ids);
    }
    for (const [sort, ids] of [
      ['price', ['k3', 'k1', 'k2', 'k4']],
      ['-total,id', ['k2', 'k1', 'k3', 'k4']],
    ] as const) {
      const seen: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null && seen.length < 9;) {
        const page = (await on.list(`sort=${sort}&perPage=1&cursor=${cursor}`)) as KeysetResult;
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(seen, `by ${sort}`).toEqual(ids);
    }
    expect(await runOne(on.source, 'k2', '', on.rules)).toMatchObject({ id: 'k2', price: 2.55 });
  });

  it.for(cells)('refuse what no row shows: %s, entities: %s', async (cell, context) => {
    const on = opened(...cell);
    if (!on) return context.skip();
    const requests = [
      ['price', 'filter[price]=2.505'],
      ['price', 'filter[price]=1e300'],
      ['price', 'filter[price][in]=2.5,2.505'],
      ['price', 'filter[price]=abc'],
      ['total', 'filter[total][gte]=1e300'],
      ['state', 'filter[state]=gone'],
      ['state', 'filter[state][in]=active,gone'],
      ['id', 'filter[id]=7'],
    ] as const;
    for (const [path, request] of requests) {
      await expect(on.list(request), `of ${request}`).rejects.toMatchObject({
        code: 'FILTER_VALUE_INVALID',
        status: 400,
        details: { path },
      });
    }
    await expect(runOne(on.source, 'x', '', on.rules)).rejects.toMatchObject({
      code: 'ROW_NOT_FOUND',
    });
  });

  it('tell values of the host, in scopes, from those of requests', async (context) => {
    if (!dataSource) return context.skip();
    const scopes: ModelScopes<{ readonly state: string }> = {
      offer: (given) => ({
        type: 'condition',
        path: 'state',
        operator: 'eq',
        value: given.state,
      }),
      plain: 'unscoped',
    };
    const rules = defineQueryRules(registry, 'offer', { fields: 'all', sorts: ['id'] }, { scopes });
    const source = typeormSource(dataSource, Offer) as QuerySource;
    const within = (state: string) => runQuery(source, 'sort=id', rules, { scope: { state } });
    expect((await within('active')).data.map(({ id }) => id)).toEqual(['k1', 'k3']);
    await expect(within('gone')).rejects.toMatchObject({ status: 500 });
  });
});

it('tells clients the kinds of shown values', () => {
  const kindsOf = (model: string) =>
    Object.fromEntries(registry.get(model)?.fields.map(({ path, kind }) => [path, kind]) ?? []);
  const expected = {
    id: 'string',
    price: 'float',
    rebate: 'float',
    total: 'float',
    weight: 'decimal',
    state: 'string',
    at: 'datetime',
    company: 'bigint',
  };
  expect(kindsOf('offer')).toEqual({ ...expected, open: 'boolean' });
  expect(kindsOf('plain')).toEqual(expected);
  const price = openApiParameters(rulesOf('offer')).find(
    ({ name }) => name === 'filter[price][eq]',
  );
  expect(price?.schema).toMatchObject({ type: 'number' });
});
