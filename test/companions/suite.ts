/** Tests of the companion migration for every family; the file of a family provides its DDL. */

import knexFactory from 'knex';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldText, portableOrderKey } from '../../src/schema/index.ts';
import type { FieldDescriptor, QuerySchema } from '../../src/schema/index.ts';
import { printCompanions, runCompanions } from '../../src/relational/companions/index.ts';
import type { CompanionModel, CompanionProgress } from '../../src/relational/companions/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import type { ScratchDatabase } from '../services/index.ts';

/** The parts of these tests that differ between families. */
export interface FamilyCase {
  readonly family: 'postgresql' | 'mysql' | 'sqlite';
  readonly knexConfig: (url: string) => Knex.Config;
  /** Columns of table `items`: `id` (primary key), `name` text, `kind` text, `price` decimal. */
  readonly itemColumns: string;
  /** Columns of table `members`: `tenant`, `id`, `code` (primary key), `ref` uuid, `name` text; a collation unlike code points. */
  readonly memberColumns: string;
  /** SQL literal of `code`. */
  readonly codeLiteral: (hex: string) => string;
  /** Columns `a b` (text key), `select`, `na"me` and `` `tick` ``, all text. */
  readonly quote: (name: string) => string;
  readonly text: string;
  /** Collation and type of the column, from the catalogue. */
  readonly columnType: (knex: Knex, table: string, column: string) => Promise<string>;
  readonly expectedTypes: { readonly folded: string; readonly order: string };
  readonly indexNames: (knex: Knex, table: string) => Promise<readonly string[]>;
  /** Runs `run`, and the writes of another connection between its first read and its first update. */
  readonly writeBetween: (
    knex: Knex,
    url: string,
    statements: readonly string[],
    run: () => Promise<unknown>,
  ) => Promise<void>;
}

const kinds = ['draft', 'Zulu', 'active', 'ärger'];

const itemFields: readonly FieldDescriptor[] = [
  { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
  {
    path: 'name',
    kind: 'string',
    nullable: true,
    primaryKey: false,
    foldedField: 'name_folded',
  },
  {
    path: 'kind',
    kind: 'enum',
    enumValues: kinds,
    nullable: true,
    primaryKey: false,
    foldedField: 'kind_folded',
    portableOrderField: 'kind_order',
  },
  {
    path: 'price',
    kind: 'decimal',
    nullable: true,
    primaryKey: false,
    portableOrderField: 'price_order',
  },
  ...['name_folded', 'kind_folded', 'kind_order', 'price_order'].map(internal),
];

function internal(path: string): FieldDescriptor {
  return { path, kind: 'string', nullable: true, primaryKey: false, internal: true };
}

const item: QuerySchema = { model: 'item', primaryKey: ['id'], fields: itemFields, relations: [] };
const items: readonly CompanionModel[] = [{ schema: item, table: 'items' }];

const samples = [
  'ÄBC',
  'abc ',
  'Straße',
  'İstanbul',
  '東京',
  '\u{1f600} Ünï',
  '\u{10400}',
  "O'Hara \\ %_",
  'J\u030c',
];

/** Text, enum member and price of a row; every tenth text and every seventh member is null. */
function itemRow(id: number): {
  id: number;
  name: string | null;
  kind: string | null;
  price: string;
} {
  return {
    id,
    name: id % 10 === 0 ? null : `${samples[id % samples.length] ?? ''} ${id}`,
    kind: id % 7 === 0 ? null : (kinds[id % kinds.length] ?? null),
    price: `${id % 2 === 0 ? '-' : ''}${id}.${id % 4}5`,
  };
}

async function load(knex: Knex, table: string, rows: readonly object[]): Promise<void> {
  await knex.batchInsert(table, [...rows], 500);
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

/** Runs the suite on one family. */
export async function companionSuite(test: FamilyCase): Promise<void> {
  const { family, quote } = test;
  const found = await scratchDatabase(family, 'companions');
  if ('missing' in found && everyServiceRequired()) throw new Error(found.advice);

  describe.skipIf('missing' in found)(`companion columns on ${family}`, () => {
    const database = found as ScratchDatabase;
    let knex: Knex;
    const statements: string[] = [];
    const sent = (verb: string) => statements.filter((sql) => new RegExp(verb).test(sql)).length;
    const updates = () => sent('^(?:WITH v|UPDATE)');

    beforeAll(() => {
      knex = knexFactory(test.knexConfig(database.url));
      knex.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    });
    afterAll(async () => {
      await knex.destroy();
      await database.drop();
    });

    async function itemTable(rows: number): Promise<void> {
      await knex.raw('DROP TABLE IF EXISTS items');
      await knex.raw(`CREATE TABLE items (${test.itemColumns})`);
      await load(knex, 'items', range(1, rows).map(itemRow));
    }

    async function expectItems(): Promise<void> {
      const wrong: unknown[] = [];
      const rows: Record<string, string | null>[] = await knex('items').select('*');
      for (const row of rows) {
        const expected = [
          row['name'] === null ? null : foldText(row['name'] ?? ''),
          row['kind'] === null ? null : foldText(row['kind'] ?? ''),
          row['kind'] === null
            ? null
            : portableOrderKey(itemFields[2] as FieldDescriptor, row['kind'] ?? ''),
          row['price'] === null
            ? null
            : portableOrderKey(itemFields[3] as FieldDescriptor, row['price'] ?? ''),
        ];
        const stored = [
          row['name_folded'],
          row['kind_folded'],
          row['kind_order'],
          row['price_order'],
        ];
        if (expected.some((value, i) => value !== stored[i])) wrong.push({ row, expected });
      }
      expect(wrong).toEqual([]);
    }

    it('adds the columns, fills 25,000 rows in batches, and does nothing in a second run', async () => {
      await itemTable(25_000);
      statements.length = 0;
      const seen: CompanionProgress[] = [];
      const onProgress = (progress: CompanionProgress) => seen.push(progress);
      const [report] = await runCompanions(knex, items, { onProgress });
      expect(report).toMatchObject({
        model: 'item',
        table: 'items',
        added: ['name_folded', 'kind_folded', 'kind_order', 'price_order'],
        updated: 25_000,
        refused: [],
        unsettled: 0,
      });
      await expectItems();
      expect(updates()).toBe(25);
      expect(sent('^SELECT t\\.|^SELECT CAST')).toBe(26);
      expect(seen.map(({ scanned }) => scanned)).toEqual(range(1, 25).map((i) => i * 1000));
      expect(seen.at(-1)).toEqual({
        model: 'item',
        table: 'items',
        scanned: 25_000,
        updated: 25_000,
        total: 25_000,
      });

      statements.length = 0;
      const [again] = await runCompanions(knex, items);
      expect(again).toMatchObject({ added: [], updated: 0, indexed: [] });
      expect(updates()).toBe(0);
      expect(statements).toHaveLength(2);
    }, 60_000);

    it('gives the columns the type and collation of the database profile', async () => {
      await itemTable(1);
      await runCompanions(knex, items);
      expect(await test.columnType(knex, 'items', 'name_folded')).toBe(test.expectedTypes.folded);
      expect(await test.columnType(knex, 'items', 'kind_order')).toBe(test.expectedTypes.order);
    });

    it('continues after an interruption', async () => {
      await itemTable(5000);
      const stop = new AbortController();
      const onProgress = ({ scanned }: CompanionProgress) => {
        if (scanned === 1500) stop.abort(new Error('enough'));
      };
      const halfway = runCompanions(knex, items, { batch: 500, onProgress, signal: stop.signal });
      await expect(halfway).rejects.toThrow('enough');
      const [left] = await knex('items').whereNull('price_order').count({ n: '*' });
      expect(Number(left?.['n'])).toBe(3500);
      const [report] = await runCompanions(knex, items, { batch: 500 });
      expect(report).toMatchObject({ added: [], updated: 3500 });
      await expectItems();
    }, 30_000);

    it('corrects companions only with recheck, and clears those of a null source', async () => {
      await itemTable(30);
      await runCompanions(knex, items);
      await knex('items').where({ id: 3 }).update({ name_folded: 'stale' });
      await knex('items').where({ id: 10 }).update({ name_folded: 'of nothing' });
      await knex('items').where({ id: 5 }).update({ kind_order: 'x', kind_folded: null });
      // Behind a batch that is right.
      await knex('items').where({ id: 25 }).update({ name_folded: 'stale' });
      expect(await runCompanions(knex, items)).toMatchObject([{ updated: 1 }]);
      expect(await runCompanions(knex, items, { recheck: true, batch: 7 })).toMatchObject([
        { updated: 3 },
      ]);
      await expectItems();
      expect(await runCompanions(knex, items, { recheck: true })).toMatchObject([{ updated: 0 }]);
    });

    it('fills folded text again that holds a letter which folding replaces', async () => {
      await itemTable(30);
      await knex('items').where({ id: 3 }).update({ name: 'ΟΔΥΣΣΕΥΣ' });
      await runCompanions(knex, items);
      await knex('items').where({ id: 3 }).update({ name_folded: 'οδυσσευς' });
      expect(await runCompanions(knex, items)).toMatchObject([{ updated: 1 }]);
      expect(await knex('items').where({ id: 3 }).first('name_folded')).toEqual({
        name_folded: foldText('ΟΔΥΣ') + foldText('ΣΕΥΣ'),
      });
      expect(await runCompanions(knex, items)).toMatchObject([{ updated: 0 }]);
    });

    it('never overwrites concurrent writes, and fills the rows that these leave without companions', async () => {
      await itemTable(300);
      await runCompanions(knex, items);
      await knex('items').update({ name_folded: null });
      const writes = [
        `UPDATE items SET name = 'NEU ', name_folded = 'neu ' WHERE id = 41`,
        `UPDATE items SET name = 'ÄBC 41' WHERE id = 42`,
        `UPDATE items SET name = NULL WHERE id = 43`,
        `UPDATE items SET name = 'abc  1' WHERE id = 1`,
        `DELETE FROM items WHERE id = 44`,
      ];
      let report: unknown;
      await test.writeBetween(knex, database.url, writes, async () => {
        report = await runCompanions(knex, items);
      });
      expect(report).toMatchObject([{ unsettled: 0 }]);
      expect(await knex('items').where({ id: 44 })).toEqual([]);
      const [filled] = await knex('items').where({ id: 41 });
      expect(filled).toMatchObject({ name: 'NEU ', name_folded: 'neu ' });
      await expectItems();
    }, 30_000);

    it('skips invalid values and reports the keys of their rows', async () => {
      await itemTable(20);
      await knex('items').whereIn('id', [2, 4]).update({ kind: 'unknown' });
      const [report] = await runCompanions(knex, items, { batch: 6 });
      expect(report?.refused).toEqual([{ path: 'kind', rows: 2, keys: [['2'], ['4']] }]);
      const [row] = await knex('items').where({ id: 2 });
      expect(row).toMatchObject({ kind_folded: 'unknown', kind_order: null });
      expect(await runCompanions(knex, items)).toMatchObject([
        { updated: 0, refused: [{ rows: 2 }] },
      ]);
      // A companion of such a value, which the host may have written, is kept.
      await knex('items').where({ id: 4 }).update({ kind_order: 'own', name_folded: 'wrong' });
      await runCompanions(knex, items, { recheck: true });
      const [kept] = await knex('items').where({ id: 4 });
      expect(kept).toMatchObject({ kind: 'unknown', kind_order: 'own' });
      expect(kept).not.toMatchObject({ name_folded: 'wrong' });
    });

    it('creates an index for each companion with index, once', async () => {
      await itemTable(50);
      const [report] = await runCompanions(knex, items, { index: true });
      const names = ['kind_folded', 'kind_order', 'name_folded', 'price_order'].map(
        (c) => `items_${c}_idx`,
      );
      expect([...(report?.indexed ?? [])].sort()).toEqual(names);
      expect(await test.indexNames(knex, 'items')).toEqual(expect.arrayContaining(names));
      expect(await runCompanions(knex, items, { index: true })).toMatchObject([{ indexed: [] }]);
    });

    it('fills a table with a composite key of text, large integers and bytes', async () => {
      await knex.raw(`CREATE TABLE members (${test.memberColumns})`);
      const ref = (i: number) => `A0EEBC99-9C0B-4EF8-BB6D-${String(i).padStart(12, '0')}`;
      const rows = ['a', 'É', 'b b', 'Z'].flatMap((tenant, t) =>
        range(0, 60).map((i) => {
          const code = test.codeLiteral(`00${(i % 3).toString(16).padStart(2, '0')}`);
          const id = 9007199254740993n + BigInt(Math.trunc(i / 3));
          return `('${tenant}', ${id}, ${code}, '${ref(t * 60 + i)}', 'N ${i}')`;
        }),
      );
      await knex.raw(`INSERT INTO members (tenant, id, code, ref, name) VALUES ${rows.join(', ')}`);
      const member: QuerySchema = {
        model: 'member',
        primaryKey: ['tenant', 'id', 'code'],
        fields: [
          { path: 'tenant', kind: 'string', nullable: false, primaryKey: true },
          {
            path: 'id',
            kind: 'bigint',
            nullable: false,
            primaryKey: true,
            portableOrderField: 'id_order',
          },
          { path: 'code', kind: 'binary', nullable: false, primaryKey: true },
          {
            path: 'ref',
            kind: 'uuid',
            nullable: false,
            primaryKey: false,
            portableOrderField: 'ref_order',
          },
          {
            path: 'name',
            kind: 'string',
            nullable: false,
            primaryKey: false,
            foldedField: 'name_folded',
          },
          ...['id_order', 'ref_order', 'name_folded'].map(internal),
        ],
        relations: [],
      };
      statements.length = 0;
      const [report] = await runCompanions(knex, [{ schema: member, table: 'members' }], {
        batch: 7,
      });
      expect(report).toMatchObject({ updated: 240, refused: [], unsettled: 0 });
      expect(updates()).toBe(Math.ceil(240 / 7));
      const filled: Record<string, string>[] = await knex('members').select(
        'ref',
        'ref_order',
        'id_order',
        'name',
        'name_folded',
      );
      expect(filled).toHaveLength(240);
      for (const row of filled) {
        expect(row['ref_order']).toBe(row['ref']?.toLowerCase());
        expect(row['name_folded']).toBe(row['name']?.toLowerCase());
      }
      const keys = new Set(filled.map((row) => row['id_order']));
      expect([...keys].sort()).toEqual(
        range(0, 20).map((i) => `0${2n ** 63n + 9007199254740993n + BigInt(i)}`),
      );
    });

    it('quotes any name: reserved words, spaces, quotation marks of every family', async () => {
      const table = `or"d\`e'r; --`;
      const names = {
        key: 'a b',
        one: 'select',
        two: `na"me`,
        three: '`tick`',
        folded: `Fo"l'd\`ed :x`,
      };
      await knex.raw(
        `CREATE TABLE ${quote(table)} (${quote(names.key)} ${test.text} PRIMARY KEY, ${quote(names.one)} ${test.text}, ${quote(names.two)} ${test.text}, ${quote(names.three)} ${test.text})`,
      );
      await knex.raw(
        `INSERT INTO ${quote(table)} VALUES ('K', 'ONE', 'TWO', 'THREE'), ('L', NULL, 'Zwei', '')`,
      );
      const plain = (path: string, foldedField: string): FieldDescriptor => {
        return { path, kind: 'string', nullable: true, primaryKey: false, foldedField };
      };
      const schema: QuerySchema = {
        model: 'order',
        primaryKey: ['key'],
        fields: [
          { path: 'key', kind: 'string', nullable: false, primaryKey: true },
          plain('one', 'one_folded'),
          plain('two', 'two_folded'),
          plain('three', 'three_folded'),
          ...['one_folded', 'two_folded', 'three_folded'].map(internal),
        ],
        relations: [],
      };
      const columns = {
        ...names,
        one_folded: names.folded,
        two_folded: 'group',
        three_folded: '$1',
      };
      const models = [{ schema, table, columns }];
      const [report] = await runCompanions(knex, models, { index: true, batch: 1 });
      expect(report).toMatchObject({ updated: 2, added: [names.folded, 'group', '$1'] });
      expect(report?.indexed).toHaveLength(3);
      const answer = await knex.select('*').from(knex.raw(quote(table)));
      expect(answer).toMatchObject([
        { 'a b': 'K', [names.folded]: 'one', group: 'two', $1: 'three' },
        { 'a b': 'L', [names.folded]: null, group: 'zwei', $1: '' },
      ]);
      expect(await runCompanions(knex, models, { index: true })).toMatchObject([
        { updated: 0, indexed: [] },
      ]);
    });

    it('prints the migration and changes nothing', async () => {
      await itemTable(3);
      const before = await knex('items').select('*');
      const text = await printCompanions(knex, items, { index: true, batch: 250 });
      expect(text).toContain('ALTER TABLE');
      expect(text.match(/CREATE INDEX/g)).toHaveLength(4);
      expect(text).toContain('batches of 250 rows');
      expect(await knex('items').select('*')).toEqual(before);
      await runCompanions(knex, items, { index: true });
      const after = await printCompanions(knex, items, { index: true });
      expect(after).not.toMatch(/ALTER TABLE|CREATE INDEX/);
    });

    it('refuses a table or column that does not exist, and a companion column that is not text', async () => {
      await itemTable(1);
      await expect(runCompanions(knex, [{ schema: item }])).rejects.toThrow(
        'the table "item" does not exist',
      );
      const wrongColumn = [{ schema: item, table: 'items', columns: { name: 'title' } }];
      await expect(runCompanions(knex, wrongColumn)).rejects.toThrow('has no column "title"');
      const notText = [{ schema: item, table: 'items', columns: { name_folded: 'id2' } }];
      await knex.raw('ALTER TABLE items ADD COLUMN id2 integer');
      await expect(runCompanions(knex, notText)).rejects.toThrow('is not text');
    });
  });
}
