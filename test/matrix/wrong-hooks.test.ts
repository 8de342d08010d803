/** Hooks of the host that are not functions, or return something else: an error that says so, from every adapter. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompiledQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells, sharedOut } from './cells.ts';
import { compileEndpoints } from './corpus/index.ts';

describe.each(sharedOut(cells))('$name', ({ adapter, family }) => {
  let cell: DatabaseCell | null = null;
  let rules: CompiledQueryRules;

  beforeAll(async () => {
    const made = await adapter.open(family, 'hooks');
    if (typeof made === 'string') {
      if (everyServiceRequired()) throw new Error(made);
      return;
    }
    cell = made;
    rules = compileEndpoints(made.registry).users;
  });
  afterAll(() => cell?.dispose());

  it.for<[string, unknown, string]>([
    ['an object', {}, '"customize" must be a function'],
    ['an asynchronous function', async (given: unknown) => given, '"customize" must return'],
    ['a function that returns a number', () => 1, '"customize" must return'],
  ])('refuses %s as customize', async ([, customize, message], context) => {
    if (!cell) return context.skip();
    const answer = runQuery(cell.source('user'), 'perPage=5', rules, { customize });
    await expect(answer).rejects.toMatchObject({
      code: 'SOURCE_CONFIGURATION_INVALID',
      message: expect.stringContaining(message) as unknown,
    });
    expect((await runQuery(cell.source('user'), 'perPage=5', rules)).data).toHaveLength(5);
  });
});
