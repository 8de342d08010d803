/** The kind of every column type of Drizzle, in each of its modes, and the SQL type of columns whose type is written otherwise. */

import * as my from 'drizzle-orm/mysql-core';
import * as pg from 'drizzle-orm/pg-core';
import * as sl from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { describeSource } from '../../src/adapters/drizzle/describe/describe-tables.ts';
import { originOf } from '../../src/adapters/drizzle/describe/registry.ts';
import { drizzleRegistry } from '../../src/adapters/drizzle/index.ts';
import type { SchemaRegistry } from '../../src/index.ts';
import { refusalOf } from '../unit/refusal.ts';

/** The paths of each kind. */
function pathsByKind(registry: SchemaRegistry): object {
  const paths: { [kind: string]: string } = {};
  for (const { kind, path } of registry.get('thing')?.fields ?? [])
    paths[kind] = kind in paths ? `${paths[kind]} ${path}` : path;
  return paths;
}

const custom = { pg: pg.customType, my: my.customType, sl: sl.customType };
const typed = (family: 'pg' | 'my' | 'sl', type: string): never =>
  custom[family]<{ data: string }>({ dataType: () => type })() as never;

it('is known on PostgreSQL', () => {
  const mood = pg.pgEnum('mood', ['sad', 'ok']);
  const level = pg.pgEnum('level', { Low: 'low', High: 'high' });
  const answer = pg.pgSchema('polls').enum('yes-no blob', ['yes', 'no']);
  const thing = pg.pgTable('things', {
    bigint53: pg.bigint({ mode: 'number' }).primaryKey(),
    bigint64: pg.bigint({ mode: 'bigint' }),
    bigserial53: pg.bigserial({ mode: 'number' }),
    bigserial64: pg.bigserial({ mode: 'bigint' }),
    boolean: pg.boolean(),
    char: pg.char(),
    date: pg.date({ mode: 'date' }),
    dateString: pg.date(),
    mood: mood(),
    level: level(),
    levels: level().array(),
    answers: answer().array(),
    double: pg.doublePrecision(),
    integer: pg.integer(),
    json: pg.json(),
    jsonb: pg.jsonb(),
    numeric: pg.numeric(),
    numericBigint: pg.numeric({ mode: 'bigint' }),
    numericNumber: pg.numeric({ mode: 'number' }),
    real: pg.real(),
    serial: pg.serial(),
    smallint: pg.smallint(),
    smallserial: pg.smallserial(),
    text: pg.text(),
    texts: pg.text({ enum: ['a'] }),
    timestamp: pg.timestamp(),
    timestampString: pg.timestamp({ mode: 'string' }),
    uuid: pg.uuid(),
    varchar: pg.varchar(),
    varchars: pg.varchar({ enum: ['a'] }),
    chars: pg.char({ enum: ['a'] }),
    customEnum: typed('pg', 'mood'),
    customBytes: typed('pg', 'bytea'),
    serials: pg.integer().array(),
    cidr: pg.cidr(),
    geometry: pg.geometry(),
    macaddr: pg.macaddr(),
  });
  const registry = drizzleRegistry({ thing });
  expect(pathsByKind(registry)).toEqual({
    bigint: 'bigint53 bigint64 bigserial53 bigserial64',
    boolean: 'boolean',
    string: 'char text varchar',
    date: 'date dateString',
    enum: 'mood level texts varchars chars',
    'enum[]': 'levels answers',
    float: 'double real',
    integer: 'integer serial smallint smallserial',
    'integer[]': 'serials',
    json: 'json jsonb',
    decimal: 'numeric numericBigint numericNumber',
    datetime: 'timestamp timestampString',
    uuid: 'uuid',
    binary: 'customBytes',
    opaque: 'customEnum cidr geometry macaddr',
  });
  const origin = originOf(registry);
  const columns = origin && describeSource(origin, registry).physical.get('thing')?.columns;
  const types = [
    'bigserial53',
    'bigserial64',
    'serial',
    'smallserial',
    'mood',
    'level',
    'levels',
    'answers',
  ];
  expect(types.map((path) => columns?.get(path)?.sqlType)).toEqual([
    'bigint',
    'bigint',
    'integer',
    'smallint',
    '"mood"',
    '"level"',
    '"level"[]',
    '"polls"."yes-no blob"[]',
  ]);
  const members = registry.get('thing')?.fields.flatMap((field) => field.enumValues ?? []);
  expect(members).toEqual(['sad', 'ok', 'low', 'high', 'low', 'high', 'yes', 'no', 'a', 'a', 'a']);
});

it('is known on MySQL', () => {
  const thing = my.mysqlTable('things', {
    bigint53: my.bigint({ mode: 'number' }).primaryKey(),
    bigint64: my.bigint({ mode: 'bigint' }),
    binary: my.binary({ length: 2 }),
    boolean: my.boolean(),
    char: my.char(),
    date: my.date(),
    dateString: my.date({ mode: 'string' }),
    datetime: my.datetime(),
    datetimeString: my.datetime({ mode: 'string' }),
    decimal: my.decimal(),
    decimalBigint: my.decimal({ mode: 'bigint' }),
    decimalNumber: my.decimal({ mode: 'number' }),
    double: my.double(),
    members: my.mysqlEnum(['a', 'b']),
    object: my.mysqlEnum({ A: 'a' }),
    float: my.float(),
    int: my.int(),
    json: my.json(),
    mediumint: my.mediumint(),
    real: my.real(),
    serial: my.serial(),
    smallint: my.smallint(),
    text: my.text(),
    longtext: my.longtext(),
    texts: my.text({ enum: ['a'] }),
    timestamp: my.timestamp(),
    timestampString: my.timestamp({ mode: 'string' }),
    tinyint: my.tinyint(),
    varbinary: my.varbinary({ length: 2 }),
    varchar: my.varchar({ length: 2 }),
    varchars: my.varchar({ length: 2, enum: ['a'] }),
    year: my.year(),
    time: my.time(),
    customEnum: typed('my', `enum('a')`),
    customBytes: typed('my', 'varbinary(3)'),
  });
  expect(pathsByKind(drizzleRegistry({ thing }))).toEqual({
    bigint: 'bigint53 bigint64 serial',
    binary: 'binary varbinary customBytes',
    boolean: 'boolean',
    string: 'char text longtext varchar',
    date: 'date dateString',
    datetime: 'datetime datetimeString timestamp timestampString',
    decimal: 'decimal decimalBigint decimalNumber',
    float: 'double float real',
    enum: 'members object texts varchars',
    integer: 'int mediumint smallint tinyint year',
    json: 'json',
    opaque: 'time customEnum',
  });
});

it('is known on SQLite', () => {
  const thing = sl.sqliteTable('things', {
    integer: sl.integer().primaryKey(),
    boolean: sl.integer({ mode: 'boolean' }),
    seconds: sl.integer({ mode: 'timestamp' }),
    milliseconds: sl.integer({ mode: 'timestamp_ms' }),
    numeric: sl.numeric(),
    numericBigint: sl.numeric({ mode: 'bigint' }),
    numericNumber: sl.numeric({ mode: 'number' }),
    real: sl.real(),
    text: sl.text(),
    texts: sl.text({ enum: ['a'] }),
    json: sl.text({ mode: 'json' }),
    blobJson: sl.blob({ mode: 'json' }),
    blobBuffer: sl.blob({ mode: 'buffer' }),
    blobBigint: sl.blob({ mode: 'bigint' }),
    customInstant: typed('sl', 'datetime'),
    customCode: typed('sl', 'varchar(48)'),
  });
  const registry = drizzleRegistry({ thing });
  expect(pathsByKind(registry)).toEqual({
    integer: 'integer',
    boolean: 'boolean',
    datetime: 'seconds milliseconds',
    decimal: 'numeric numericBigint numericNumber',
    float: 'real',
    string: 'text customCode',
    enum: 'texts',
    json: 'json blobJson',
    binary: 'blobBuffer',
    opaque: 'blobBigint customInstant',
  });
});

it.each(['integer', 'bigint', 'opaque'] as const)(
  'an instant of SQLite may be of kind %s',
  (kind) => {
    const thing = sl.sqliteTable('things', {
      id: sl.integer().primaryKey(),
      at: sl.integer({ mode: 'timestamp' }),
    });
    const registry = drizzleRegistry({ thing }, [], { thing: { at: { kind } } });
    expect(pathsByKind(registry)).toEqual(
      kind === 'integer' ? { integer: 'id at' } : { integer: 'id', [kind]: 'at' },
    );
    const other = () => drizzleRegistry({ thing }, [], { thing: { at: { kind: 'uuid' } } });
    expect(refusalOf(other).message).toMatch(/^thing\.at: a column of type integer does not hold/);
  },
);

it.each([
  ['postgresql', pg.pgView('few', { id: pg.integer(), name: pg.text() }).existing()],
  ['postgresql', pg.pgMaterializedView('few', { id: pg.integer(), name: pg.text() }).existing()],
  ['mysql', my.mysqlView('few', { id: my.int(), name: my.text() }).existing()],
  ['sqlite', sl.sqliteView('few', { id: sl.integer(), name: sl.text() }).existing()],
] as const)('a view of %s has the kinds of its columns', (family, few) => {
  const registry = drizzleRegistry({ thing: few }, [], { thing: { id: { primaryKey: true } } });
  expect(registry.families).toEqual([family]);
  expect(pathsByKind(registry)).toEqual({ integer: 'id', string: 'name' });
});
