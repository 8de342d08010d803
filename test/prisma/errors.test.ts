/** Errors of the client by their class, with the code of the database where they have one, and values that it cannot bind. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withDatabaseCode } from '../../src/adapters/prisma/prisma-error.ts';
import { PrismaExecutor } from '../../src/adapters/prisma/executor.ts';
import { QueryError, defineQueryRules, runQuery } from '../../src/index.ts';
import type { AnyClient, Shop } from './fixtures/open-shop.ts';
import { openShop } from './fixtures/open-shop.ts';

const failed = (members: object): Error => Object.assign(new Error('It failed.'), members);
const adapter = (cause: object) => failed({ meta: { driverAdapterError: { cause } } });

it.each([
  ['away', ['P1000', 'P1001', 'P1002', 'P1003', 'P1008', 'P1011', 'P1017', 'P2037']],
  ['misfit', ['P2021', 'P2022']],
  ['timeout', ['P2024', 'P2028']],
  ['conflict', ['P2034']],
] as const)('are %s by the code of the client', (errorClass, codes) => {
  for (const code of codes) {
    const error = failed({ code });
    expect(withDatabaseCode(error)).toMatchObject({ errorClass, cause: error });
  }
});

it.each([
  [
    'away',
    [
      'AuthenticationFailed',
      'ConnectionClosed',
      'DatabaseDoesNotExist',
      'DatabaseNotReachable',
      'SocketTimeout',
      'TlsConnectionError',
      'TooManyConnections',
    ],
  ],
  ['conflict', ['TransactionWriteConflict']],
] as const)('are %s by the kind that the adapter tells', (errorClass, kinds) => {
  for (const kind of kinds) {
    const cause = { kind, originalCode: '57P01' };
    expect(withDatabaseCode(adapter(cause))).toMatchObject({ errorClass });
    expect(withDatabaseCode(failed({ cause }))).toMatchObject({ errorClass });
  }
});

it('have the code of the database, that of the adapter before others', () => {
  const told = { originalCode: '22012', originalMessage: 'division by zero' };
  for (const error of [adapter({ kind: 'postgres', ...told }), failed({ cause: told })])
    expect(withDatabaseCode(error)).toMatchObject({
      code: '22012',
      message: 'division by zero',
      cause: error,
    });
  expect(withDatabaseCode(adapter({ kind: 'postgres', code: '23505' }))).toMatchObject({
    code: '23505',
  });
  expect(withDatabaseCode(failed({ code: 'P2010', meta: { code: '1365' } }))).toMatchObject({
    code: '1365',
  });
  const both = failed({ meta: { code: 'XX', driverAdapterError: { cause: { code: 1205 } } } });
  expect(withDatabaseCode(both)).toMatchObject({ code: '1205' });
});

it('are themselves where nothing is known of them', () => {
  const classified = withDatabaseCode(failed({ code: 'P2024' }));
  const said = withDatabaseCode(failed({ cause: { originalCode: '22012' } }));
  const query = new QueryError('QUERY_TIMEOUT', 'Late.', { timeoutMs: 1 });
  const plain = [failed({ code: 'P2002' }), failed({}), failed({ cause: new Error('x') })];
  for (const error of [classified, said, Object.assign(query, { cause: { originalCode: '1' } })])
    expect(withDatabaseCode(error)).toBe(error);
  for (const error of [...plain, 'text', undefined]) expect(withDatabaseCode(error)).toBe(error);
});

it('SQLite receives a whole number beyond 32 bits as one', async () => {
  const shop = await openShop('sqlite', 'prisma_errors');
  if (!shop) return;
  const executor = new PrismaExecutor(shop.client as object as AnyClient, true);
  const typed = { text: 'select typeof(?) as a, typeof(?) as b, typeof(?) as c' } as never;
  const [types] = await executor.run(typed, [3_000_000_000, -3_000_000_000, 1.5]);
  await shop.close();
  expect(types).toEqual(['integer', 'integer', 'real']);
});

describe.each(['postgresql', 'mysql'] as const)('a statement on %s', (family) => {
  let shop: Shop | null;
  beforeAll(async () => {
    shop = await openShop(family, 'prisma_errors');
  });
  beforeEach((context) => void (shop || context.skip()));
  afterAll(() => shop?.close());

  it('that fails tells the code of the database', async () => {
    if (!shop) return;
    const rules = defineQueryRules(shop.registry, 'absent', {
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const error: unknown = await runQuery(shop.source('absent'), '', rules).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'SOURCE_CONFIGURATION_INVALID' });
    expect((error as QueryError).cause).toMatchObject({
      code: family === 'mysql' ? '1146' : '42P01',
    });
  });

  it('binds whole numbers beyond 32 bits, fractions, and no more values than the client can', async () => {
    if (!shop) return;
    const executor = new PrismaExecutor(shop.client as object as AnyClient, true);
    const [one, two] = family === 'mysql' ? ['?', '?'] : ['$1', '$2'];
    const page = { text: `select id from things order by id limit ${one} offset ${two}` };
    expect(await executor.run(page as never, [1, 3_000_000_000])).toEqual([]);
    expect(await executor.run(page as never, [1, 1])).toEqual([[2]]);
    const half = { text: `select count(*) from things where price < ${one}` };
    expect(String(await executor.run(half as never, [2.5]))).toBe('1');
    const many = Array.from({ length: 65_536 }, () => 1);
    await expect(executor.run(half as never, many)).rejects.toThrow(
      'The request has 65536 values; Prisma binds at most 65535.',
    );
    await expect(executor.run(half as never, many.slice(1))).rejects.not.toThrow('binds at most');
  });
});
