/**
 * Truth values that are stored as numbers, in every cell: every number but zero is shown as true. Filters compare with 1 and
 * 0, so that an index of the column and an order serves both, which no condition on all numbers but zero would allow.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CompiledQueryRules,
  type QuerySource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells } from './cells.ts';
import { withCompanions } from './fixtures/dataset.ts';
import { insertWorld, knexOn } from './fixtures/load.ts';
import { modelOf } from './reference/graph.ts';

/** Stored numbers by name; tables of PostgreSQL hold truth values only. */
const stored: Readonly<Record<string, number>> = { none: 0, one: 1, two: 2, below: -1, most: 127 };

const world = {
  rows: new Map([
    [
      'city',
      Object.keys(stored).map((name, at) =>
        withCompanions(modelOf('city'), {
          id: `0f0e0d0c-0b0a-4908-8706-05040302010${at}`,
          name,
          population: at,
          capital: stored[name] !== 0,
          countryCode: 'EC',
        }),
      ),
    ],
  ]),
  joins: new Map(),
};

const operators = ['eq', 'ne', 'in', 'notIn'] as const;

describe.each(cells)('stored truth values with $name', ({ adapter, family }) => {
  let cell: DatabaseCell | null = null;
  let rules: CompiledQueryRules;

  beforeAll(async () => {
    const made = await adapter.open(family, 'stored_truth');
    if (typeof made === 'string') {
      if (everyServiceRequired()) throw new Error(made);
      return;
    }
    cell = made;
    const knex = knexOn(made.database);
    try {
      await knex('cities').delete();
      await insertWorld(knex, made.database, world, adapter.instant);
      if (family !== 'postgresql') {
        for (const [name, capital] of Object.entries(stored)) {
          await knex('cities').where({ name }).update({ capital });
        }
      }
    } finally {
      await knex.destroy();
    }
    rules = defineQueryRules(made.registry, 'city', {
      filters: [{ path: 'capital', operators }],
      sorts: ['population'],
      fields: { root: { allowed: ['name', 'capital'], default: ['name', 'capital'] } },
    });
  });
  afterAll(() => cell?.dispose());

  it('are shown by the truth of the database and found by number', async (context) => {
    if (!cell) return context.skip();
    const every = Object.keys(stored);
    const numberOf = (name: string) =>
      family === 'postgresql' ? Math.abs(Math.sign(stored[name] as number)) : stored[name];
    const names = (...numbers: number[]) =>
      every.filter((name) => numbers.includes(numberOf(name) as number));
    const expected: Readonly<Record<string, readonly string[]>> = {
      '': every,
      '[eq]=true': names(1),
      '[eq]=false': names(0),
      '[ne]=true': names(0, 2, -1, 127),
      '[ne]=false': names(1, 2, -1, 127),
      '[in]=true': names(1),
      '[in]=false,true': names(0, 1),
      '[notIn]=false': names(1, 2, -1, 127),
      '[notIn]=false,true': names(2, -1, 127),
    };
    const sources: [QuerySource, isOwn: boolean][] = [[cell.source('city'), false]];
    if (cell.ownQueries) sources.push([cell.ownQueries('city'), true]);
    for (const [source, isOwn] of sources) {
      for (const [filter, found] of Object.entries(expected)) {
        const request = `sort=population&perPage=20${filter && `&filter[capital]${filter}`}`;
        const { data, ...page } = await runQuery(source, request, rules);
        expect({ filter, rows: data }).toEqual({
          filter,
          // The client of Prisma shows every number but 1 as false.
          rows: found.map((name, at) => ({
            name,
            capital: isOwn ? data[at]?.['capital'] : stored[name] !== 0,
          })),
        });
        expect(page).toMatchObject({ total: found.length });
      }
    }
  });
});
