/** One row by its key, in every cell: keys of one part and of two, scopes, hooks and refusals. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueryPlan, QuerySource } from '../../src/index.ts';
import { defineQueryRules, runOne } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells, sharedOut } from './cells.ts';
import { withCompanions } from './fixtures/dataset.ts';
import { insertWorld, knexOn } from './fixtures/load.ts';
import type { StoredRow } from './fixtures/model.ts';
import { modelOf } from './reference/graph.ts';
import type { ItemKey } from '../../src/rules/index.ts';

const filled = (model: string, rows: readonly StoredRow[]): [string, StoredRow[]] => [
  model,
  rows.map((row) => withCompanions(modelOf(model), row)),
];

const city = '0f0e0d0c-0b0a-4908-8706-050403020100';
const lines = [1, 2].map((lineNo) => ({ orderId: 30_001, lineNo, product: `p${lineNo}` }));
const world = {
  rows: new Map([
    filled('city', [{ id: city, name: 'Quito', population: 1, capital: true, countryCode: 'EC' }]),
    filled(
      'order',
      [30_001, 30_002].map((id) => ({
        id,
        group: 'g',
        title: `t${id}`,
        status: 'sent',
        coupon: null,
        total: '1',
        userId: 1,
        placedAt: '2024-01-01T00:00:00.000Z',
        approverId: null,
      })),
    ),
    filled(
      'orderLine',
      lines.map((line) => ({ ...line, qty: 1, price: null })),
    ),
  ]),
  joins: new Map<string, StoredRow[]>(),
};

const fields = (names: readonly string[]) => ({ allowed: names, default: names.slice(0, 1) });

describe.each(sharedOut(cells))('one row with $name', ({ adapter, family }) => {
  let cell: DatabaseCell | null = null;

  beforeAll(async () => {
    const made = await adapter.open(family, 'one_row');
    if (typeof made === 'string') {
      if (everyServiceRequired()) throw new Error(made);
      return;
    }
    cell = made;
    const knex = knexOn(made.database);
    try {
      await insertWorld(knex, made.database, world, adapter.instant);
    } finally {
      await knex.destroy();
    }
  });
  afterAll(() => cell?.dispose());

  it('is read by its key, under the rules of the list', async (context) => {
    if (!cell) return context.skip();
    const { registry } = cell;
    const orders = defineQueryRules(registry, 'order', {
      filters: [{ path: 'id', operators: ['eq'] }],
      sorts: ['title'],
      fields: {
        root: fields(['id', 'title']),
        relations: { lines: fields(['lineNo', 'product']) },
      },
      includes: ['lines'],
    });
    const orderLines = defineQueryRules(registry, 'orderLine', {
      fields: { root: fields(['product']) },
    });
    const cities = defineQueryRules(registry, 'city', { fields: { root: fields(['name']) } });
    const scoped = defineQueryRules(
      registry,
      'order',
      {
        fields: { root: fields(['title']), relations: { lines: fields(['lineNo']) } },
        includes: ['lines'],
      },
      {
        scopes: {
          order: ({ last }: { last: number }) => ({
            type: 'condition',
            path: 'id',
            operator: 'lte',
            value: last,
          }),
          orderLine: ({ line }: { line: number }) => ({
            type: 'condition',
            path: 'lineNo',
            operator: 'eq',
            value: line,
          }),
        },
      },
    );
    const only = (id: number) => (plan: QueryPlan) => ({
      ...plan,
      where: { type: 'condition', path: 'id', operator: 'eq', value: id } as const,
    });
    const readers = [cell.source.bind(cell), cell.ownQueries?.bind(cell)];
    for (const source of readers.filter((each) => each !== undefined)) {
      const order = source('order');
      expect(await runOne(order, 30_001, '', orders)).toEqual({ id: 30_001 });
      expect(await runOne(order, { id: '30002' }, 'fields=title', orders)).toEqual({
        title: 't30002',
      });
      expect(
        await runOne(order, 30_001n, 'includes=lines&fields=id,lines.product', orders),
      ).toEqual({ id: 30_001, lines: [{ product: 'p1' }, { product: 'p2' }] });
      const line = source('orderLine');
      expect(await runOne(line, { lineNo: '2', orderId: 30_001 }, '', orderLines)).toEqual({
        product: 'p2',
      });
      const towns = source('city');
      expect(await runOne(towns, city.toUpperCase(), '', cities)).toEqual({ name: 'Quito' });

      const scope = { last: 30_001, line: 2 };
      expect(await runOne(order, 30_001, 'includes=lines', scoped, { scope })).toEqual({
        title: 't30001',
        lines: [{ lineNo: 2 }],
      });
      const transformPlan = only(30_001);
      expect(await runOne(order, 30_001, '', orders, { transformPlan })).toEqual({ id: 30_001 });

      const absent: readonly (readonly [
        QuerySource,
        ItemKey,
        typeof orders | typeof scoped,
        object,
      ])[] = [
        [order, 39_999, orders, {}],
        [order, 'one', orders, {}],
        [order, '1 or 1=1', orders, {}],
        [order, '', orders, {}],
        [order, 99_999_999_999, orders, {}],
        [order, 30_002, scoped, { scope }],
        [order, 30_002, orders, { transformPlan }],
        [line, { orderId: 30_001, lineNo: 3 }, orderLines as never, {}],
        [towns, 'Quito\0', cities as never, {}],
      ];
      for (const [from, key, rules, options] of absent) {
        await expect(runOne(from, key, '', rules as never, options)).rejects.toMatchObject({
          statusCode: 404,
          code: 'ROW_NOT_FOUND',
          details: { model: from.model },
        });
      }
      await expect(runOne(order, 30_001, 'filter[id]=30001', orders)).rejects.toMatchObject({
        code: 'QUERY_SYNTAX_UNKNOWN_PARAM',
        details: { param: 'filter' },
      });
    }
  });
});
