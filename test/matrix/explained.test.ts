/** The database's plans of a request's statements, in every cell, and where nobody may ask for them. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseFamily } from '../../src/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { listEndpoint } from '../../src/http/fetch/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells, sharedOut } from './cells.ts';
import { withCompanions } from './fixtures/dataset.ts';
import { insertWorld, knexOn } from './fixtures/load.ts';
import type { StoredRow } from './fixtures/model.ts';
import { modelOf } from './reference/graph.ts';

const orders = [1, 2, 3].map((id) => ({
  id: 31_000 + id,
  group: 'g',
  title: `t${id}`,
  status: 'sent',
  coupon: null,
  total: '1',
  userId: 1,
  placedAt: '2024-01-01T00:00:00.000Z',
  approverId: null,
}));
const lines = orders.map(({ id }) => ({
  orderId: id,
  lineNo: 1,
  product: 'p',
  qty: 1,
  price: null,
}));
const filled = (model: string, rows: readonly StoredRow[]): [string, StoredRow[]] => [
  model,
  rows.map((row) => withCompanions(modelOf(model), row)),
];
const world = {
  rows: new Map([filled('order', orders), filled('orderLine', lines)]),
  joins: new Map<string, StoredRow[]>(),
};

/** The words that a plan of the family has where it reads a table. */
const reading: Readonly<Record<DatabaseFamily, RegExp>> = {
  postgresql: /(Seq|Index|Bitmap).* Scan .*\(cost=/,
  mysql: /"(table_name|access_type|query_plan)"/,
  sqlite: /^(SCAN|SEARCH|CO-ROUTINE|MATERIALIZE|COMPOUND) /,
};

describe.each(sharedOut(cells))('explained requests with $name', ({ adapter, family }) => {
  let cell: DatabaseCell | null = null;

  beforeAll(async () => {
    const made = await adapter.open(family, 'explained');
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

  const rulesOf = ({ registry }: DatabaseCell) =>
    defineQueryRules(registry, 'order', {
      filters: [{ path: 'id', operators: ['gte'] }],
      sorts: ['id'],
      fields: {
        root: { allowed: ['id', 'title'], default: ['id'] },
        relations: { lines: { allowed: ['lineNo'], default: ['lineNo'] } },
      },
      includes: ['lines'],
    });
  const request = 'filter[id][gte]=31001&includes=lines&sort=-id&perPage=2';

  it('show rows, count and children with their plans, and the same answer', async (context) => {
    if (!cell) return context.skip();
    const source = cell.source('order');
    const rules = rulesOf(cell);
    const plain = await runQuery(source, request, rules);
    for (const options of [{}, { timeoutMs: 20_000 }]) {
      const { explained, ...answer } = await runQuery(source, request, rules, {
        ...options,
        explain: true,
      });
      expect(answer).toEqual(plain);
      expect(answer).toMatchObject({ total: 3, data: [{ id: 31_003 }, { id: 31_002 }] });
      expect(explained?.length).toBeGreaterThanOrEqual(2);
      for (const { sql, plan } of explained ?? []) {
        expect(sql).toMatch(/^\(?select /i);
        expect(sql).not.toContain('31001');
        expect(plan).toMatch(reading[family]);
      }
      expect(explained?.filter(({ sql }) => /count\(/i.test(sql))).toHaveLength(1);
    }
    expect(plain).not.toHaveProperty('explained');
  });

  it('are refused by list endpoints', (context) => {
    if (!cell) return context.skip();
    const config = {
      source: cell.source('order'),
      rules: rulesOf(cell),
      options: { explain: true },
    };
    expect(() => listEndpoint(config as never)).toThrow('explain');
  });
});
