/** Walks over keys without a value, which SQLite stores unless the column excludes them. */

import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { checkProfile, sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { type KeysetResult, defineQueryRules, runQuery } from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';

const tables = sqlTables({
  item: {
    table: 'items',
    primaryKey: ['code', 'no'],
    columns: { code: 'text', no: 'integer', label: 'text' },
  },
});
const registry = sqlRegistry(tables);

const rows = [
  [null, 1, 'a'],
  [null, 2, 'b'],
  ['x', 1, 'a'],
  ['y', 1, 'b'],
  ['y', 2, 'b'],
] as const;

it.each([{ cursorKeys }, {}])('shows each row once and ends, with %j', async (settings) => {
  const connection = new Sqlite(':memory:');
  try {
    connection.exec(
      'create table items (code text, no int, label text not null, primary key (code, no))',
    );
    for (const row of rows) connection.prepare('insert into items values (?, ?, ?)').run(...row);
    const source = sqlSource({ connection, registry, tables, model: 'item' });
    const rules = defineQueryRules(
      registry,
      'item',
      {
        sorts: ['label', 'code'],
        fields: { root: { allowed: ['code', 'no', 'label'], default: ['code', 'no'] } },
        pagination: { mode: 'keyset' },
      },
      { families: ['sqlite'], ...settings },
    );
    for (const sort of ['code', 'label', 'code,label']) {
      for (const perPage of [1, 2, 3]) {
        const seen: string[] = [];
        for (let cursor: string | null = ''; cursor !== null && seen.length < 20;) {
          const request = `sort=${sort}&perPage=${perPage}&cursor=${cursor}`;
          const page = (await runQuery(source, request, rules)) as KeysetResult;
          seen.push(...page.data.map((row) => `${row['code']} ${row['no']}`));
          cursor = page.nextCursor;
        }
        expect(seen.toSorted(), `${sort} by ${perPage}`).toEqual(
          rows.map(([code, no]) => `${code} ${no}`).toSorted(),
        );
      }
    }
    expect(await checkProfile(source)).toEqual([
      {
        rule: 'nullable',
        where: 'item.code',
        detail: expect.stringContaining('2 of the first 1000 rows have none') as string,
      },
    ]);
  } finally {
    connection.close();
  }
});
