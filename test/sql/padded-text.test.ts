/** Patterns on `char(n)` search the text that lists show, with the blanks with which PostgreSQL pads it. */

import { expect, it } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { openDriver } from './drivers.ts';

const types = ['char(5)', 'character(5)'] as const;
const stored = ['ab', 'ab c', 'abcde', ' b'];
const terms = ['b', 'b ', 'ab  ', ' ', 'e', '   '];

it.each(['postgresql', 'mysql', 'sqlite'] as const)(
  'searches the shown text on %s',
  async (family) => {
    const database = await scratchDatabase(family, 'padded_text');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    const { connection, run, close } = openDriver(family, database);
    try {
      await run('create table codes (id int primary key, code char(5) not null)');
      for (const [id, code] of stored.entries())
        await run(`insert into codes values (${id}, '${code}')`);
      for (const type of types) {
        const tables = sqlTables({
          code: { table: 'codes', primaryKey: 'id', columns: { id: 'int', code: type } },
        });
        const registry = sqlRegistry(tables, { families: [family] });
        const rules = defineQueryRules(registry, 'code', {
          filters: [{ path: 'code', operators: ['like', 'notLike', 'ilike', 'notIlike'] }],
          fields: { root: { allowed: ['id', 'code'], default: ['id', 'code'] } },
        });
        const source = sqlSource({ connection, registry, tables, model: 'code' });
        const all = await runQuery(source, '', rules);
        const shown = all.data.map(({ code }) => String(code));
        for (const term of terms) {
          const keysOf = async (operator: string, text: string) => {
            const request = `filter[code][${operator}]=${encodeURIComponent(text)}`;
            return (await runQuery(source, request, rules)).data.map(({ id }) => id);
          };
          const having = shown.flatMap((text, at) => (text.includes(term) ? [at] : []));
          const lacking = stored.map((_, at) => at).filter((at) => !having.includes(at));
          expect(await keysOf('like', term), `like "${term}"`).toEqual(having);
          expect(await keysOf('notLike', term), `notLike "${term}"`).toEqual(lacking);
          expect(await keysOf('ilike', term.toUpperCase()), `ilike "${term}"`).toEqual(having);
          expect(await keysOf('notIlike', term.toUpperCase())).toEqual(lacking);
        }
      }
    } finally {
      await close();
    }
  },
);
