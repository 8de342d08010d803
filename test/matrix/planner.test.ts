/** Many filters through several relations: a bounded time to plan and run, in every cell, and the right rows. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledQueryRules } from '../../src/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells, sharedOut } from './cells.ts';

const paths = [
  'orders.lines.notes.text',
  'teams.users.name',
  'company.country.languages.name',
  'orders.lines.product',
  'company.users.name',
];
const operators = ['ne', 'notLike', 'notIn', 'eq'] as const;

/** So many filters; the sixteenth and those after it ask for texts that no row has. */
const filters = (count: number): string =>
  Array.from({ length: count }, (_, at) => {
    const operator = operators[Math.floor(at / paths.length) % operators.length];
    return `filter[${paths[at % paths.length]}][${operator}]=x${at}`;
  }).join('&');

describe.each(sharedOut(cells))('many subqueries with $name', ({ adapter, family }) => {
  let cell: DatabaseCell | null = null;
  let rules: CompiledQueryRules;

  beforeAll(async () => {
    const made = await adapter.open(family, 'planner');
    if (typeof made !== 'string') {
      cell = made;
      rules = defineQueryRules(made.registry, 'user', {
        filters: [
          ...paths.map((path) => ({ path, operators })),
          { path: 'orders', operators: ['isNull'] as const },
        ],
        fields: { root: { allowed: ['id'], default: ['id'] } },
      });
    } else if (everyServiceRequired()) {
      throw new Error(made);
    }
  });
  afterAll(() => cell?.dispose());

  it.for([
    'paginate=false',
    'perPage=1',

    'filter[orders][isNull]=false&perPage=1',
  ])('is bounded with %s', async (window, context) => {
    if (!cell) return context.skip();
    const source = cell.source('user');
    // Few filters are planned as joins, many are not: rows that pass all of the first fifteen pass the first five.
    const few = await runQuery(source, `${filters(5)}&paginate=false`, rules);
    const many = await runQuery(source, `${filters(15)}&${window}`, rules, {
      timeoutMs: 10_000,
    });
    const known = new Set(few.data.map((row) => JSON.stringify(row)));
    expect(many.data.length).toBeGreaterThan(0);
    expect(many.data.filter((row) => !known.has(JSON.stringify(row)))).toEqual([]);
    expect(
      (await runQuery(source, `${filters(20)}&${window}`, rules, { timeoutMs: 10_000 })).data,
    ).toEqual([]);
  });

  it('tests emptiness alike in both forms', async (context) => {
    if (!cell) return context.skip();
    const source = cell.source('user');
    const kept = paths.filter((path) => !path.startsWith('orders'));
    const request = (used: readonly string[]) =>
      used.flatMap((operator) => kept.map((path) => `filter[${path}][${operator}]=x`)).join('&');
    for (const empty of ['true', 'false']) {
      const window = `filter[orders][isNull]=${empty}&paginate=false`;
      const few = await runQuery(source, `${request(['ne'])}&${window}`, rules);
      const many = await runQuery(
        source,
        `${request(['ne', 'notLike', 'notIn'])}&${window}`,
        rules,
      );
      expect(few.data.length).toBeGreaterThan(0);
      expect([empty, many.data]).toEqual([empty, few.data]);
    }
  });
});
