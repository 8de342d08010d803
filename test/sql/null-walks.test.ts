/** Walks along two columns with nulls, in all directions and places of nulls, that pause at each row. */

import { expect, it } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { type QuerySource, defineQueryRules } from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { Walk } from '../matrix/walk.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { openDriver } from './drivers.ts';

const tables = sqlTables({
  item: {
    table: 'items',
    primaryKey: 'id',
    columns: {
      id: 'integer',
      a: { type: 'int', nullable: true },
      b: { type: 'int', nullable: true },
    },
  },
});

const values = [null, 1, 2] as const;
const rows = values
  .flatMap((a) => values.flatMap((b) => [0, 1].map(() => ({ a, b }))))
  .map((row, at) => ({ id: (at * 7) % 18, ...row }));

type Nulls = 'first' | 'last';
const sorts = ['a,b', 'a,-b', '-a,b', '-a,-b'];
const places = (['first', 'last'] as const).flatMap((ofA) =>
  (['first', 'last'] as const).map((ofB) => [ofA, ofB] as const),
);

/** The keys in an order, with nulls where the rules place them. */
function ordered(sort: string, nulls: readonly [Nulls, Nulls]): number[] {
  const terms = sort.split(',').map((term, at) => ({
    path: term.replace('-', '') as 'a' | 'b',
    sign: term.startsWith('-') ? -1 : 1,
    isFirst: nulls[at] === 'first',
  }));
  const last = terms.at(-1)?.sign ?? 1;
  return rows
    .toSorted((one, other) => {
      for (const { path, sign, isFirst } of terms) {
        const absent = sign * (isFirst ? -9 : 9);
        const apart = (one[path] ?? absent) - (other[path] ?? absent);
        if (apart !== 0) return sign * apart;
      }
      return last * (one.id - other.id);
    })
    .map(({ id }) => id);
}

it.each(['postgresql', 'mysql', 'sqlite'] as const)('lose no row on %s', async (family) => {
  const database = await scratchDatabase(family, 'null_walks');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return;
  }
  const { connection, run, close } = openDriver(family, database);
  try {
    await run('create table items (id integer not null primary key, a int, b int)');
    await run(
      `insert into items values ${rows.map(({ id, a, b }) => `(${id}, ${a}, ${b})`).join()}`,
    );
    const registry = sqlRegistry(tables, { families: [family] });
    const source: QuerySource = sqlSource({ connection, registry, tables, model: 'item' });
    for (const nulls of places) {
      const rules = defineQueryRules(
        registry,
        'item',
        {
          sorts: [
            { path: 'a', nulls: nulls[0] },
            { path: 'b', nulls: nulls[1] },
          ],
          fields: { root: { allowed: ['id'], default: ['id'] } },
          pagination: { mode: 'keyset' },
        },
        { cursorKeys, families: [family] },
      );
      for (const sort of sorts) {
        const all = ordered(sort, nulls);
        const walk = new Walk(source, rules, `sort=${sort}&perPage=1`);
        const { keys, back } = await walk.forwards();
        expect([sort, nulls, keys]).toEqual([sort, nulls, all]);
        expect([sort, nulls, await walk.backwards(back)]).toEqual([sort, nulls, all.slice(0, -1)]);
      }
    }
  } finally {
    await close();
  }
});
