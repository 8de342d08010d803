/** The walks of a cell: all keyset pages, both ways, give each row once, also while others come and go. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledQueryRules, DatabaseFamily } from '../../src/index.ts';
import { runQuery } from '../../src/index.ts';
import { everyServiceRequired } from '../services/index.ts';
import { Churn, isPassing } from './churn.ts';
import type { DatabaseCell } from './cell.ts';
import type { MatrixCell } from './cells.ts';
import { adapters, families } from './cells.ts';
import { compileEndpoints } from './corpus/index.ts';
import { knexOn } from './fixtures/load.ts';
import { everything, repeatable, seed } from '../seed.ts';
import { Walk } from './walk.ts';

const sorts = [
  'id',
  '-id',
  '-id,debt,-nickname',
  'name',
  'nickname,-age',
  '-nickname,age,-name',
  '-seenAt,verified',
  'createdAt,-debt',
  '-company.name,-balance',
  'company.country.name,-manager.name',
  'role,-token',
  '-fortune,rate',
  '-height,score',
  'active,-verified,-bornOn',
  '-views',
  'settings.name,-settings.count',
  '-settings.large,settings.price',
  'settings.at,-settings.on',
  '-settings.day',
];
const everySize = [1, 2, 3, 4, 5, 6, 7];
/** Every page size once per family; all adapters cut pages alike, so one adapter is sufficient. */
const sizesOf = ({ adapter }: MatrixCell): readonly number[] =>
  adapter === adapters[0] ? everySize : [3];

/** The sorts that a cell walks: in a short run each sort is walked through one adapter of a family, in turn. */
const sortsOf = ({ adapter, family }: MatrixCell): readonly string[] =>
  sorts.filter((_, at) => {
    const turn = at + seed + families.indexOf(family) - adapters.indexOf(adapter);
    return everything || turn % adapters.length === 0;
  });

/** The page sizes of a walk: one of them in a short run. */
const sizesFor = (of: MatrixCell, sort: string): readonly number[] => {
  if (everything) return sizesOf(of);
  const turn = seed + sorts.indexOf(sort) * 3 + families.indexOf(of.family);
  return [everySize[turn % everySize.length] ?? 1];
};

/** One row more than a tenth of a millisecond apart from the next, as only these two can hold them. */
const microseconds: { readonly [family in DatabaseFamily]?: string } = {
  postgresql: `update users set created_at = '2024-01-01T00:00:00Z'::timestamptz + id * interval '100 microseconds'`,
  mysql: `update users set created_at = '2024-01-01 00:00:00' + interval id * 100 microsecond`,
};

/** Declares the walks of one cell. `name` is that of the cell in the titles; `open` opens the cell, or says why there is none. */
export function runWalks(
  name: string,
  of: MatrixCell,
  open: () => Promise<DatabaseCell | string>,
): void {
  describe(`walking keyset pages with ${name}`, () => {
    const { adapter, family } = of;
    let cell: DatabaseCell | null = null;
    let rules: CompiledQueryRules;
    let all: CompiledQueryRules;

    beforeAll(async () => {
      const made = await open();
      if (typeof made !== 'string') {
        cell = made;
        ({ usersKeyset: rules, users: all } = compileEndpoints(made.registry));
      } else if (everyServiceRequired()) {
        throw new Error(made);
      }
    });
    afterAll(() => cell?.dispose());

    const fullRead = async (of: DatabaseCell, sort: string): Promise<number[]> => {
      await of.database.replicated?.();
      const { data } = await runQuery(of.source('user'), `sort=${sort}&paginate=false`, all);
      return data.map((row) => Number(row['id']));
    };

    it.for(sortsOf(of))(
      'sort=%s: every page size, both ways, equals one full read',
      (sort, context) =>
        repeatable(async () => {
          if (!cell) return context.skip();
          const expected = await fullRead(cell, sort);
          expect(expected).toHaveLength(60);
          for (const size of sizesFor(of, sort)) {
            const walk = new Walk(cell.source('user'), rules, `sort=${sort}&perPage=${size}`);
            const { keys, back } = await walk.forwards();
            expect(keys, `forwards by ${size}`).toEqual(expected);
            const last = expected.length % size === 0 ? size : expected.length % size;
            const before = await walk.backwards(back);
            expect(before, `backwards by ${size}`).toEqual(
              expected.slice(0, expected.length - last),
            );
          }
        }),
    );

    it.for(sortsOf(of))(
      'sort=%s: rows that stay put are seen once while others come and go',
      (sort, context) =>
        repeatable(async () => {
          if (!cell) return context.skip();
          const expected = await fullRead(cell, sort);
          const churn = new Churn(cell.database, adapter.instant, seed);
          try {
            for (const size of sizesFor(of, sort)) {
              const request = `sort=${sort}&perPage=${size}`;
              const stir = (keys: readonly number[]) => churn.stir(keys.at(-1));
              const walk = new Walk(cell.source('user'), rules, request, stir);
              const { keys, back } = await walk.forwards();
              expect(staying(keys), `forwards by ${size}`).toEqual(expected);
              expect(new Set(keys).size, `no row twice with pages of ${size}`).toBe(keys.length);
              const before = await walk.backwards(back);
              const stayed = staying(before);
              expect(stayed, `backwards by ${size}`).toEqual(expected.slice(0, stayed.length));
              expect(stayed.length).toBeGreaterThanOrEqual(expected.length - size);
              await churn.settle();
            }
          } finally {
            await churn.settle();
            await churn.close();
          }
        }),
    );

    const spread = microseconds[family];
    if (spread === undefined) return;

    it('rows a tenth of a millisecond apart are not lost', async (context) => {
      if (!cell) return context.skip();
      const knex = knexOn(cell.database);
      await knex.raw(spread).finally(() => knex.destroy());
      await cell.database.replicated?.();
      for (const sort of ['createdAt', '-createdAt']) {
        const walk = new Walk(cell.source('user'), rules, `sort=${sort}&perPage=6`);
        const { keys, back } = await walk.forwards();
        const expected = await fullRead(cell, sort);
        expect(keys).toEqual(expected);
        expect(await walk.backwards(back)).toEqual(expected.slice(0, -6));
      }
    });
  });
}

const staying = (keys: readonly number[]): number[] => keys.filter((key) => !isPassing(key));
