/** The properties that decorators and `EntitySchema`s declare: which of them are fields, of which kind, and what is refused. */

import {
  Column,
  CreateDateColumn,
  DataSource,
  Entity,
  EntitySchema,
  JoinColumn,
  ManyToOne,
  OneToOne,
  PrimaryColumn,
  VirtualColumn,
} from 'typeorm';
import type { Relation } from 'typeorm';
import { expect, it } from 'vitest';
import {
  QueryField,
  QueryHidden,
  QueryModel,
  typeormRegistry,
  typeormSource,
} from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { Book, Sound, entities } from './library.ts';

/** An enum of numbers as the compiler emits it. */
const Level = { Low: 0, High: 1, 0: 'Low', 1: 'High' } as const;

const fieldsOf = (entity: Parameters<typeof typeormRegistry>[0][number & keyof object]) =>
  Object.fromEntries(
    [...typeormRegistry([entity as never]).values()][0]?.fields.map(({ path, ...field }) => [
      path,
      field,
    ]) ?? [],
  );

@Entity('parts')
class Part {
  @PrimaryColumn('int') id!: number;
  @Column({ type: 'int', default: null }) weight!: number | null;
  @Column({ type: 'int', default: 3 }) size!: number;
  @Column({ type: 'simple-enum', enum: Level }) level!: 0 | 1;
  @QueryField({ enumValues: ['b', 'a'], kind: 'enum' })
  @Column({ type: 'varchar', default: null })
  grade!: string | null;
  @VirtualColumn({ type: 'int', query: (alias) => `select 2 * ${alias}.id` }) twice!: number;
  @Column({ name: 'label' }) name!: string;
  @Column({ name: 'name_folded' }) other!: string;
  @QueryHidden() @QueryField({ kind: 'bigint' }) @Column('int') price!: number;
  @QueryField({ internal: false }) @Column({ select: false }) code!: string;
}

it('are columns of the table alone, nullable by their default too', () => {
  const fields = fieldsOf(Part as never);
  expect(Object.keys(fields)).toEqual([
    'id',
    'weight',
    'size',
    'level',
    'grade',
    'name',
    'other',
    'price',
    'code',
  ]);
  expect(fields).toMatchObject({
    weight: { nullable: true },
    size: { nullable: false },
    level: { kind: 'enum', enumValues: ['0', '1'] },
    grade: { kind: 'enum', nullable: true, enumValues: ['b', 'a'] },
    name: { foldedField: 'other' },
    other: { internal: true },
    price: { kind: 'bigint', internal: true },
  });
  expect(fields['code']).not.toHaveProperty('internal');
});

it('are read from a table that has more than the registry says', async () => {
  const dataSource = await new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [Part],
    synchronize: true,
  }).initialize();
  await dataSource.query(
    `insert into parts (id, size, level, grade, label, name_folded, price, code) values (1, 2, 1, 'b', 'A', 'a', 5, 'x')`,
  );
  for (const hydrate of [false, true]) {
    const source = typeormSource(dataSource, Part, { hydrate });
    const rules = defineQueryRules(source.registry as ReturnType<typeof typeormRegistry>, 'part', {
      filters: [{ path: 'name', operators: ['ilike'] }],
      fields: {
        root: {
          allowed: ['id', 'weight', 'name', 'code'],
          default: ['id', 'weight', 'name', 'code'],
        },
      },
    });
    const { data } = await runQuery(source as never, 'filter[name][ilike]=A', rules);
    expect(JSON.parse(JSON.stringify(data))).toEqual([
      { id: 1, weight: null, name: 'A', code: 'x' },
    ]);
  }
  await dataSource.destroy();
});

it('have the kinds of their modes in EntitySchemas', () => {
  const Log = new EntitySchema<object>({
    name: 'Log',
    columns: {
      id: { type: 'int', primary: true },
      made: { createDate: true },
      changed: { updateDate: true },
      gone: { deleteDate: true },
      version: { version: true },
      own: { type: 'date', createDate: true },
      sum: { type: 'int', virtualProperty: true, query: () => 'select 1' },
      absent: undefined,
    } as never,
  });
  expect(
    Object.entries(fieldsOf(Log as never)).map(([path, { kind, nullable }]) => [
      path,
      kind,
      nullable,
    ]),
  ).toEqual([
    ['id', 'integer', false],
    ['made', 'datetime', false],
    ['changed', 'datetime', false],
    ['gone', 'datetime', true],
    ['version', 'integer', false],
    ['own', 'date', false],
  ]);
});

it('need a type', () => {
  const of = (columns: object) =>
    new EntitySchema<object>({ name: 'Note', columns: columns as never });
  const key = { id: { type: 'int', primary: true } };
  expect(() => typeormRegistry([of({ ...key, text: {} })])).toThrow(
    'Note.text: the column has no type; give it one with @QueryField({ kind: ... }), or keep it out with @QueryHidden().',
  );
  class Hidden {
    id!: number;
    text!: string;
  }
  QueryHidden()(Hidden.prototype, 'text');
  const hidden = new EntitySchema<Hidden>({
    name: 'Hidden',
    target: Hidden,
    columns: { ...key, text: {} } as never,
  });
  expect(Object.keys(fieldsOf(hidden as never))).toEqual(['id']);
});

it('are opaque as lists behind a transformer', () => {
  @Entity()
  class Listed {
    @PrimaryColumn('int') id!: number;
    @Column('text', {
      array: true,
      transformer: { to: (it: unknown) => it, from: (it: unknown) => it },
    })
    words!: string[];
    @Column('text', { array: true }) names!: string[];
  }
  expect(fieldsOf(Listed as never)).toMatchObject({
    words: { kind: 'opaque' },
    names: { kind: 'string[]' },
  });
});

it('of types that TypeORM alone spells so have their kinds', () => {
  const types = {
    'varying character': 'string',
    'national varchar': 'string',
    'native character': 'string',
    'national char': 'string',
    int64: 'bigint',
    dec: 'decimal',
    fixed: 'decimal',
    'simple-json': 'json',
    'simple-array': 'json',
  };
  const typed = new EntitySchema<object>({
    name: 'Typed',
    columns: {
      id: { type: Number, primary: true },
      bytes: { type: Uint8Array },
      buffer: { type: Buffer },
      flag: { type: Boolean },
      at: { type: Date },
      ...Object.fromEntries(
        Object.keys(types).map((type) => [type.replaceAll(/\W/g, '_'), { type }]),
      ),
    } as never,
  });
  const kinds = Object.entries(fieldsOf(typed as never)).map(([path, { kind }]) => [path, kind]);
  expect(Object.fromEntries(kinds)).toEqual({
    id: 'integer',
    bytes: 'binary',
    buffer: 'binary',
    flag: 'boolean',
    at: 'datetime',
    ...Object.fromEntries(
      Object.entries(types).map(([type, kind]) => [type.replaceAll(/\W/g, '_'), kind]),
    ),
  });
  @Entity()
  class Switch {
    @PrimaryColumn('int') id!: number;
    @Column('tinyint') on!: boolean;
    @Column('varchar') off!: boolean;
  }
  expect(fieldsOf(Switch as never)).toMatchObject({
    on: { kind: 'boolean' },
    off: { kind: 'string' },
  });
});

it('are absent in relations where a row may be', () => {
  @Entity()
  class Place {
    @PrimaryColumn('int') id!: number;
    @OneToOne(() => Guide, (guide) => guide.place, { nullable: false })
    guide!: Relation<Guide>;
  }
  @Entity()
  class Guide {
    @PrimaryColumn('int') id!: number;
    @OneToOne(() => Place, (place) => place.guide, { nullable: false })
    @JoinColumn()
    place!: Relation<Place>;
    @ManyToOne(() => Place) other!: Relation<Place> | null;
    @ManyToOne('Place', { nullable: false }) named!: Relation<Place>;
    @ManyToOne(placeOf, { nullable: false }) returned!: Relation<Place>;
    @ManyToOne(() => Sound, { nullable: false }) sound!: Relation<Sound>;
    @ManyToOne(() => Book, { nullable: false }) book!: Relation<Book>;
  }
  function placeOf() {
    return Place;
  }
  const registry = typeormRegistry([Place, Guide, ...entities]);
  const nullable = (model: string) =>
    registry.get(model)?.relations.map((each) => [each.path, each.target, each.nullable]);
  expect(nullable('place')).toEqual([['guide', 'guide', true]]);
  expect(nullable('guide')).toEqual([
    ['place', 'place', false],
    ['other', 'place', true],
    ['named', 'place', false],
    ['returned', 'place', false],
    ['sound', 'sound', true],
    ['book', 'book', true],
  ]);
});

it('keep the columns of a key apart from properties of embedded entities with their names', async () => {
  class Size {
    @Column('int') id!: number;
    @Column('int') _id!: number;
  }
  @Entity()
  class Crate {
    @PrimaryColumn('int') id!: number;
    @Column(() => Size) size!: Size;
    @QueryHidden() @Column(() => Size) hidden!: Size;
  }
  const registry = typeormRegistry([Crate]);
  expect([...registry.keys()]).toEqual(['crate', 'crate_size']);
  expect(registry.get('crate_size')).toMatchObject({
    primaryKey: ['__id'],
    fields: [
      { path: 'id', primaryKey: false },
      { path: '_id', primaryKey: false },
      { path: '__id', primaryKey: true, internal: true, nullable: false },
    ],
  });
  const dataSource = await new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [Crate],
    synchronize: true,
  }).initialize();
  await dataSource.getRepository(Crate).insert({
    id: 1,
    size: { id: 2, _id: 3 },
    hidden: { id: 4, _id: 5 },
  });
  const rules = defineQueryRules(registry, 'crate', { fields: 'all', includes: ['size'] });
  const { data } = await runQuery(typeormSource(dataSource, Crate), 'includes=size', rules);
  expect(data).toEqual([{ id: 1, size: { id: 2, _id: 3 } }]);
  await dataSource.destroy();
});

it('have the key of an embedded entity with one column', () => {
  class CoinKey {
    @PrimaryColumn('int') serial!: number;
  }
  @Entity()
  class Coin {
    @Column(() => CoinKey) key!: CoinKey;
    @Column('int') value!: number;
  }
  const registry = typeormRegistry([Coin]);
  expect(registry.get('coin')?.primaryKey).toEqual(['key_serial']);
  expect(registry.get('coin_key')?.primaryKey).toEqual(['key_serial']);
});

it('are inherited, and declared once more', () => {
  class Base {
    @PrimaryColumn('int') id!: number;
    @CreateDateColumn() made!: Date;
    @QueryHidden() @Column('int') secret!: number;
  }
  @Entity()
  class First extends Base {}
  @QueryModel({ name: 'other' })
  @Entity()
  class Second extends Base {
    @Column('bigint') declare secret: never;
  }
  const registry = typeormRegistry([First, Second]);
  expect([...registry.keys()]).toEqual(['first', 'other']);
  for (const model of ['first', 'other']) {
    expect(registry.get(model)?.fields).toContainEqual(
      expect.objectContaining({ path: 'secret', internal: true }),
    );
  }
});

it('are embedded and related in EntitySchemas', () => {
  const Size = new EntitySchema<object>({
    name: 'Size',
    columns: { width: { type: 'int' } } as never,
  });
  const of = (array: boolean | undefined) =>
    new EntitySchema<object>({
      name: 'Frame',
      columns: { id: { type: 'int', primary: true } } as never,
      embeddeds: { size: { schema: Size, array, prefix: 'size' } } as never,
      relations: {
        lid: { type: 'one-to-one', target: 'Lid', joinColumn: true, nullable: false },
        cover: { type: 'one-to-one', target: () => Lid, inverseSide: 'frame', nullable: false },
        next: { type: 'many-to-one', target: 'Frame', nullable: false },
        more: { type: 'one-to-many', target: 'Frame', inverseSide: 'next' },
        lids: { type: 'many-to-many', target: Lid, joinTable: true },
      } as never,
    });
  const Lid = new EntitySchema<object>({
    name: 'Lid',
    columns: { id: { type: 'int', primary: true } } as never,
  });
  const registry = typeormRegistry([of(undefined), Lid]);
  expect(registry.get('frame_size')?.fields.map(({ path }) => path)).toEqual(['width', 'id']);
  expect(
    registry
      .get('frame')
      ?.relations.map((each) => [each.path, each.target, each.cardinality, each.nullable]),
  ).toEqual([
    ['lid', 'lid', 'one', false],
    ['cover', 'lid', 'one', true],
    ['next', 'frame', 'one', false],
    ['more', 'frame', 'many', false],
    ['lids', 'lid', 'many', false],
    ['size', 'frame_size', 'one', false],
  ]);
  expect([...typeormRegistry([of(false), Lid]).keys()]).toContain('frame_size');
  expect(() => typeormRegistry([of(true), Lid])).toThrow(/^Frame\.size: a list of embedded/);
});

it('are refused where they cannot be described', () => {
  class Line {
    @Column('int') no!: number;
  }
  @Entity()
  class Bill {
    @PrimaryColumn('int') id!: number;
    @Column(() => Line, { array: true }) lines!: Line[];
  }
  expect(() => typeormRegistry([Bill])).toThrow(
    'Bill.lines: a list of embedded entities lives in no column; keep it out with @QueryHidden().',
  );
  const Size = new EntitySchema<object>({ name: 'Size', columns: { width: {} } as never });
  const Sized = new EntitySchema<object>({
    name: 'Sized',
    columns: { id: { type: 'int', primary: true } } as never,
    embeddeds: { size: { schema: Size } } as never,
  });
  expect(() => typeormRegistry([Sized])).toThrow(/^Sized\.size\.width: the column has no type.*$/);
  @Entity()
  class Early {
    @PrimaryColumn('int') id!: number;
    @ManyToOne(() => undefined as never) late!: object;
  }
  expect(() => typeormRegistry([Early])).toThrow(
    'A relation has no target yet; where entities import each other, return the target from a function.',
  );
  expect(() => QueryHidden()({}, Symbol('x'))).toThrow(
    'A property that is a symbol cannot be queried; use a string as its name.',
  );
  expect(() => QueryField({ kind: 'text' as never })).toThrow(/"kind"/);
  expect(() => QueryModel({ name: '' })).toThrow(/"name"/);
  expect(() => QueryModel({ title: 'x' } as never)).toThrow(/title/);
  expect(() => typeormRegistry([], { family: 'mysql' } as never)).toThrow(/family/);
});
