/** JSON on SQLite by the declared type of its column: one that prefers numbers stores some documents as numbers. */

import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { checkProfile, prismaSource } from '../../src/adapters/prisma/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
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
