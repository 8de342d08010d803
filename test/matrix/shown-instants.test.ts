/** Filters compare instants as lists show them, in every cell, whatever the digits of the column. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledQueryRules, KeysetResult, QuerySource } from '../../src/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells, sharedOut } from './cells.ts';
import { withCompanions } from './fixtures/dataset.ts';
import { toMilliseconds } from './fixtures/generated-world.ts';
import { insertWorld, knexOn } from './fixtures/load.ts';
import type { PrismaCell } from './prisma-cell.ts';
import { modelOf } from './reference/graph.ts';

const first = 40_001;
const instants = [
  '2031-05-06T07:08:09.122Z',
  '2031-05-06T07:08:09.122999Z',
  '2031-05-06T07:08:09.123Z',
  '2031-05-06T07:08:09.123001Z',
  '2031-05-06T07:08:09.123456Z',
  '2031-05-06T07:08:09.123999Z',
  '2031-05-06T07:08:09.124Z',
  '2031-05-06T07:08:10.000500Z',
];
const world = {
  rows: new Map([
    [
      'order',
      instants.map((placedAt, at) =>
        withCompanions(modelOf('order'), {
          id: first + at,
          group: 'g',
          title: `t${at}`,
          status: 'sent',
          coupon: null,
          total: '1',
          userId: 1,
          placedAt,
          approverId: null,
        }),
      ),
    ],
  ]),
  joins: new Map<string, never[]>(),
};
const shown = instants.map((instant) => `${instant.slice(0, 23)}Z`);
const [, , value = '', , , , next = ''] = shown;

/** Whether a filter finds a row, by the instant that the list shows of it. */
const expectations: { readonly [filter: string]: (instant: string) => boolean } = {
  [`[eq]=${value}`]: (instant) => instant === value,
  [`[ne]=${value}`]: (instant) => instant !== value,
  [`[gt]=${value}`]: (instant) => instant > value,
  [`[gte]=${value}`]: (instant) => instant >= value,
  [`[lt]=${value}`]: (instant) => instant < value,
  [`[lte]=${value}`]: (instant) => instant <= value,
  [`[between]=${value},${value}`]: (instant) => instant === value,
  [`[in]=${value}`]: (instant) => instant === value,
  [`[in]=${shown[7]},${value},${shown[0]}`]: (instant) => instant !== next,
  [`[notIn]=${value},${next}`]: (instant) => instant !== value && instant !== next,
};
/** A list that is longer than those whose values have ranges of their own. */
const long = [
  ...Array.from({ length: 99 }, (_, at) => `2032-01-01T00:00:00.${at + 100}Z`),
  value,
].join();
const longLists: typeof expectations = {
  '[in]=': () => false,
  '[notIn]=': () => true,
  [`[in]=${long}`]: (instant) => instant === value,
  [`[notIn]=${long}`]: (instant) => instant !== value,
};

describe.each(sharedOut(cells))('instants with $name', ({ adapter, family }) => {
  let cell: DatabaseCell | null = null;
  let rules: CompiledQueryRules;

  beforeAll(async () => {
    const made = await adapter.open(family, 'shown_instants');
    if (typeof made === 'string') {
      if (everyServiceRequired()) throw new Error(made);
      return;
    }
    cell = made;
    const knex = knexOn(made.database);
    try {
      const stored = family === 'sqlite' ? toMilliseconds(world) : world;
      await insertWorld(knex, made.database, stored, adapter.instant);
    } finally {
      await knex.destroy();
    }
    rules = defineQueryRules(
      made.registry as never,
      'order' as never,
      {
        filters: [
          { path: 'id', operators: ['gte'] },
          {
            path: 'placedAt',
            operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'notIn'],
          },
        ],
        sorts: ['placedAt'],
        fields: { root: { allowed: ['id', 'placedAt'], default: ['id', 'placedAt'] } },
        pagination: { mode: 'both' },
      } as never,
    ) as unknown as CompiledQueryRules;
  });
  afterAll(() => cell?.dispose());

  const keysOf = async (source: QuerySource, filter: string): Promise<unknown[]> => {
    const request = `filter[id][gte]=${first}&filter[placedAt]${filter}&sort=placedAt&perPage=50`;
    const { data } = await runQuery(source, request, rules);
    return data.map((row) => row['id']);
  };

  it.for(['source', 'ownQueries'] as const)('are filtered as shown: %s', async (way, context) => {
    const source = cell?.[way]?.('order');
    if (!source) return context.skip();
    for (const [filter, keeps] of Object.entries({ ...expectations, ...longLists })) {
      const expected = shown.flatMap((instant, at) => (keeps(instant) ? [first + at] : []));
      expect(await keysOf(source, filter), `${filter.slice(0, 60)}`).toEqual(expected);
    }
  });

  it('are compared exactly with microseconds, where the column has them', async (context) => {
    if (!cell || family === 'sqlite') return context.skip();
    const source = cell.source('order');
    const exact = '2031-05-06T07:08:09.123456Z';
    expect(await keysOf(source, `[eq]=${exact}`)).toEqual([first + 4]);
    expect(await keysOf(source, `[in]=${exact},${next}`)).toEqual([first + 4, first + 6]);
    expect(await keysOf(source, `[in]=${exact},${long}`)).toEqual(
      [2, 3, 4, 5].map((at) => first + at),
    );
    expect(await keysOf(source, `[gt]=${exact}`)).toEqual([5, 6, 7].map((at) => first + at));
    expect(await keysOf(source, `[lte]=${exact}&filter[placedAt][gte]=${value}`)).toEqual(
      [2, 3, 4].map((at) => first + at),
    );
  });

  it('mean in conditions of Prisma what the client itself finds by them', async (context) => {
    if (!cell || adapter.name !== 'prisma') return context.skip();
    const source = cell.source('order');
    const { order } = (cell as PrismaCell).client as unknown as {
      readonly order: { findMany(args: object): Promise<readonly { readonly id: number }[]> };
    };
    const at = new Date(value);
    const wheres = [
      at,
      { not: at },
      { gt: at },
      { gte: at },
      { lt: at },
      { lte: at },
      { in: [at, new Date(next)] },
      { notIn: [at, new Date(next)] },
    ];
    for (const placedAt of wheres) {
      const request = `filter[id][gte]=${first}&sort=placedAt&perPage=50`;
      const options = { customize: () => ({ where: { placedAt } }) };
      const { data } = await runQuery(source, request, rules, options as never);
      const own = await order.findMany({
        where: { id: { gte: first }, placedAt },
        orderBy: [{ placedAt: 'asc' }, { id: 'asc' }],
      });
      expect(
        data.map((row) => row['id']),
        `${JSON.stringify(placedAt)}`,
      ).toEqual(own.map(({ id }) => id));
    }
  });

  it('are walked one by one', async (context) => {
    if (!cell) return context.skip();
    const source = cell.source('order');
    const seen: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const request = `filter[id][gte]=${first}&filter[placedAt][in]=${value},${next}&sort=placedAt&perPage=1&cursor=${cursor}`;
      const page = (await runQuery(source, request, rules)) as KeysetResult;
      seen.push(...page.data.map((row) => row['id']));
      cursor = page.nextCursor;
      expect(seen.length).toBeLessThan(20);
    }
    expect(seen).toEqual([2, 3, 4, 5, 6].map((at) => first + at));
  });
});
