/**
 * Lists and walks over rows that schemas exclude, and over columns that only one family orders. An ordinary run shares
 * the walks and the generated requests of a family among the adapters, by the seed; a long run takes all of each.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  CompiledQueryRules,
  KeysetResult,
  QueryLimits,
  QuerySource,
  Row,
} from '../../src/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import type { SchemaRegistry } from '../../src/schema/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { everything, holds, inTurn, repeatable, seed } from '../seed.ts';
import { isSharedOut } from '../setup/left-to-ci.ts';
import { families } from './cells.ts';
import { knexOn } from './fixtures/load.ts';
import { querySchema } from './fixtures/model.ts';
import { ParcelChurn, isPassingParcel } from './irregular/churn.ts';
import { irregularAdapters, openIrregular } from './irregular/cells.ts';
import type { IrregularCell } from './irregular/cells.ts';
import { irregularModels, irregularWorld, membersOf } from './irregular/world.ts';
import { legalRequest } from './legal-request.ts';
import { referenceSource } from './reference/source.ts';

const enumOperators = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'in',
  'notIn',
  'like',
] as const;
const ordered = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'notIn'] as const;
const own = ['lane', 'day', 'no', 'status', 'grade', 'ref', 'weight', 'note', 'at'] as const;

/** The rules of parcels. Without keys, cursors hold fields of the root only. */
function rulesOf(
  registry: SchemaRegistry,
  family: DatabaseFamily,
  sealed: boolean,
  limits: Partial<QueryLimits> = {},
) {
  const hops = sealed ? ['depot.name', 'depot.zone'] : [];
  return defineQueryRules(
    registry as never,
    'parcel' as never,
    {
      filters: [
        { path: 'lane', operators: [...enumOperators] },
        { path: 'status', operators: [...enumOperators, 'isNull'] },
        { path: 'grade', operators: [...enumOperators] },
        { path: 'ref', operators: [...ordered, 'isNull'] },
        { path: 'day', operators: [...ordered] },
        { path: 'weight', operators: [...ordered, 'isNull'] },
        { path: 'depot', operators: ['isNull'] },
        { path: 'depot.name', operators: [...ordered, 'like'] },
        { path: 'depot.zone', operators: [...enumOperators] },
      ],
      sorts: [...own, ...hops],
      fields: {
        root: { allowed: [...own], default: ['no', 'lane', 'status', 'weight'] },
        relations: { depot: { allowed: ['id', 'name', 'zone'], default: ['name'] } },
      },
      includes: ['depot'],
      pagination: { mode: 'both' },
    } as never,
    { families: [family], limits, ...(sealed && { cursorKeys }) },
  ) as unknown as CompiledQueryRules;
}

const keyed = ['lane', '-lane,day', 'status', '-status', 'grade', '-grade', 'ref,-status', '-ref'];
const rewritten = ['weight', '-weight,lane'];
const long = ['note', '-note', 'status,-note,ref'];
const hopped = ['depot.name', '-depot.name,status', 'depot.zone', '-depot.zone,-grade'];

/** The sorts of an adapter: in an ordinary run every adapter of a family has others, and together they have all. */
const sortsOf = (all: readonly string[], adapter: number): readonly string[] =>
  all.filter((_, at) => everything || (at + seed) % irregularAdapters.length === adapter);

/** Instants that databases store and requests cannot contain. */
const oddInstants: { readonly [family in DatabaseFamily]?: readonly string[] } = {
  postgresql: [
    `'infinity'`,
    `'-infinity'`,
    `'0044-03-15 12:00:00.5+00 BC'`,
    `'20000-01-01 00:00:00.000001+00'`,
  ],
  mysql: [`'0000-00-00 00:00:00'`, `'2024-00-00 00:00:00'`, `'2024-02-00 10:11:12'`],
};

/** The rules of labels, whose keys have companions. */
const labelRulesOf = (registry: SchemaRegistry, family: DatabaseFamily, sealed: boolean) =>
  defineQueryRules(
    registry as never,
    'label' as never,
    {
      sorts: ['size', 'code', 'zone'],
      fields: { root: { allowed: ['code', 'zone', 'size'], default: ['code', 'zone', 'size'] } },
      pagination: { mode: 'both' },
    } as never,
    { families: [family], ...(sealed && { cursorKeys }) },
  ) as unknown as CompiledQueryRules;

const labelKey = (row: Row): string => `${String(row['code'])} ${String(row['zone'])}`;

const numberOf = (row: Row): number => Number(row['no']);

/** All pages, from the first to the last and back; `meanwhile` runs beside the read of each page. */
async function walked<Key extends string | number = number>(
  source: QuerySource,
  rules: CompiledQueryRules,
  request: string,
  keyOf: (row: Row) => Key = numberOf as (row: Row) => Key,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
) {
  const list = async (cursor: string) => {
    const answer = runQuery(source, `${request}&cursor=${cursor}`, rules);
    const [page] = await Promise.all([answer, meanwhile()]);
    return page as KeysetResult;
  };
  const keysOf = ({ data }: KeysetResult) => data.map(keyOf);
  const forwards: Key[] = [];
  let back: string | null = null;
  for (let cursor: string | null = ''; cursor !== null && forwards.length < 500;) {
    const page = await list(cursor);
    forwards.push(...keysOf(page));
    back = page.prevCursor;
    cursor = page.nextCursor;
  }
  const backwards: Key[] = [];
  for (let cursor = back; cursor !== null && backwards.length < 500;) {
    const page = await list(cursor);
    backwards.unshift(...keysOf(page));
    cursor = page.prevCursor;
  }
  return { forwards, backwards };
}

describe.each(families)('the irregular world on %s', (family) => {
  const world = irregularWorld(family, seed);
  const registry: SchemaRegistry = new Map(
    irregularModels(family).map((model) => [model.model, querySchema(model)]),
  );
  const reference = referenceSource('parcel', world, { family, registry });
  const meant = rulesOf(registry, family, true);

  const adapters = irregularAdapters.filter(
    (_, at) => !isSharedOut || families[(at + seed) % families.length] === family,
  );
  describe.each(adapters)('with $name', (adapter) => {
    const turn = irregularAdapters.indexOf(adapter);
    let cell: IrregularCell | null = null;
    beforeAll(async () => {
      cell = await openIrregular(adapter, family, world);
    }, 120_000);
    afterAll(() => cell?.close());

    it('is described as written, and stands on the profile', async (context) => {
      if (!cell) return context.skip();
      for (const [model, { fields, primaryKey }] of registry) {
        expect(cell.registry.get(model)?.fields).toEqual(fields);
        expect(cell.registry.get(model)?.primaryKey).toEqual(primaryKey);
      }
      expect(await cell.violations()).toEqual([]);
    });

    it.for([true, false])('is walked like in memory, sealed: %s', async (sealed, context) => {
      if (!cell) return context.skip();
      const rules = rulesOf(cell.registry, family, sealed);
      const source = cell.source('parcel');
      await repeatable(async () => {
        const sorts = [...keyed, ...rewritten, ...long, ...(sealed ? hopped : [])];
        for (const sort of sortsOf(sorts, turn)) {
          const all = await runQuery(reference, `sort=${sort}&perPage=100`, meant);
          const expected = all.data.map((row) => Number(row['no']));
          const perPage = 1 + ((seed + sort.length) % 7);
          const { forwards, backwards } = await walked(
            source,
            rules,
            `sort=${sort}&perPage=${perPage}`,
          );
          expect(forwards, `${sort} by ${perPage}`).toEqual(expected);
          const last = expected.length % perPage || perPage;
          expect(backwards, `${sort} back by ${perPage}`).toEqual(expected.slice(0, -last));
        }
      });
    });

    it('is walked while other rows are inserted, changed and deleted', async (context) => {
      if (!cell) return context.skip();
      const { instant, rewrites } = adapter;
      const rules = rulesOf(cell.registry, family, true);
      const source = cell.source('parcel');
      const churn = new ParcelChurn(
        { database: cell.database, family, instant, rewrites },
        world,
        seed,
      );
      const staying = (keys: readonly number[]) => keys.filter((no) => !isPassingParcel(no));
      const stir = () => churn.stir();
      await repeatable(async () => {
        try {
          for (const sort of sortsOf([...keyed, ...rewritten, ...long, ...hopped], turn)) {
            const all = await runQuery(source, `sort=${sort}&perPage=100`, rules);
            const expected = all.data.map(numberOf);
            const perPage = 2 + ((seed + sort.length) % 4);
            const request = `sort=${sort}&perPage=${perPage}`;
            const walk = await walked(source, rules, request, numberOf, stir);
            expect(walk.forwards.length, `${sort} by ${perPage} ends`).toBeLessThan(500);
            const [seen, back] = [staying(walk.forwards), staying(walk.backwards)];
            if (long.includes(sort)) {
              // Where the row of a cursor is gone, rows whose texts begin as its own did are shown again.
              expect(new Set(seen), `${sort} by ${perPage}`).toEqual(new Set(expected));
            } else {
              expect(seen, `${sort} by ${perPage}`).toEqual(expected);
              expect(back, `${sort} back by ${perPage}`).toEqual(expected.slice(0, back.length));
              expect(back.length).toBeGreaterThanOrEqual(expected.length - perPage);
            }
            await churn.settle();
          }
        } finally {
          await churn.settle();
          await churn.close();
        }
      });
    });

    it('is walked over keys whose companions are not filled', async (context) => {
      if (!cell) return context.skip();
      const source = cell.source('label');
      const stored = (world.rows.get('label') ?? []).map(labelKey);
      for (const sealed of [true, false]) {
        const rules = labelRulesOf(cell.registry, family, sealed);
        for (const sort of inTurn(['size', '-size,zone', 'code', '-zone', '-code,-zone'], turn)) {
          const all = await runQuery(source, `sort=${sort}&perPage=100`, rules);
          const expected = all.data.map(labelKey);
          expect(expected.toSorted()).toEqual(stored.toSorted());
          for (const perPage of [1, 4]) {
            const request = `sort=${sort}&perPage=${perPage}`;
            const { forwards, backwards } = await walked(source, rules, request, labelKey);
            expect(forwards, `${sort} by ${perPage}`).toEqual(expected);
            const last = expected.length % perPage || perPage;
            expect(backwards, `${sort} back by ${perPage}`).toEqual(expected.slice(0, -last));
          }
        }
      }
    });

    it('answers generated requests like in memory', { timeout: 600_000 }, async (context) => {
      if (!cell) return context.skip();
      const rules = rulesOf(cell.registry, family, true);
      const source = cell.source('parcel');
      const request = legalRequest(world, meant);
      const alike = fc.asyncProperty(request, async (text) => {
        const expected = await pagesOf(reference, meant, text);
        const given = await pagesOf(source, rules, text);
        if (given === expected) return;
        throw new Error(`${decodeURIComponent(text)}\nanswered ${given}\ninstead of ${expected}`);
      });
      await holds(alike, everything ? 2000 : 2000 / irregularAdapters.length, turn);
    });

    it('includes nothing where a row that the schema requires is missing', async (context) => {
      if (!cell) return context.skip();
      const rules = rulesOf(cell.registry, family, true);
      for (const request of [
        'perPage=100',
        'sort=-weight&perPage=50&cursor=',
        'perPage=7&page=3',
      ]) {
        const text = `${request}&includes=depot&fields=no`;
        const expected = await runQuery(reference, text, meant);
        expect(expected.data).toContainEqual(expect.objectContaining({ depot: null }));
        const given = await runQuery(cell.source('parcel'), text, rules);
        expect(given.data).toEqual(expected.data);
      }
    });

    it('is walked past rows that are deleted or changed at the edges', async (context) => {
      if (!cell) return context.skip();
      const { database, registry: described } = cell;
      const source = cell.source('parcel');
      const rules = rulesOf(described, family, true);
      const knex = knexOn(database);
      try {
        for (const sort of inTurn(['note', '-note'], turn)) {
          const all = await runQuery(source, `sort=${sort}&perPage=100`, rules);
          const seen: number[] = [];
          const moved = new Set<number>();
          for (let cursor: string | null = ''; cursor !== null && seen.length < 500;) {
            const request = `sort=${sort}&perPage=3&cursor=${cursor}`;
            const page = (await runQuery(source, request, rules)) as KeysetResult;
            const keys = page.data.map((row) => Number(row['no']));
            seen.push(...keys);
            cursor = page.nextCursor;
            const edge = keys.at(-1) ?? 0;
            moved.add(edge);
            if (edge % 2 === 0) await knex('parcels').where({ no: edge }).delete();
            else
              await knex('parcels')
                .where({ no: edge })
                .update({ note: '~'.repeat(1500) });
          }
          const staying = all.data.map((row) => Number(row['no'])).filter((no) => !moved.has(no));
          const lost = staying.filter((no) => !seen.includes(no));
          expect(lost, `by ${sort}`).toEqual([]);
          expect(seen.length).toBeLessThan(500);
        }
      } finally {
        await knex.destroy();
      }
    });

    it('is walked past rows whose long texts change behind the beginning', async (context) => {
      if (!cell) return context.skip();
      const source = cell.source('parcel');
      // Beginnings in cursors are shorter than the part of a text by which MySQL and MariaDB sort.
      const limits = { maxQueryLength: 4096 };
      const sealedRules = rulesOf(cell.registry, family, true, limits);
      const knex = knexOn(cell.database);
      const write = (no: number, note: string) => knex('parcels').where({ no }).update({ note });
      const shared = 'ü'.repeat(100);
      try {
        const { data } = await runQuery(source, 'sort=no&perPage=8&fields=no', sealedRules);
        const notes = new Map(data.map((row, at) => [numberOf(row), `${shared}${'bcdefghi'[at]}`]));
        await knex('parcels').update({ note: 'short' });
        for (const [no, note] of notes) await write(no, note);
        const all = [...notes.keys()];
        for (const rules of [sealedRules, rulesOf(cell.registry, family, false, limits)]) {
          for (const sort of inTurn(['note', '-note'], turn)) {
            /** All pages in a direction; the note on which a cursor stands moves ahead once, and back. */
            const seenFrom = async (start: string, forwards: boolean) => {
              const seen: number[] = [];
              const moved = new Set<number>();
              let last: KeysetResult | null = null;
              for (let cursor: string | null = start; cursor !== null && seen.length < 500;) {
                const request = `sort=${sort}&perPage=3&fields=no&cursor=${cursor}`;
                const page = (await runQuery(source, request, rules)) as KeysetResult;
                const keys = page.data.map(numberOf);
                seen.push(...keys);
                for (const no of all) await write(no, notes.get(no) ?? '');
                const edge = keys.at(forwards ? -1 : 0) ?? 0;
                const isHigher = (sort === 'note') === forwards;
                if (notes.has(edge) && !moved.has(edge)) {
                  moved.add(edge);
                  await write(edge, shared + (isHigher ? 'z' : 'a'));
                }
                cursor = forwards ? page.nextCursor : page.prevCursor;
                last = page;
              }
              for (const no of all) await write(no, notes.get(no) ?? '');
              expect(seen.length).toBeLessThan(500);
              return { lost: all.filter((no) => !seen.includes(no)), last };
            };
            const forwards = await seenFrom('', true);
            expect(forwards.lost, `by ${sort}`).toEqual([]);
            const lastKeys = new Set(forwards.last?.data.map(numberOf));
            const backwards = await seenFrom(forwards.last?.prevCursor ?? '', false);
            const lost = backwards.lost.filter((no) => !lastKeys.has(no));
            expect(lost, `by ${sort}, backwards`).toEqual([]);
          }
        }
      } finally {
        await knex.destroy();
      }
    });

    it('is walked over members that the schema does not have', async (context) => {
      if (!cell || family === 'sqlite') return context.skip();
      const knex = knexOn(cell.database);
      const added = (members: readonly string[]) =>
        [...members, 'late', "it's"].map((member) => `'${member.replaceAll("'", "''")}'`).join();
      let stored: string[];
      try {
        if (family === 'postgresql') {
          await knex.raw(`alter type parcel_status add value 'late'`);
          await knex.raw(`alter type parcel_status add value 'it''s'`);
        } else {
          const members = added(membersOf(family, 'status'));
          await knex.raw(`alter table parcels modify status enum(${members})`);
        }
        for (const [at, status] of ["'late'", "'it''s'"].entries()) {
          await knex.raw(`update parcels set status = ${status} where no % 9 = ${at + 3}`);
        }
        if (family === 'mysql') {
          await knex.transaction(async (trx) => {
            await trx.raw(`set session sql_mode = ''`);
            await trx.raw(`update parcels set status = 'invalid' where no % 9 = 7`);
          });
        }
        const rows: { status: string }[] = await knex('parcels').distinct('status');
        stored = rows.map(({ status }) => status);
      } finally {
        await knex.destroy();
      }
      const rules = rulesOf(cell.registry, family, true);
      const source = cell.source('parcel');
      for (const sort of inTurn(['status', '-status', '-status,-lane'], turn)) {
        const request = `sort=${sort}&fields=no`;
        const all = await runQuery(source, `${request}&perPage=100`, rules);
        const expected = all.data.map((row) => Number(row['no']));
        const { forwards, backwards } = await walked(source, rules, `${request}&perPage=2`);
        expect(forwards, `by ${sort}`).toEqual(expected);
        expect(backwards, `back by ${sort}`).toEqual(
          expected.slice(0, -(expected.length % 2 || 2)),
        );
      }
      // Prisma's client does not read rows with members that its own schema does not have.
      if (adapter.name === 'prisma, extended') return;
      const { data } = await runQuery(source, 'filter[status][gte]=sent&perPage=100', rules);
      // The tests before may have removed all rows of a member.
      const later = ['sent', 'lost', '1', ...(family === 'mysql' ? [] : ['late', "it's"])];
      expect(new Set(data.map((row) => row['status']))).toEqual(
        new Set(later.filter((status) => stored.includes(status))),
      );
    });

    it('is walked over instants that no request can name', async (context) => {
      const instants = oddInstants[family];
      if (!cell || !instants) return context.skip();
      const rules = rulesOf(cell.registry, family, true);
      const source = cell.source('parcel');
      const knex = knexOn(cell.database);
      try {
        await knex.transaction(async (trx) => {
          // Strict servers store zero dates only for sessions that are not.
          if (family === 'mysql') await trx.raw(`set session sql_mode = ''`);
          for (const [at, instant] of instants.entries()) {
            await trx.raw(`update parcels set at_time = ${instant} where no % 11 = ${at}`);
          }
        });
      } finally {
        await knex.destroy();
      }
      for (const sort of inTurn(['at', '-at'], turn)) {
        const all = await runQuery(source, `sort=${sort}&perPage=100&fields=no`, rules);
        const expected = all.data.map((row) => Number(row['no']));
        const { forwards, backwards } = await walked(
          source,
          rules,
          `sort=${sort}&perPage=4&fields=no`,
        );
        expect(forwards).toEqual(expected);
        expect(backwards).toEqual(expected.slice(0, -(expected.length % 4 || 4)));
      }
    });
  });
});

/** The bytes of an answer and of the pages behind its cursors. */
async function pagesOf(source: QuerySource, rules: CompiledQueryRules, request: string) {
  const pages: string[] = [];
  let cursor: unknown = '';
  for (let at = 0; at < 3 && typeof cursor === 'string'; at += 1) {
    const text = cursor === '' ? request : `${request.replace(/&cursor=$/, '')}&cursor=${cursor}`;
    const answer: { readonly [key: string]: unknown } = {
      ...(await runQuery(source, text, rules)),
    };
    const { nextCursor, prevCursor, ...shown } = answer;
    pages.push(JSON.stringify([shown, nextCursor === null, prevCursor === null]));
    cursor = nextCursor;
  }
  return pages.join('\n');
}
