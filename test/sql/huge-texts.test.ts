/** Pages that begin at texts of several megabytes, which may be more than a server accepts in one statement. */

import { expect, it } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { type KeysetResult, QueryError, defineQueryRules, runQuery } from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { openDriver } from './drivers.ts';

it.each(['postgresql', 'mysql', 'sqlite'] as const)(
  'are shown or refused on %s',
  async (family) => {
    const database = await scratchDatabase(family, 'huge_texts');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    const { connection, run, close } = openDriver(family, database);
    try {
      const type = family === 'mysql' ? 'longtext' : 'text';
      await run(`create table notes (id int primary key, body ${type} not null)`);
      /** A quote makes drivers write a text in twice as many characters. */
      const insert = async (id: number, first: string, megabytes: number) => {
        const text = `concat('${first}', '''', repeat('x', ${megabytes * 1_000_000}))`;
        const sqlite = `'${first}''' || replace(hex(zeroblob(${megabytes * 500_000})), '0', 'x')`;
        await run(`insert into notes values (${id}, ${family === 'sqlite' ? sqlite : text})`);
      };
      for (const [at, first] of [...'abc'].entries()) await insert(at, first, 2);
      const tables = sqlTables({
        note: { table: 'notes', primaryKey: 'id', columns: { id: 'int', body: type } },
      });
      const registry = sqlRegistry(tables, { families: [family] });
      const rules = defineQueryRules(
        registry,
        'note',
        {
          sorts: ['body'],
          fields: { root: { allowed: ['id'], default: ['id'] } },
          pagination: { mode: 'keyset' },
        },
        { families: [family], cursorKeys },
      );
      const source = sqlSource({ connection, registry, tables, model: 'note' });
      const page = async (cursor: string | null) =>
        (await runQuery(source, `sort=body&perPage=1&cursor=${cursor}`, rules)) as KeysetResult;
      const first = await page('');
      const second = await page(first.nextCursor);
      expect([...first.data, ...second.data]).toEqual([{ id: 0 }, { id: 1 }]);
      await run('delete from notes');
      for (const [at, letter] of [...'abc'].entries()) await insert(at, letter, 7);
      const huge = await page('');
      const next = await page(huge.nextCursor).catch((error: unknown) => error);
      if (family !== 'mysql') return expect(next).toMatchObject({ data: [{ id: 1 }] });
      expect(next).toBeInstanceOf(QueryError);
      expect(next).toMatchObject({
        code: 'CAPABILITY_UNAVAILABLE',
        statusCode: 400,
        details: { path: 'body' },
      });
    } finally {
      await close();
    }
  },
);
