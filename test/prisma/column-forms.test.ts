/** Columns whose form decides how their values are read: numbers in single precision, values without a kind, lists, bytes and keys. */

import { expect, it } from 'vitest';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import { type QueryRulesDeclaration, defineQueryRules, runQuery } from '../../src/index.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const forms = {
  postgresql: {
    ratio: '@db.Real',
    odd: '/// @sluice.kind(opaque)\n  odd Json',
    words: 'words String[]',
    columns: 'ratio real, odd json, words text[], raw bytea',
    values: `0.1, '{"a": [1]}', '{x,"y z"}', '\\x0102'`,
    shown: { id: 1, ratio: 0.1, odd: { a: [1] }, words: ['x', 'y z'], raw: 'AQI=' },
  },
  mysql: {
    ratio: '@db.Float',
    odd: 'odd DateTime @db.Time(3)',
    words: '/// @sluice.kind("string[]")\n  words Json',
    columns: 'ratio float, odd time(3), words json, raw varbinary(4)',
    values: `0.1, '12:34:56.789', '["x", "y z"]', x'0102'`,
    shown: { id: 1, ratio: 0.1, odd: '12:34:56.789', words: ['x', 'y z'], raw: 'AQI=' },
  },
} as const;

it.each(['postgresql', 'mysql'] as const)('are shown and found on %s', async (family) => {
  const { ratio, odd, words, columns, values, shown } = forms[family];
  const database = await scratchDatabase(family, 'column_forms');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return;
  }
  const knex = knexOn(database);
  await knex.raw(`create table items (id integer primary key, ${columns})`);
  await knex.raw(`insert into items values (1, ${values})`);
  await knex.destroy();
  const models = `model Item {
  id    Int   @id
  ratio Float ${ratio}
  ${odd}
  ${words}
  raw   Bytes
  @@map("items")
}`;
  const generated = await generatePrisma({ family, models });
  const client = await clientOn(generated, database, 7);
  const declaration: QueryRulesDeclaration = {
    filters: [
      { path: 'ratio', operators: ['eq', 'in'] },
      { path: 'words', operators: ['has'] },
    ],
    fields: { root: 'all' },
  };
  try {
    const { registry } = generated;
    const rules = defineQueryRules(registry, 'item', declaration);
    const source = prismaSource({ client, registry, model: 'item' } as never);
    for (const request of ['filter[ratio]=0.1', 'filter[ratio][in]=0.1', 'filter[words][has]=x'])
      expect([request, (await runQuery(source as never, request, rules)).data]).toEqual([
        request,
        [shown],
      ]);
  } finally {
    await client.$disconnect();
    await database.drop();
  }
});

it('of texts that are keys hold no null on SQLite, so that pages by them do not look for it', async () => {
  const database = await scratchDatabase('sqlite', 'column_forms');
  if ('missing' in database) throw new Error(database.advice);
  const knex = knexOn(database);
  await knex.raw('create table Word (code text primary key)');
  await knex.raw(`insert into Word values ('a'), ('b'), ('c')`);
  await knex.destroy();
  const generated = await generatePrisma({
    family: 'sqlite',
    models: 'model Word {\n code String @id\n}',
  });
  const statements: string[] = [];
  const client = await clientOn(generated, database, 7, (text) => statements.push(text));
  const { registry } = generated;
  const rules = defineQueryRules(registry, 'word', {
    sorts: [{ path: 'code', nulls: 'last' }],
    fields: { root: { allowed: ['code'], default: ['code'] } },
  });
  const source = prismaSource({ client, registry, model: 'word' } as never);
  const { data } = await runQuery(source as never, 'sort=code&perPage=2', rules);
  expect(data).toEqual([{ code: 'a' }, { code: 'b' }]);
  expect(statements).not.toEqual([]);
  for (const text of statements) expect(text).not.toMatch(/null/i);
  await client.$disconnect();
  await database.drop();
});
