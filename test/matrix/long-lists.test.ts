/** Lists of a host that are longer than a prepared statement has parameters, in every cell. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CompiledQueryRules,
  type PlanValue,
  QueryError,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { Cell } from './cell.ts';
import { cells, sharedOut } from './cells.ts';
import { compileEndpoints } from './corpus/index.ts';

const numbers = Array.from({ length: 70_000 }, (_, index) => index + 50);
const words = (count: number) => Array.from({ length: count }, (_, index) => `word ${index}`);

describe.each(sharedOut(cells))('$name', ({ name, adapter, family }) => {
  let cell: Cell | undefined;
  beforeAll(async () => {
    const opened = await adapter.open(family, 'lists');
    if (typeof opened !== 'string') cell = opened;
    else if (everyServiceRequired()) throw new Error(opened);
  });
  afterAll(() => cell?.dispose());

  const ids = async (path: string, operator: 'in' | 'notIn', value: readonly PlanValue[]) => {
    const { registry } = cell as Cell;
    const rules = compileEndpoints(registry).users;
    const { data } = await runQuery(
      (cell as Cell).source('user'),
      'fields=id&perPage=50&sort=id',
      rules,
      {
        transformPlan: (plan) => ({ ...plan, where: { type: 'condition', path, operator, value } }),
      },
    );
    return data.map((row) => (row as { id: number }).id);
  };

  it('looks texts up through relations in 16,000', { timeout: 120_000 }, async (context) => {
    if (!cell) context.skip('no server');
    for (const path of ['manager.name', 'teams.users.name']) {
      const rules = compileEndpoints((cell as Cell).registry).users;
      const { data } = await runQuery(
        (cell as Cell).source('user'),
        'fields=name&perPage=30',
        rules,
      );
      const names = data.map((row) => String((row as { name?: unknown }).name));
      const found = await ids(path, 'in', names);
      expect(found.length).toBeGreaterThan(0);
      expect(await ids(path, 'in', [...words(16_000), ...names])).toEqual(found);
    }
  });

  it(
    'shows the included rows of a scope of 12,000 texts',
    { timeout: 120_000 },
    async (context) => {
      if (!cell) context.skip('no server');
      const { registry } = cell as Cell;
      const shown = { allowed: ['id'], default: ['id'] };
      const source = (cell as Cell).source('user');
      const asked = async (values: readonly string[]) => {
        const rules = defineQueryRules(
          registry,
          'user',
          {
            fields: {
              root: shown,
              relations: { orders: { allowed: ['title'], default: ['title'] } },
            },
            includes: ['orders'],
          } as never,
          {
            scopes: {
              user: 'unscoped',
              order: () => ({ type: 'condition', path: 'title', operator: 'in', value: values }),
            },
          } as never,
        ) as CompiledQueryRules;
        return runQuery(source, 'includes=orders&perPage=60', rules, { scope: {} } as object);
      };
      const unscoped = defineQueryRules(registry, 'user', {
        fields: { root: shown, relations: { orders: { allowed: ['title'], default: ['title'] } } },
        includes: ['orders'],
      } as never) as CompiledQueryRules;
      const { data: all } = await runQuery(source, 'includes=orders&perPage=60', unscoped);
      const titles = all.flatMap(({ orders }) =>
        (orders as { title: string }[]).map(({ title }) => title),
      );
      const few = [...new Set(titles)].slice(0, 3);
      const found = await asked(few);
      expect(JSON.stringify(found.data)).toContain(few[0]);
      expect(await asked([...words(12_000), ...few])).toEqual(found);
    },
  );

  it('looks numbers up in 70,000', { timeout: 120_000 }, async (context) => {
    if (!cell) context.skip('no server');
    expect(await ids('id', 'in', numbers)).toEqual([50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60]);
    expect((await ids('id', 'notIn', numbers)).at(-1)).toBe(49);
    expect(await ids('views', 'in', [...numbers.map(String), '9007199254740993'])).toContain(50);
  });

  it(
    'looks texts up in 40,000, and in 70,000 or says why not',
    { timeout: 120_000 },
    async (context) => {
      if (!cell) context.skip('no server');
      expect(await ids('name', 'in', [...words(40_000), 'Zebra'])).toEqual([47]);
      const many = ids('name', 'in', [...words(70_000), 'Zebra']);
      if (name !== 'prisma on mysql') {
        expect(await many).toEqual([47]);
        return;
      }
      const error = await many.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(QueryError);
      expect(error).toMatchObject({ code: 'SOURCE_CONFIGURATION_INVALID', status: 500 });
    },
  );
});
