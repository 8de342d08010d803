/** Time limits and signals that end statements on the server, and nothing but them. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledQueryRules } from '../../src/index.ts';
import { QueryError, runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells, sharedOut } from './cells.ts';
import { compileEndpoints } from './corpus/index.ts';
import { knexOn } from './fixtures/load.ts';
import { type LockedServer, lockedServers, settled, untilWaiting } from './locked-server.ts';

const onServers = sharedOut(cells.filter(({ family }) => lockedServers[family] !== undefined));

describe.each(onServers)('time limits of $name', ({ adapter, family }) => {
  const server = lockedServers[family] as LockedServer;
  let cell: DatabaseCell | null = null;
  let knex: Knex;
  let rules: CompiledQueryRules;
  let unlock: (() => Promise<unknown>) | undefined;

  beforeAll(async () => {
    const made = await adapter.open(family, 'limits');
    if (typeof made !== 'string') {
      cell = made;
      knex = knexOn(made.database);
      rules = compileEndpoints(made.registry).users;
    } else if (everyServiceRequired()) {
      throw new Error(made);
    }
  });
  afterEach(async () => {
    await unlock?.();
    unlock = undefined;
  });
  afterAll(async () => {
    await knex?.destroy();
    await cell?.dispose();
  });

  /** The number of rows, the code of a refusal, or the thrown error. */
  const answer = (
    of: DatabaseCell,
    request: string,
    options: object,
    source = of.source('user'),
  ): Promise<string> =>
    runQuery(source, request, rules, options).then(
      ({ data }) => `${data.length}`,
      (error: unknown) => (error instanceof QueryError ? error.code : String(error)),
    );

  it('ends the statements of late requests on the server', async (context) => {
    if (!cell) return context.skip();
    const of = cell;
    unlock = await server.lock(knex);
    const sent = Array.from({ length: 8 }, () => answer(of, 'perPage=3', { timeoutMs: 300 }));
    expect(new Set(await Promise.all(sent))).toEqual(new Set(['QUERY_TIMEOUT']));
    await untilWaiting(server, knex, (waiting) => waiting === 0);
    await unlock();
    unlock = undefined;
    await settled(server, knex);
    expect(await answer(of, 'perPage=3&includes=company', {})).toBe('3');
  });

  it('ends the statements of aborted requests on the server', async (context) => {
    if (!cell) return context.skip();
    const of = cell;
    unlock = await server.lock(knex);
    const gone = new AbortController();
    const { signal } = gone;
    const sources = [of.source('user'), of.ownQueries?.('user')];
    const sent = Array.from({ length: 8 }, (_, at) =>
      answer(of, 'perPage=3', { signal }, sources[at % 2]),
    );
    await untilWaiting(server, knex, (waiting) => waiting > 0);
    gone.abort(new Error('gone'));
    expect(new Set(await Promise.all(sent))).toEqual(new Set(['Error: gone']));
    await untilWaiting(server, knex, (waiting) => waiting === 0);
    await unlock();
    unlock = undefined;
    await settled(server, knex);
    expect(await answer(of, 'perPage=3&includes=company', {})).toBe('3');
  });

  it('ends the statements of aborted requests and no others', async (context) => {
    if (!cell) return context.skip();
    const of = cell;
    const request = 'perPage=3&filter[orders.lines.notes.text][ne]=x';
    const expected = '3';
    const stays: Promise<string>[] = [];
    const leaves: Promise<string>[] = [];
    for (let at = 0; at < 200; at += 1) {
      const gone = new AbortController();
      stays.push(answer(of, request, {}));
      leaves.push(answer(of, request, { signal: gone.signal }));
      void sleep(Math.random() * 300).then(() => gone.abort(new Error('gone')));
      if (at % 10 === 0) await sleep(Math.random() * 10);
    }
    expect(new Set(await Promise.all(stays))).toEqual(new Set([expected]));
    const left = new Set(await Promise.all(leaves));
    expect([...left].filter((each) => each !== expected && each !== 'Error: gone')).toEqual([]);
    await settled(server, knex);
    expect(await answer(of, request, {})).toBe(expected);
  });

  it("ends a statement in the host's transaction", async (context) => {
    if (!cell?.transaction) return context.skip();
    const { transaction } = cell;
    unlock = await server.lock(knex);
    const failed = transaction('user', async (source) => {
      await runQuery(source, 'perPage=3', rules, { timeoutMs: 300 });
    });
    await expect(failed).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    await untilWaiting(server, knex, (waiting) => waiting === 0);
  });
});
