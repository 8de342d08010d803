/** Locked tables, lost connections and clients that leave: errors with a name, and a pool as full as before. */

import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledQueryRules } from '../../src/index.ts';
import { QueryError, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells, sharedOut } from './cells.ts';
import { compileEndpoints } from './corpus/index.ts';
import { knexOn } from './fixtures/load.ts';
import { type LockedServer, lockedServers, settled } from './locked-server.ts';

/** Most connections of a cell's pool. */
const pooled = 4;

const onServers = sharedOut(cells.filter(({ family }) => lockedServers[family] !== undefined));

describe.each(onServers)('trouble with $name', ({ adapter, family }) => {
  const server = lockedServers[family] as LockedServer;
  let cell: DatabaseCell | null = null;
  let knex: Knex;
  let rules: CompiledQueryRules;

  beforeAll(async () => {
    const made = await adapter.open(family, 'outages');
    if (typeof made !== 'string') {
      cell = made;
      knex = knexOn(made.database);
      rules = compileEndpoints(made.registry).users;
    } else if (everyServiceRequired()) {
      throw new Error(made);
    }
  });
  afterAll(async () => {
    await knex?.destroy();
    await cell?.dispose();
  });

  /** The outcomes of concurrent requests: rows, the code of a refusal, or the thrown error. */
  const sent = (of: DatabaseCell, count: number, options: object): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        runQuery(of.source('user'), `perPage=${at + 1}&includes=company`, rules, options).then(
          ({ data }) => `${data.length}`,
          (error: unknown) => (error instanceof QueryError ? error.code : String(error)),
        ),
      ),
    );
  const all = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}`);

  it('answers for time and signals while statements wait, and goes on', async (context) => {
    if (!cell) return context.skip();
    const unlock = await server.lock(knex);
    const late = await sent(cell, 10, { timeoutMs: 200 });
    expect(new Set(late)).toEqual(new Set(['QUERY_TIMEOUT']));
    const signal = AbortSignal.timeout(100);
    const left = await sent(cell, 10, { signal });
    expect(new Set(left)).toEqual(new Set([String(signal.reason)]));
    await unlock();
    await settled(server, knex);
    expect(await sent(cell, 10, {})).toEqual(all(10));
  });

  it.for([{}, { timeoutMs: 5000 }])(
    'outlives its connections, with %o',
    async (options, context) => {
      if (!cell) return context.skip();
      const unlock = await server.lock(knex);
      const cutting = setInterval(() => void server.cut(knex), 150);
      const lost = await sent(cell, pooled, options).finally(() => clearInterval(cutting));
      expect(new Set(lost)).toEqual(new Set(['SOURCE_UNAVAILABLE']));
      await unlock();
      await settled(server, knex);
      expect(await sent(cell, 10, options)).toEqual(all(10));
    },
  );
});
