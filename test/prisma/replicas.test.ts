/** A client with read replicas: its extensions, and its transactions. */

import { readReplicas } from '@prisma/extension-read-replicas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import { QueryError, defineQueryRules, runQuery } from '../../src/index.ts';
import { type AnyClient, type Shop, openShop } from './fixtures/open-shop.ts';

/** Extensions that act on every query, and that compute a field. */
const ordinary = { query: { $allModels: { findMany: ({ args, query }: Hook) => query(args) } } };
const computing = { result: { thing: { name: { needs: {}, compute: () => 'computed' } } } };

interface Hook {
  readonly args: object;
  query(args: object): Promise<unknown>;
}

interface Extensible extends AnyClient {
  $extends(extension: object): Extensible;
}

describe('a Prisma client with read replicas', () => {
  const shops: Shop[] = [];
  let primary: Extensible;
  let replica: Extensible;

  beforeAll(async () => {
    for (const name of ['primary', 'replica']) {
      const shop = await openShop('sqlite', `prisma_${name}`, 7);
      if (shop) shops.push(shop);
    }
    [primary, replica] = shops.map(({ client }) => client as unknown as Extensible) as [
      Extensible,
      Extensible,
    ];
  });
  afterAll(async () => {
    for (const shop of shops) await shop.close();
  });

  const sourceOn = (client: Extensible, bypassQueryExtensions = false) => {
    const registry = shops[0]?.registry;
    if (!registry) throw new Error('There is no shop.');
    return prismaSource({ client, registry, model: 'thing', bypassQueryExtensions });
  };
  const withReplica = (client: Extensible, other: Extensible): Extensible =>
    client.$extends(readReplicas({ replicas: [other as never] }) as never);

  it.for([
    ['query', ordinary],
    ['result', computing],
  ] as const)('is refused when its replicas lack a %s extension', ([, extension]) => {
    const refuse = () => sourceOn(withReplica(primary.$extends(extension), replica));
    expect(refuse).toThrow(QueryError);
    expect(refuse).toThrow('extensions that its read replicas do not have');
    const both = withReplica(primary.$extends(extension), replica.$extends(extension));
    expect(() => sourceOn(both, true)).not.toThrow();
  });

  it('is refused when its replicas compute another field', () => {
    const other = { result: { thing: { id: { needs: {}, compute: () => 0 } } } };
    const client = withReplica(primary.$extends(computing), replica.$extends(other));
    expect(() => sourceOn(client)).toThrow('extensions that its read replicas do not have');
  });

  it('is refused when a query extension of the client or of a replica could be bypassed', () => {
    const extended = [
      withReplica(primary.$extends(ordinary), replica.$extends(ordinary)),
      withReplica(primary, replica.$extends(ordinary)),
    ];
    for (const client of extended) {
      expect(() => sourceOn(client)).toThrow('bypassQueryExtensions');
      expect(() => sourceOn(client, true)).not.toThrow();
    }
  });

  it('has the rows as an extension of the replicas alone makes them', async () => {
    const rules = defineQueryRules(shops[0]?.registry as Shop['registry'], 'thing', {
      fields: { root: { allowed: ['id', 'name'], default: ['id', 'name'] } },
    });
    const masking = {
      query: {
        thing: {
          findMany: async ({ args, query }: Hook) =>
            ((await query(args)) as object[]).map((row) => ({ ...row, name: 'masked' })),
        },
      },
    };
    const client = withReplica(primary, replica.$extends(masking));
    const { data } = await runQuery(sourceOn(client, true), 'perPage=2', rules);
    expect(data.map(({ name }) => name)).toEqual(['masked', 'masked']);
  });

  it('reads the replica, and the primary in a transaction', async () => {
    const registry = shops[0]?.registry as Shop['registry'];
    const rules = defineQueryRules(registry, 'thing', {
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const client = withReplica(primary, replica);
    const all = await runQuery(sourceOn(client), '', rules);
    await (replica as unknown as Emptied).thing.deleteMany({});
    expect(await runQuery(sourceOn(client), '', rules)).toMatchObject({ data: [], total: 0 });
    const transact = client as unknown as Transactional;
    const inside = await transact.$transaction((tx) => runQuery(sourceOn(tx), '', rules));
    expect(inside).toEqual(all);
  });
});

interface Emptied {
  readonly thing: { deleteMany(args: object): Promise<unknown> };
}

interface Transactional {
  $transaction<T>(body: (transaction: Extensible) => Promise<T>): Promise<T>;
}
