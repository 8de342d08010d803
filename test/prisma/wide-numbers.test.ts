/** Walks over numbers of SQLite that a double does not hold, through a client: its own queries and statements of SQL. */

import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type PrismaClientLike, prismaSource } from '../../src/adapters/prisma/index.ts';
import { type KeysetResult, defineQueryRules, runQuery } from '../../src/index.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { scratchDatabase } from '../services/index.ts';
import { newestOf } from '../setup/left-to-ci.ts';

const models = `model Item {
  id      Int     @id
  big     BigInt
  price   Decimal
  ratio   Float
  isTruth Boolean
}`;

const wide = 9_007_199_254_740_993n;
const largest = 9_223_372_036_854_775_807n;
const values = [
  5n,
  2n,
  wide - 1n,
  wide,
  wide,
  wide + 1n,
  largest - 1n,
  largest,
  -largest,
  -largest - 1n,
];

const versions = newestOf([7, 6] as const, (version) => version === 6);

describe.each(versions)('with Prisma %s', (version) => {
  it('are in the order of the database, and none is lost or shown twice', async () => {
    const database = await scratchDatabase('sqlite', 'wide_numbers');
    if ('missing' in database) throw new Error(database.advice);
    const file = new Sqlite(database.url);
    file.exec(
      'create table Item (id integer primary key, big bigint, price decimal, ratio numeric, isTruth boolean)',
    );
    const insert = file.prepare('insert into Item values (?, ?, ?, ?, ?)');
    for (const [at, value] of values.entries()) insert.run(at, value, value, value, value);
    const generated = await generatePrisma({ family: 'sqlite', models, version });
    const { registry } = generated;
    const client = await clientOn(generated, database, version);
    const extended = client.$extends({
      query: {
        item: {
          findMany: ({ args, query }: { args: object; query: (on: object) => unknown }) =>
            query(args),
        },
      },
    });
    const rules = defineQueryRules(registry, 'item', {
      sorts: ['big', 'price', 'ratio', 'isTruth'],
      fields: { root: { allowed: ['id', 'big', 'price', 'ratio', 'isTruth'], default: ['id'] } },
      pagination: { mode: 'keyset' },
    });
    const walked = async (on: PrismaClientLike, request: string) => {
      const source = prismaSource({
        client: on,
        registry,
        model: 'item',
        bypassQueryExtensions: true,
      } as never);
      const seen: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null && seen.length < 30;) {
        const page = (await runQuery(
          source as never,
          `${request}&cursor=${cursor}`,
          rules,
        )) as KeysetResult;
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      return seen;
    };
    try {
      for (const path of ['big', 'price', 'ratio', 'isTruth']) {
        for (const [sort, order] of [
          [path, `${path}, id`],
          [`-${path}`, `${path} desc, id desc`],
        ]) {
          const ids = file.prepare(`select id from Item order by ${order}`).pluck().all();
          for (const on of [client, extended]) {
            for (const perPage of [1, 2]) {
              const request = `sort=${sort}&perPage=${perPage}`;
              expect({ request, ids: await walked(on, request) }).toEqual({ request, ids });
            }
          }
        }
      }
    } finally {
      file.close();
      await client.$disconnect();
      await database.drop();
    }
  });
});
