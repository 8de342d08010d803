/** Keyset pages that are merged from one part per value of a field are those that are read as a whole, in every cell. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaginationRule } from '../../src/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells, sharedOut } from './cells.ts';
import { withCompanions } from './fixtures/dataset.ts';
import { insertWorld, knexOn } from './fixtures/load.ts';
import { statuses } from './fixtures/models.ts';
import type { StoredRow } from './fixtures/model.ts';
import { modelOf } from './reference/graph.ts';

/** Orders of which many have the same time. */
const orders: StoredRow[] = Array.from({ length: 90 }, (_none, index) => ({
  id: 40_000 + index,
  group: index % 2 ? 'odd' : 'even',
  title: `t${index % 7}`,
  status: statuses[(index * 7) % 5] ?? 'sent',
  coupon: index % 3 ? null : `c${index}`,
  total: String(index % 11),
  userId: 1,
  placedAt: `2024-01-0${1 + (index % 4)}T00:00:00.000Z`,
  approverId: null,
}));

const world = {
  rows: new Map([['order', orders.map((row) => withCompanions(modelOf('order'), row))]]),
  joins: new Map<string, StoredRow[]>(),
};

const shown = ['id', 'title', 'status', 'placedAt', 'total', 'coupon'];

const requests = [
  'sort=-placedAt&perPage=7',
  'sort=placedAt,-id&perPage=10&filter[status][in]=sent,paid',
  'sort=-total,placedAt&perPage=9&filter[status][in]=paid,placed,paid&filter[title][ne]=t3',
  'sort=title&perPage=8&filter[status][ne]=sent',
  'sort=-placedAt&perPage=8&filter[status]=sent',
  'sort=placedAt&perPage=11&filter[user.id]=1&includes=lines,user&fields=id,status,lines.lineNo,user.id',
  'sort=coupon&perPage=13',
  'sort=-placedAt&perPage=5&filter[total][in]=1,2,5',
];

interface Page {
  readonly data: readonly unknown[];
  readonly nextCursor: string | null;
  readonly prevCursor: string | null;
}

describe.each(sharedOut(cells))('merged pages with $name', ({ adapter, family }) => {
  let cell: DatabaseCell | null = null;

  beforeAll(async () => {
    const made = await adapter.open(family, 'merged');
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

  it('are the pages of the same requests without it, in both directions', async (context) => {
    if (!cell) return context.skip();
    const { registry } = cell;
    const source = cell.source('order');
    const rulesWith = (pagination: PaginationRule) =>
      defineQueryRules(
        registry,
        'order',
        {
          filters: [
            { path: 'status', operators: ['eq', 'ne', 'in'] },
            { path: 'title', operators: ['ne'] },
            { path: 'total', operators: ['in'] },
            { path: 'user.id', operators: ['eq'] },
          ],
          sorts: ['placedAt', 'id', 'total', 'title', 'coupon'],
          fields: {
            root: { allowed: shown, default: shown },
            relations: {
              lines: { allowed: ['lineNo'], default: ['lineNo'] },
              user: { allowed: ['id'], default: ['id'] },
            },
          },
          includes: ['lines', 'user'],
          pagination: { mode: 'keyset', ...pagination },
        },
        {
          scopes: {
            order: ({ from }: { from: number }) => ({
              type: 'condition',
              path: 'id',
              operator: 'gte',
              value: from,
            }),
            orderLine: 'unscoped',
            user: 'unscoped',
          },
        },
      );
    const [merged, whole] = [rulesWith({ mergeBy: 'status' }), rulesWith({})];
    const scope = { from: 40_000 };
    const page = async (rules: typeof whole, request: string): Promise<Page> =>
      (await runQuery(source, request, rules, { scope })) as Page;
    for (const request of requests) {
      let next: string | null = '';
      let last: string | null = null;
      for (let number = 0; next !== null && number < 40; number += 1) {
        const asked: string = next ? `${request}&cursor=${next}` : request;
        const [ours, theirs] = [await page(merged, asked), await page(whole, asked)];
        // A cursor belongs to the request, however its pages are read.
        expect([request, number, ours]).toEqual([request, number, theirs]);
        ({ nextCursor: next, prevCursor: last } = ours);
      }
      for (let number = 0; last !== null && number < 40; number += 1) {
        const asked: string = `${request}&cursor=${last}`;
        const [ours, theirs] = [await page(merged, asked), await page(whole, asked)];
        expect([request, -number, ours]).toEqual([request, -number, theirs]);
        last = ours.prevCursor;
      }
    }
  });
});
