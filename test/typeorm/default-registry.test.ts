/** Sources without an explicit registry, which derive it from the DataSource. */

import {
  Column,
  DataSource,
  Entity,
  EntitySchema,
  ManyToOne,
  PrimaryColumn,
  VirtualColumn,
} from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { foldedColumns, typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import {
  QueryError,
  type QuerySchema,
  type SchemaRegistry,
  defineQueryRules,
  defineSchemaRegistry,
  runQuery,
} from '../../src/index.ts';

class Size {
  @Column() width!: number;
}

@Entity('parcels')
class Parcel {
  @PrimaryColumn() id!: number;
  @Column(() => Size) size!: Size;
}

@Entity('crates')
class Crate {
  @PrimaryColumn() id!: number;
  @VirtualColumn({ type: 'int', query: (alias) => `select 2 * ${alias}.id` }) twice!: number;
  @ManyToOne(() => Parcel) parcel!: Parcel | null;
}

/** An entity that no rules use. */
@Entity('gauges')
class Gauge {
  @PrimaryColumn('double') id!: number;
  @Column('double') value!: number;
}

const integer = (path: string, more: object = {}) =>
  ({ path, kind: 'integer', nullable: false, primaryKey: false, ...more }) as const;

/** A hand-written registry with its own name for the model of the embedded entity. */
const handWritten = (size: object) =>
  defineSchemaRegistry([
    {
      model: 'parcel',
      primaryKey: ['id'],
      fields: [integer('id', { primaryKey: true })],
      relations: [{ path: 'size', target: 'parcelSize', cardinality: 'one', nullable: false }],
    },
    {
      model: 'parcelSize',
      primaryKey: ['id'],
      fields: [integer('width', size), integer('id', { primaryKey: true, internal: true })],
      relations: [],
    },
  ]);

const declaration = {
  filters: [{ path: 'size.width', operators: ['gt'] }],
  fields: { root: { allowed: ['id'], default: ['id'] } },
} as const;

let dataSource: DataSource;
beforeAll(async () => {
  dataSource = await new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    synchronize: true,
    entities: [Parcel, Crate, Gauge],
  }).initialize();
  await dataSource.manager.save(Parcel, [
    { id: 1, size: { width: 3 } },
    { id: 2, size: { width: 8 } },
  ]);
});
afterAll(() => dataSource.destroy());

it('entities with unsupported columns do not affect other entities', async () => {
  const rules = defineQueryRules(typeormRegistry([Parcel]), 'parcel', declaration);
  const source = typeormSource(dataSource, Parcel);
  expect((await runQuery(source, 'filter[size.width][gt]=5', rules)).data).toEqual([{ id: 2 }]);
  expect([...source.registry.keys()]).toEqual(['parcel', 'parcel_size', 'crate', 'gauge']);
});

it('sources of one DataSource share its registry', () => {
  const [one, other] = [typeormSource(dataSource, Parcel), typeormSource(dataSource, Parcel)];
  expect(one.registry).toBe(other.registry);
  expect(one.origin).toBe(other.origin);
});

it('a hand-written registry is compared with the entities', async () => {
  const registry = handWritten({});
  const rules = defineQueryRules(registry, 'parcel', declaration);
  const source = typeormSource(dataSource, Parcel, { registry });
  expect((await runQuery(source, 'filter[size.width][gt]=5', rules)).data).toEqual([{ id: 2 }]);
  const wrong = handWritten({ kind: 'string', nullable: true });
  const error: unknown = await runQuery(
    typeormSource(dataSource, Parcel, { registry: wrong }),
    '',
    defineQueryRules(wrong, 'parcel', {
      ...declaration,
      filters: [{ path: 'size.width', operators: ['isNull'] }],
    }),
  ).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(QueryError);
  expect(error).toMatchObject({ code: 'SOURCE_CONFIGURATION_INVALID' });
  expect((error as QueryError).message).toMatch(
    /parcelSize\.width.*kind[^]*parcelSize\.width.*null/,
  );
});

const one = (path: string, target: string, nullable: boolean) =>
  ({ path, target, cardinality: 'one', nullable }) as const;
const none = (what: string, noun: string) =>
  `${what}: the schema declares a ${noun}, the source says no such ${noun}`;

it.each([
  [[integer('height')], [], `${none('crate.height', 'field')}.`],
  [[integer('twice')], [], `${none('crate.twice', 'field')}.`],
  [[], [one('owner', 'parcel', true)], `${none('crate.owner', 'relation')}.`],
  [
    [],
    [one('owner', 'owner', true)],
    `${none('crate.owner', 'relation')};\n${none('owner', 'model')}.`,
  ],
  [
    [],
    [one('parcel', 'parcel', false)],
    'crate.parcel: the schema declares nullable: false, the source says true.',
  ],
] as const)('a hand-written model with %j and %j does not fit', async (more, relations, said) => {
  const model = (name: string): QuerySchema => ({
    model: name,
    primaryKey: ['id'],
    fields: [integer('id', { primaryKey: true })],
    relations: [],
  });
  const { fields, ...crate } = model('crate');
  const registry: SchemaRegistry = defineSchemaRegistry([
    { ...crate, fields: [...fields, ...more], relations },
    model('parcel'),
    model('owner'),
  ]);
  const rules = defineQueryRules(registry, 'crate', {
    fields: 'all',
    filters: relations.map(({ path }) => ({ path: `${path}.id`, operators: ['eq'] })),
  });
  const source = typeormSource(dataSource, Crate, { registry });
  await expect(runQuery(source, '', rules)).rejects.toMatchObject({
    code: 'SOURCE_CONFIGURATION_INVALID',
    message: `Schemas and source do not fit; correct whichever is wrong.\n${said}`,
  });
});

const key = { type: 'int', primary: true } as const;
const schemaOf = (name: string, more: object) =>
  new EntitySchema<object>({ name, columns: { id: key } as never, ...more });

it.each([
  [
    'item_tags',
    { tags: { type: 'many-to-many', target: 'item', joinTable: { name: 'item_tags' } } },
    { one: { ...key, name: 'itemId_1' }, other: { ...key, name: 'itemId_2' } },
  ],
  [
    'item_closure',
    {
      above: { type: 'many-to-one', target: 'item', treeParent: true, inverseSide: 'below' },
      below: { type: 'one-to-many', target: 'item', treeChildren: true, inverseSide: 'above' },
    },
    { one: { ...key, name: 'id_ancestor' }, other: { ...key, name: 'id_descendant' } },
  ],
])(
  'an EntitySchema of the join table %s is a model of its own',
  async (name, relations, columns) => {
    const trees = name === 'item_closure' && { trees: [{ type: 'closure-table' }] };
    const Item = schemaOf('item', { relations, ...trees });
    const Joined = schemaOf(name, { columns });
    const joined = await new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [Item, Joined],
      synchronize: true,
    }).initialize();
    await joined.query('insert into item (id) values (1), (2)');
    await joined.query(`insert into ${name} values (1, 2)`);
    const source = typeormSource(joined, Joined);
    expect([...source.registry.keys()]).toEqual(['item', name]);
    const rules = defineQueryRules(source.registry, name, { fields: 'all' });
    expect((await runQuery(source, '', rules)).data).toEqual([{ one: 1, other: 2 }]);
    await joined.destroy();
  },
);

it('an EntitySchema with a class is one model, which its companions know', async () => {
  class Person {
    id!: number;
    name!: string;
    name_folded!: string;
  }
  const schema = new EntitySchema<Person>({
    name: 'Human',
    target: Person,
    columns: {
      id: { type: 'int', primary: true },
      name: { type: 'varchar' },
      name_folded: { type: 'varchar' },
    },
  });
  const people = await new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [schema],
    subscribers: [foldedColumns()],
    synchronize: true,
  }).initialize();
  await people.manager.save(Person, { id: 1, name: 'ÅSA' });
  const source = typeormSource(people, Person);
  expect([...source.registry.keys()]).toEqual(['person']);
  const rules = defineQueryRules(source.registry, 'person', {
    fields: 'all',
    filters: [{ path: 'name', operators: ['ilike'] }],
  });
  expect((await runQuery(source, 'filter[name][ilike]=Å', rules)).data).toEqual([
    { id: 1, name: 'ÅSA' },
  ]);
  await people.destroy();
});

it('a DataSource that is initialized again has the rows of its second database', async () => {
  const [first, second] = ['First', 'Second'].map(
    (name) =>
      new EntitySchema<{ id: number }>({
        name,
        columns: { id: { type: 'int', primary: true } },
      }),
  );
  const listed = { first, second };
  const again = new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    synchronize: true,
    entities: listed as never,
  });
  const source = typeormSource(again, second as EntitySchema<{ id: number }>);
  for (const id of [7, 8]) {
    await again.initialize();
    expect([...source.registry.keys()]).toEqual(['first', 'second']);
    await again.query(`insert into second values (${id})`);
    const rules = defineQueryRules(source.registry, 'second', { fields: 'all' });
    expect((await runQuery(source, '', rules)).data).toEqual([{ id }]);
    expect((await runQuery(source, '', rules)).data).toEqual([{ id }]);
    await again.destroy();
  }
});
