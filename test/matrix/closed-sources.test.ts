/** A source whose connection the host has closed, as at the end of a process: 503 with a name from every adapter. */

import { describe, expect, it } from 'vitest';
import { runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import { cells } from './cells.ts';
import { compileEndpoints } from './corpus/index.ts';

/** A Prisma client on a server connects again. */
const closing = cells.filter(
  ({ adapter, family }) => adapter.name !== 'prisma' || family === 'sqlite',
);

describe.each(closing)('$name', ({ adapter, family }) => {
  it('is unavailable once the host has closed it', async (context) => {
    const cell = await adapter.open(family, 'closed');
    if (typeof cell === 'string') {
      if (everyServiceRequired()) throw new Error(cell);
      return context.skip();
    }
    const rules = compileEndpoints(cell.registry).users;
    const source = cell.source('user');
    await runQuery(source, 'perPage=5', rules);
    await cell.dispose();
    for (const options of [{}, { timeoutMs: 20_000 }]) {
      for (const request of ['perPage=5', 'filter[name][like]=a%25&includes=company']) {
        const error: unknown = await runQuery(source, request, rules, options).catch(
          (thrown: unknown) => thrown,
        );
        expect(error).toMatchObject({ code: 'SOURCE_UNAVAILABLE', status: 503 });
      }
    }
  });
});
