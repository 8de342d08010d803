/** Declared relations and keys: the second column of a key, rows that may be absent, join tables, and what is refused. */

import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SqlTables, sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

const place = { land: 'text', no: 'int', name: 'text' } as const;
const base = {
  shop: { table: 'shops', primaryKey: ['land', 'no'], columns: place },
  sale: {
    table: 'sales',
    primaryKey: 'id',
    columns: {
      id: 'int',
      land: 'text',
      no: { type: 'int', column: 'shop_no' },
      other: { type: 'int', nullable: true },
      shopName: { type: 'text', column: 'shop_name' },
    },
  },
} as const;

/** The tables with the relations of a sale, and more of its options. */
const withSale = (relations: object, more: object = {}, shop: object = {}) =>
  ({ shop: { ...base.shop, ...shop }, sale: { ...base.sale, ...more, relations } }) as SqlTables;
const message = (tables: SqlTables, source = false): string => {
  try {
    const registry = sqlRegistry(tables);
    if (source) sqlSource({ connection: new Sqlite(':memory:'), registry, tables, model: 'sale' });
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing is refused';
};

it.each([
  [{ from: ['land', 'no'] }, false],
  [{ from: ['land', 'other'] }, true],
  [{ from: ['other', 'no'] }, true],
  [{ from: ['no', 'land'], to: ['no', 'land'] }, false],
  [{ from: ['land', 'other'], nullable: false }, false],
  [{ from: ['land', 'no'], nullable: true }, true],
  [{ from: 'no', to: 'no' }, true],
  [{ from: ['land', 'shopName'], to: ['land', 'name'] }, true],
])('a row of %j may be absent: %s', (relation, nullable) => {
  const registry = sqlRegistry(withSale({ shop: { one: 'shop', ...relation } }));
  expect(registry.get('sale')?.relations).toEqual([
    { path: 'shop', target: 'shop', cardinality: 'one', nullable },
  ]);
});

it.each([
  [{ one: 'shops', from: 'no' }, 'sale.x: no table has model "shops"'],
  [{ one: 'toString', from: 'no' }, 'sale.x: no table has model "toString"'],
  [{ one: 'shop', from: 'valueOf', to: 'no' }, 'sale.x: sale has no column "valueOf"'],
  [{ one: 'shop', from: ['land', 'num'] }, 'sale.x: sale has no column "num"'],
  [{ one: 'shop', from: ['land', 'no'], to: ['land', 'id'] }, 'sale.x: shop has no column "id"'],
  [{ one: 'shop', from: 'no' }, 'sale.x: it joins 1 columns with 2; pair them.'],
  [
    { many: 'shop', through: { table: 't', from: 'a', to: 'b' } },
    'sale.x: it joins 1 columns with 2; pair them.',
  ],
  [
    { many: 'shop', through: { table: 't', from: ['a', 'c'], to: ['b', 'd'] } },
    'sale.x: it joins 1 columns with 2; pair them.',
  ],
  [{ many: 'shop' }, 'sale.x: "to" must name the paths of shop that refer to sale.'],
  [{ one: 'shop', many: 'sale', from: 'no' }, 'sale.x: the relation names both "one" and "many".'],
  [{ many: 'shop', through: { from: 'a', to: 'b' } }, 'through.table'],
  [{ many: 'shop', through: { table: 't', schema: 1, from: 'a', to: 'b' } }, 'through.schema'],
  [{ many: 'shop', through: { table: 't', to: 'b' } }, 'through.from'],
  [{ many: 'shop', through: { table: 't', from: 'a' } }, 'through.to'],
  [{ one: 'shop', from: ['land', 'no'], foreignKey: 'yes' }, 'foreignKey'],
])('a relation %j is refused', (relation, reason) => {
  const said = message(withSale({ good: { one: 'sale', from: 'id' }, x: relation }));
  expect(said).toContain(reason);
});

it.each([
  [
    { primaryKey: ['id', 'key'] },
    'sale: "primaryKey" names "key", which "columns" does not declare',
  ],
  [{ table: '' }, '"table" must be'],
  [{ schema: '' }, '"schema" must be'],
  [{ uniqueKeys: 'land' }, '"uniqueKeys" must be'],
  [
    { columns: { id: 'intger' } },
    'sale.id: the type "intger" is not known; did you mean "integer"?',
  ],
  [
    { columns: { id: 'int', at: 'VARCHR(3)' } },
    'sale.at: the type "VARCHR(3)" is not known; did you mean "varchar"?',
  ],
  [{ columns: { id: 'int', at: { type: 'int', foldedField: 3 } } }, 'a string or false'],
  [{ columns: { id: 'int', at: { type: 'int', portableOrderField: true } } }, 'a string or false'],
  [{ columns: { id: 'int', at: { type: 'int', kind: 'number' } } }, 'columns.at.kind'],
  [{ columns: { id: 'int', at: { type: 'int', enumValues: 'a' } } }, 'columns.at.enumValues'],
  [{ columns: { id: 'int', at: { type: 'int', internal: 1 } } }, 'columns.at.internal'],
  [{ columns: { id: 'int', at: { type: 'int', storage: 'epoch' } } }, 'columns.at.storage'],
])('a table with %j is refused', (more, reason) => {
  expect(message(withSale({}, more))).toContain(reason);
});

it('an enum type may have a name that is near to a known type', () => {
  const tier = { type: 'dates', enumValues: ['first', 'second'] };
  expect(message(withSale({}, { columns: { id: 'int', tier } }))).toBe('nothing is refused');
  const said = message(withSale({}, { columns: { id: 'int', tier: 'dates' } }));
  expect(said).toContain('the type "dates" is not known; did you mean "date"?');
});

it('a unique key names declared columns, in the second place too', () => {
  const shop = { one: 'shop', from: ['land', 'shopName'], to: ['land', 'name'] };
  const said = (uniqueKeys: unknown) => message(withSale({ shop }, {}, { uniqueKeys }), true);
  expect(said([['land', 'name']])).toBe('nothing is refused');
  for (const keys of [['nope'], ['name', ['land', 'nope']]]) {
    expect(said(keys)).toContain(
      'shop.nope: a unique key names it, but the table has no such column; correct it.',
    );
  }
});

it('tables are an object with a table', () => {
  for (const tables of [{}, [], null, undefined, 'users']) {
    expect(() => sqlTables(tables as never)).toThrow('The tables must be an object of tables');
    expect(() => sqlRegistry(tables as never)).toThrow('The tables must be an object of tables');
  }
  expect(
    message(withSale({}, { columns: { id: 'int', mine: { type: 'intger', kind: 'opaque' } } })),
  ).toBe('nothing is refused');
  expect(message(withSale({}, { columns: { id: 'int', mine: 'geography' } }))).toBe(
    'nothing is refused',
  );
});

describe('lists', () => {
  const connection = new Sqlite(':memory:');
  beforeAll(() => {
    connection.exec(`create table shops (land text not null, no int not null, name text not null);
      create table sales (id int, land text, shop_no int, other int, shop_name text);
      create table shop_sales (shop_land text, shop_no int, sale int);
      attach ':memory:' as side;
      create table side.shop_sales (shop_land text, shop_no int, sale int);
      insert into shops values ('SE', 1, 'a'), ('SE', 2, 'b'), ('DE', 1, 'c');
      insert into sales values (1, 'SE', 2, 1, 'a'), (2, 'DE', 1, null, 'b');
      insert into shop_sales values ('SE', 1, 1), ('DE', 1, 1), ('SE', 2, 2);
      insert into side.shop_sales values ('DE', 1, 2);`);
  });
  afterAll(() => connection.close());

  it('follow each column of a key, and the schema of a join table', async () => {
    const through = { table: 'shop_sales', from: 'sale', to: ['shop_land', 'shop_no'] };
    const tables = withSale({
      shop: { one: 'shop', from: ['land', 'no'] },
      swapped: { one: 'shop', from: ['no', 'land'], to: ['no', 'land'] },
      beside: { one: 'shop', from: ['land', 'other'] },
      named: { one: 'shop', from: 'shopName', to: 'name' },
      shops: { many: 'shop', through },
      sided: { many: 'shop', through: { ...through, schema: 'side' } },
      same: { many: 'shop', from: ['land', 'other'], to: ['land', 'no'] },
    });
    const registry = sqlRegistry(tables);
    const paths = ['shop', 'swapped', 'beside', 'named', 'shops', 'sided', 'same'];
    const name = { allowed: ['name'], default: ['name'] };
    const rules = defineQueryRules(registry, 'sale', {
      sorts: ['id'],
      includes: paths,
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: Object.fromEntries(paths.map((path) => [path, name])),
      },
    });
    const source = sqlSource({ connection, registry, tables, model: 'sale' });
    const { data } = await runQuery(source, `sort=id&includes=${paths.join()}`, rules);
    const [a, b, c] = ['a', 'b', 'c'].map((each) => ({ name: each }));
    const near = { beside: a, named: a, shops: [c, a], sided: [], same: [a] };
    expect(data).toEqual([
      { id: 1, shop: b, swapped: b, ...near },
      { id: 2, shop: c, swapped: c, beside: null, named: b, shops: [b], sided: [c], same: [] },
    ]);
  });
});
