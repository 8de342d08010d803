/** Includes whose parents are thousands, by a key of two columns: more than one statement can name. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledQueryRules } from '../../src/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells, sharedOut } from './cells.ts';
import { withCompanions } from './fixtures/dataset.ts';
import { insertWorld, knexOn } from './fixtures/load.ts';
import type { StoredRow } from './fixtures/model.ts';
import { modelOf } from './reference/graph.ts';

const orders = Array.from({ length: 450 }, (_, at) => 10_000 + at);
const linesEach = 20;
const lines = orders.flatMap((orderId) =>
  Array.from({ length: linesEach }, (_, at) => ({ orderId, lineNo: at + 1 })),
);

const filled = (model: string, rows: readonly StoredRow[]): [string, StoredRow[]] => [
  model,
  rows.map((row) => withCompanions(modelOf(model), row)),
];

const order = { group: 'g', title: 't', status: 'sent', coupon: null, total: '1', userId: 1 };
const world = {
  rows: new Map([
    filled(
      'order',
      orders.map((id) => ({
        ...order,
        id,
        placedAt: '2024-01-01T00:00:00.000Z',
        approverId: null,
      })),
    ),
    filled(
      'orderLine',
      lines.map((key) => ({ ...key, product: 'p', qty: 1, price: null })),
    ),
    filled(
      'lineNote',
      lines.map((key, at) => ({ id: 10_000 + at, ...key, text: `${key.orderId}/${key.lineNo}` })),
    ),
  ]),
  joins: new Map<string, StoredRow[]>(),
};

describe.each(sharedOut(cells))('thousands of parents with $name', ({ adapter, family }) => {
  let cell: DatabaseCell | null = null;
  let rules: CompiledQueryRules;

  beforeAll(async () => {
    const made = await adapter.open(family, 'wide');
    if (typeof made === 'string') {
      if (everyServiceRequired()) throw new Error(made);
      return;
    }
    cell = made;
    const knex = knexOn(made.database);
    try {
      await insertWorld(knex, made.database, world, adapter.instant);
      // Entities are read in one statement, whose joins of so many rows need an index.
      await knex.schema.alterTable('line_notes', (table) => table.index(['order_id', 'line_no']));
    } finally {
      await knex.destroy();
    }
    rules = defineQueryRules(made.registry, 'order', {
      filters: [
        { path: 'id', operators: ['gte'] },
        { path: 'title', operators: ['like'] },
      ],
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: {
          lines: { allowed: ['lineNo'], default: ['lineNo'] },
          'lines.notes': { allowed: ['text'], default: ['text'] },
        },
      },
      includes: ['lines', 'lines.notes'],
    });
  });
  afterAll(() => cell?.dispose());

  it.for(['', '&filter[title][like]=t'])('shows each with its own%s', async (filter, context) => {
    if (!cell) return context.skip();
    const request = `filter[id][gte]=10000&includes=lines,lines.notes&perPage=500${filter}`;
    const { data } = await runQuery(cell.source('order'), request, rules);
    expect(data).toEqual(
      orders.map((id) => ({
        id,
        lines: Array.from({ length: linesEach }, (_, at) => ({
          lineNo: at + 1,
          notes: [{ text: `${id}/${at + 1}` }],
        })),
      })),
    );
  });
});
