/** Limits that a host has raised as far as they go mean what they say in every cell. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledQueryRules, PaginationRule } from '../../src/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells, sharedOut } from './cells.ts';
import { knexOn } from './fixtures/load.ts';
import { cursorKeys } from '../cursor-keys.ts';

const most = Number.MAX_SAFE_INTEGER;
const limits = { maxTextLength: most, maxQueryLength: most, maxListLength: most };

describe.each(sharedOut(cells))('limits raised with $name', ({ adapter, family }) => {
  let cell: DatabaseCell | null = null;

  beforeAll(async () => {
    const made = await adapter.open(family, 'raised');
    if (typeof made !== 'string') cell = made;
    else if (everyServiceRequired()) throw new Error(made);
  });
  afterAll(() => cell?.dispose());

  const rulesOf = (of: DatabaseCell, pagination: PaginationRule): CompiledQueryRules =>
    defineQueryRules(
      of.registry,
      'user',
      {
        filters: [
          { path: 'id', operators: ['in'] },
          { path: 'name', operators: ['like', 'notLike'] },
          { path: 'nickname', operators: ['ilike'] },
        ],
        sorts: ['name', 'active'],
        fields: { root: { allowed: ['id'], default: ['id'] } },
        pagination,
      },
      { maxPerPage: most, limits, cursorKeys },
    );

  /** Through Prisma's own queries and through SQL. */
  const ways = ['', '&sort=-active', '&filter[name][notLike]=no%25where'];

  it('all rows at once, under a cap of any size', async (context) => {
    if (!cell) return context.skip();
    const rules = rulesOf(cell, { maxUnpaginatedRows: most });
    for (const way of ways) {
      const { data } = await runQuery(cell.source('user'), `paginate=false${way}`, rules);
      expect([way, data.length]).toEqual([way, 60]);
    }
  });

  it('pages of any size and number, counted or not', async (context) => {
    if (!cell) return context.skip();
    const counts = ['exact', 'none', { capped: most }] as const;
    for (const count of counts) {
      const rules = rulesOf(cell, { count, mode: 'both' });
      const counted = count === 'none' ? {} : { total: 60 };
      for (const way of ways) {
        const ask = (window: string) => runQuery(cell!.source('user'), `${window}${way}`, rules);
        const pages = {
          whole: await ask(`perPage=${most}`),
          one: await ask('perPage=1'),
          beyond: await ask(`perPage=1&page=${most}`),
        };
        const lengths = Object.values(pages).map(({ data }) => data.length);
        expect([way, lengths]).toEqual([way, [60, 1, 0]]);
        for (const page of Object.values(pages)) expect(page).toMatchObject(counted);
        const keyset = await ask(`perPage=${most}&cursor=`);
        expect(keyset.data).toHaveLength(60);
        expect(keyset).toMatchObject({ nextCursor: null });
      }
    }
  });

  it('patterns of any length', async (context) => {
    if (!cell) return context.skip();
    const rules = rulesOf(cell, {});
    const long = `${'a*%[é'.repeat(4000)}!`;
    const knex = knexOn(cell.database);
    const type = family === 'mysql' ? 'mediumtext collate utf8mb4_nopad_bin' : 'text';
    try {
      if (family === 'mysql') {
        await knex.raw(`alter table users modify full_name ${type} not null`);
      }
      await knex('users')
        .where({ id: 7 })
        .update({ full_name: `x${long}x` });
    } finally {
      await knex.destroy();
    }
    const total = async (operator: string, term: string) => {
      const filter = `filter[${operator === 'ilike' ? 'nickname' : 'name'}][${operator}]`;
      const request = `${filter}=${encodeURIComponent(term)}&perPage=100`;
      const { data } = await runQuery(cell!.source('user'), request, rules);
      return data.length;
    };
    expect(await total('like', long)).toBe(1);
    expect(await total('notLike', long)).toBe(59);
    expect(await total('like', long.toUpperCase())).toBe(0);
    expect(await total('ilike', long)).toBe(0);
  });
});
