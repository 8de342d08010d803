/** JSON on SQLite by the declared type of its column: one that prefers numbers stores some documents as numbers. */

import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { checkProfile, prismaSource } from '../../src/adapters/prisma/index.ts';
import { type KeysetResult, defineQueryRules, runQuery } from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { scratchDatabase } from '../services/index.ts';
import { newestOf } from '../setup/left-to-ci.ts';

const models = `model Note {
  id   Int   @id
  data Json?
  /// @sluice.kind(opaque)
  odd  Json?
}`;

/** Documents of tables: what a driver takes for the type of a column depends on the first of them. */
const tables: readonly (readonly unknown[])[] = [
  [{ a: 1 }, [1, 'x', null], {}],
  [{ a: 1 }, 5],
  [5, { a: 1 }, 1.5, 'x', '5', true, null],
  [0.12345678901234568, 2e300, -7, 9007199254740991],
];

const versions = newestOf([7, 6] as const, (version) => version === 6);
const worlds = versions.flatMap((version) =>
  ['JSONB', 'JSON', 'TEXT'].map((declared) => ({ version, declared })),
);

describe.each(worlds)('with Prisma $version, a column $declared', ({ version, declared }) => {
  it.each(tables.map((documents) => ({ documents })))('shows $documents', async ({ documents }) => {
    const database = await scratchDatabase('sqlite', 'stored_json');
    if ('missing' in database) throw new Error(database.advice);
    const file = new Sqlite(database.url);
    file.exec(`create table Note (id integer primary key, data ${declared}, odd ${declared})`);
    const insert = file.prepare('insert into Note values (?, ?, ?)');
    for (const [at, document] of documents.entries()) {
      const text = JSON.stringify(document);
      insert.run(at + 1, text, text);
    }
    file.close();
    const generated = await generatePrisma({ family: 'sqlite', models, version });
    const client = await clientOn(generated, database, version);
    try {
      const { registry } = generated;
      const rules = defineQueryRules(registry, 'note', {
        fields: { root: { allowed: ['data', 'odd'], default: ['data', 'odd'] } },
      });
      const source = prismaSource({ client, registry, model: 'note' } as never);
      expect(await checkProfile(source)).toEqual([]);
      const { data } = await runQuery(source as never, '', rules);
      expect(data).toEqual(documents.map((document) => ({ data: document, odd: document })));
    } finally {
      await client.$disconnect();
      await database.drop();
    }
  });
});

it.each(versions)(
  'a walk by a decimal that is whole in the first row shows each row once, Prisma %s',
  async (version) => {
    const database = await scratchDatabase('sqlite', 'stored_json');
    if ('missing' in database) throw new Error(database.advice);
    const file = new Sqlite(database.url);
    file.exec(`create table Item (id integer primary key, data text);
      insert into Item select key + 1, json_object('price', value) from json_each('[10, 0.75, 0.25, -0.25, -3.5]')`);
    file.close();
    const item = `model Item {
  id   Int   @id
  /// @sluice.paths("price decimal")
  data Json?
}`;
    const generated = await generatePrisma({ family: 'sqlite', models: item, version });
    const client = await clientOn(generated, database, version);
    try {
      const { registry } = generated;
      const rules = defineQueryRules(
        registry,
        'item',
        {
          sorts: ['data.price'],
          fields: { root: { allowed: ['id'], default: ['id'] } },
          pagination: { mode: 'keyset' },
        },
        { cursorKeys },
      );
      const source = prismaSource({ client, registry, model: 'item' } as never);
      const ids: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null && ids.length < 10;) {
        const request = `sort=-data.price&perPage=2&cursor=${cursor}`;
        const page: KeysetResult = await runQuery(source as never, request, rules as never);
        ids.push(...page.data.map((row) => (row as unknown as { id: number }).id));
        cursor = page.nextCursor;
      }
      expect(ids).toEqual([1, 2, 3, 4, 5]);
    } finally {
      await client.$disconnect();
      await database.drop();
    }
  },
);
