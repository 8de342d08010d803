/** Texts that start with another are found by the index that `sluice indexes` names, in every family. */

import { expect, it } from 'vitest';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, planQuery, runQuery } from '../../src/index.ts';
import { readIndexUses } from '../../src/relational/profile/index.ts';
import { plainStatement } from '../../src/relational/read/executor.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { statementsOf } from '../unit/relational/statements.ts';
import { openDriver } from './drivers.ts';

const families = {
  postgresql: {
    type: 'varchar(40) collate "en-x-icu"',
    analyze: 'vacuum analyze texts',
    served: /texts_body.*Index Cond/s,
  },
  mysql: {
    type: 'varchar(40) collate utf8mb4_bin',
    analyze: 'analyze table texts',
    served: /texts_body/,
  },
  sqlite: { type: 'varchar(40)', analyze: 'analyze', served: /SEARCH texts USING.*texts_body/ },
} as const;

const names = Object.keys(families) as (keyof typeof families)[];

it.each(names)('serves startsWith on %s', async (family) => {
  const database = await scratchDatabase(family, 'prefix_index');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return;
  }
  const { connection, run, close } = openDriver(family, database);
  const { type, analyze, served } = families[family];
  try {
    await run(`create table texts (id int primary key, body ${type} not null)`);
    const rows = Array.from({ length: 2000 }, (_, id) => `(${id}, 'item ${1000 + id}')`);
    await run(`insert into texts values ${rows.join()}`);
    const registry = await introspect(connection);
    const source = sqlSource({ connection, registry, tables: registry.tables, model: 'texts' });
    const rules = defineQueryRules(
      registry,
      'texts',
      {
        filters: [{ path: 'body', operators: ['startsWith'] }],
        fields: { root: { allowed: ['id', 'body'], default: ['body'] } },
      },
      { families: [family] } as object,
    );
    // An index in the order of a language finds no prefix on PostgreSQL.
    if (family === 'postgresql') await run('create index texts_in_order on texts (body)');
    const [use] = await readIndexUses(source, rules);
    expect(use).toMatchObject({ serves: ['filter body'], index: null });
    await run(use?.statement ?? '');
    expect(await readIndexUses(source, rules)).toMatchObject([{ index: 'texts_body' }]);
    await run(analyze);
    const plan = planQuery('filter[body][startsWith]=item 150&perPage=50', rules);
    const [page] = statementsOf(source.describe.context, plan);
    const explain = family === 'sqlite' ? 'explain query plan ' : 'explain ';
    const explained = plainStatement(`${explain}${page?.text}`, page?.values ?? []);
    const steps = await source.execute.run(explained, page?.values ?? []);
    expect(JSON.stringify(steps)).toMatch(served);
    expect(
      (await runQuery(source, 'filter[body][startsWith]=item 15&perPage=1', rules)).data,
    ).toEqual([{ body: 'item 1500' }]);
  } finally {
    await close();
  }
});
