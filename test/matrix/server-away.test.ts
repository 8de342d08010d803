/** A server that is not there: 503 with a name from every adapter, with and without a time limit. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseFamily } from '../../src/index.ts';
import { QueryError, runQuery } from '../../src/index.ts';
import { type OutageProxy, outageProxy } from '../services/outage-proxy.ts';
import { everyServiceRequired, findMysql, findPostgresql } from '../services/index.ts';
import type { MissingService, Service } from '../services/index.ts';
import type { DatabaseCell } from './cell.ts';
import { cells, sharedOut } from './cells.ts';
import { compileEndpoints } from './corpus/index.ts';
import { mariadbPool } from './fixtures/prisma/clients.ts';

interface Server {
  readonly variable: string;
  find(): Promise<Service | MissingService>;
}

const servers: { readonly [family in DatabaseFamily]?: Server } = {
  postgresql: { variable: 'SLUICE_POSTGRES_URL', find: findPostgresql },
  mysql: { variable: 'SLUICE_MYSQL_URL', find: findMysql },
};

const onServers = sharedOut(cells.filter(({ family }) => servers[family] !== undefined));

// Each request tries twice for so long.
mariadbPool.acquireTimeout = 2_000;

describe.each(onServers)('$name without its server', ({ adapter, family }) => {
  const { variable, find } = servers[family] as Server;
  let service: Service | null = null;
  let proxy: OutageProxy | null = null;
  let cell: DatabaseCell | null = null;
  let before: string | undefined;

  beforeAll(async () => {
    const found = await find();
    if ('missing' in found) {
      if (everyServiceRequired()) throw new Error(found.advice);
      return;
    }
    service = found;
    proxy = await outageProxy(found.url);
    before = process.env[variable];
    process.env[variable] = proxy.url;
    const made = await adapter.open(family, 'away');
    if (typeof made === 'string') throw new Error(made);
    cell = made;
    await proxy.close();
  });
  afterAll(async () => {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
    await cell?.dispose();
    await proxy?.close();
    await service?.dispose();
  });

  it.for([{}, { timeoutMs: 20_000 }])('says that it is away, with %o', async (options, context) => {
    if (!cell) return context.skip();
    const rules = compileEndpoints(cell.registry).users;
    for (const request of ['perPage=5', 'filter[name][like]=a%25&includes=company']) {
      const error: unknown = await runQuery(cell.source('user'), request, rules, options).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(QueryError);
      expect(error).toMatchObject({
        code: 'SOURCE_UNAVAILABLE',
        status: 503,
        details: { retryAfterSeconds: 3 },
      });
    }
  });

  it('cannot check its profile', async (context) => {
    if (!cell) return context.skip();
    await expect(cell.violations()).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      status: 503,
    });
  });

  it('goes on once it is back', async (context) => {
    if (!cell || !proxy) return context.skip();
    await proxy.open();
    const rules = compileEndpoints(cell.registry).users;
    expect(await runQuery(cell.source('user'), 'perPage=5', rules)).toMatchObject({ perPage: 5 });
  });
});
