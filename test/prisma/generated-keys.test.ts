/** Keys and relations that the generator reads, beyond those of the shop. */

import { describe, expect, it } from 'vitest';
import type { Datamodel } from '../../src/adapters/prisma/generator/dmmf.ts';
import { describeSchema } from '../../src/adapters/prisma/generator/generate.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import { datamodelOf, withComments } from './fixtures/datamodel.ts';

const modelsOf = async (family: DatabaseFamily, text: string) =>
  describeSchema(family, await datamodelOf(family, text)).models;

describe('keys', () => {
  it('are those of @id, @@id, else the first unique one that is never null', async () => {
    const models = await modelsOf(
      'postgresql',
      `model Pair {
        a Int @map("a_column")
        b Int
        @@id([b, a])
      }
      model Single {
        maybe Int? @unique
        sure  Int  @unique
        later Int  @unique
      }
      model Several {
        a Int?
        b Int
        c Int
        @@unique([a, b])
        @@unique([c, b])
      }
      model Both {
        code Int @unique
        id   Int @id
      }`,
    );
    expect(Object.values(models).map(({ primaryKey }) => primaryKey)).toEqual([
      ['b', 'a'],
      ['sure'],
      ['c', 'b'],
      ['id'],
    ]);
  });

  it('are refused where each may be null', async () => {
    const datamodel = await datamodelOf(
      'postgresql',
      'model Row {\n id Int @id\n code Int @unique\n}',
    );
    const nullable = {
      ...datamodel,
      models: datamodel.models.map((model) => ({
        ...model,
        fields: model.fields.map((field) => ({ ...field, isId: false, isRequired: false })),
      })),
    };
    expect(() => describeSchema('postgresql', nullable)).toThrow(
      'Row: it has no key that is never null; give it one, or hide it.',
    );
  });

  it('beside the primary one are told where a relation to one row joins them', async () => {
    const models = await modelsOf(
      'postgresql',
      `model Person {
        id      Int    @id
        code    String @unique @map("person_code")
        mail    String @unique
        room    Int
        seat    Int
        passes  Pass[]
        places  Place[]
        badge   Badge?
        @@unique([room, seat])
      }
      model Pass {
        id     Int    @id
        code   String
        person Person @relation(fields: [code], references: [code])
      }
      model Place {
        id     Int    @id
        room   Int
        seat   Int
        person Person @relation(fields: [room, seat], references: [room, seat])
      }
      model Badge {
        id       Int    @id
        personId Int    @unique
        person   Person @relation(fields: [personId], references: [id])
      }`,
    );
    expect(models['person']?.uniqueKeys).toEqual([['person_code'], ['room', 'seat']]);
    expect(models['badge']?.uniqueKeys).toEqual([['personId']]);
    expect(models['pass']).not.toHaveProperty('uniqueKeys');
    expect(models['person']?.relations['badge']).toMatchObject({
      cardinality: 'one',
      nullable: true,
    });
  });
});

describe('relations', () => {
  it('within one model have their own sides, and several between two models theirs', async () => {
    const models = await modelsOf(
      'postgresql',
      `model Node {
        id       Int    @id @map("node_id")
        parentId Int?   @map("parent_id")
        parent   Node?  @relation("tree", fields: [parentId], references: [id])
        children Node[] @relation("tree")
        nextId   Int?   @unique @map("next_id")
        next     Node?  @relation("chain", fields: [nextId], references: [id])
        previous Node?  @relation("chain")
        written  Text[] @relation("author")
        checked  Text[] @relation("editor")
      }
      model Text {
        id       Int  @id
        authorId Int  @map("author_id")
        author   Node @relation("author", fields: [authorId], references: [id])
        editorId Int  @map("editor_id")
        editor   Node @relation("editor", fields: [editorId], references: [id])
      }`,
    );
    const joined = Object.entries(models['node']?.relations ?? {}).map(([path, { hops }]) => [
      path,
      ...hops.flatMap(({ table, from, to }) => [table, ...from, ...to]),
    ]);
    expect(joined).toEqual([
      ['parent', 'Node', 'parent_id', 'node_id'],
      ['children', 'Node', 'node_id', 'parent_id'],
      ['next', 'Node', 'next_id', 'node_id'],
      ['previous', 'Node', 'node_id', 'next_id'],
      ['written', 'Text', 'node_id', 'author_id'],
      ['checked', 'Text', 'node_id', 'editor_id'],
    ]);
  });

  it('of many to many take the columns of the join table in the order of names', async () => {
    const models = await modelsOf(
      'postgresql',
      `model Zebra {
        id   Int    @id @map("zebra_id")
        ants Ant[]
        up   Zebra[] @relation("pairs")
        down Zebra[] @relation("pairs")
      }
      model Ant {
        id     Int     @id @map("ant_id")
        zebras Zebra[]
        @@map("ants")
      }`,
    );
    expect(models['zebra']?.relations['ants']?.hops).toEqual([
      { table: '_AntToZebra', from: ['zebra_id'], to: ['B'] },
      { table: 'ants', from: ['A'], to: ['ant_id'] },
    ]);
    expect(models['ant']?.relations['zebras']?.hops).toEqual([
      { table: '_AntToZebra', from: ['ant_id'], to: ['A'] },
      { table: 'Zebra', from: ['B'], to: ['zebra_id'] },
    ]);
    const own = ['up', 'down'].map((path) =>
      models['zebra']?.relations[path]?.hops.flatMap(({ from, to }) => [...from, ...to]),
    );
    expect(own).toEqual([
      ['zebra_id', 'B', 'A', 'zebra_id'],
      ['zebra_id', 'A', 'B', 'zebra_id'],
    ]);
  });

  it('lead to hidden models nowhere, and through a join model only to shown ones', async () => {
    const datamodel = await datamodelOf(
      'postgresql',
      `model Person {
        id     Int    @id
        seats  Seat[]
        notes  Note[]
        homeId Int?
        home   Room?  @relation("home", fields: [homeId], references: [id])
      }
      model Seat {
        id       Int    @id
        personId Int    @map("person_id")
        person   Person @relation(fields: [personId], references: [id])
        roomId   Int    @map("room_id")
        room     Room   @relation(fields: [roomId], references: [id])
        marks    Note[] @relation("marks")
      }
      model Room {
        id     Int      @id
        chairs Seat[]
        people Person[] @relation("home")
      }
      model Note {
        id       Int    @id
        personId Int
        by       Person @relation(fields: [personId], references: [id])
        markOf   Int
        mark     Seat   @relation("marks", fields: [markOf], references: [id])
      }`,
    );
    const described = (seats: string, room = '', more = {}) =>
      describeSchema(
        'postgresql',
        withComments(datamodel, { seats, Room: room, notes: '@sluice.hidden', ...more }),
      ).models;
    const shown = described('@sluice.through(rooms, room) @sluice.hidden');
    expect(Object.keys(shown['person']?.relations ?? {})).toEqual(['rooms', 'home']);
    expect(shown['person']?.relations['rooms']).toEqual({
      target: 'room',
      cardinality: 'many',
      hops: [
        { table: 'Seat', from: ['id'], to: ['person_id'] },
        { table: 'Room', from: ['room_id'], to: ['id'] },
      ],
      through: ['seats', 'room'],
    });
    const hidden = described('', '@sluice.hidden');
    expect(Object.keys(hidden['seat']?.relations ?? {})).toEqual(['person', 'marks']);
    expect(() => described('@sluice.through(rooms, room)', '@sluice.hidden')).toThrow(
      'Person.seats: @sluice.through leads to Room, which is hidden.',
    );
    // Neither a column, nor nothing, nor a list leads to one row of the other model.
    for (const reference of ['roomId', 'house', 'marks'])
      expect(() => described(`@sluice.through(rooms, ${reference})`)).toThrow(
        '@sluice.through takes',
      );
    // One row of a join model is not a list.
    const person = '@sluice.through(homes, home)';
    expect(() => described('', '', { person })).toThrow('Seat.person: @sluice.through takes');
  });

  it('name the schemas of their tables', async () => {
    const datamodel = await datamodelOf(
      'postgresql',
      `model One {
        id   Int   @id
        twos Two[]
        many Two[] @relation("pairs")
      }
      model Two {
        id    Int   @id
        oneId Int
        one   One   @relation(fields: [oneId], references: [id])
        many  One[] @relation("pairs")
      }`,
    );
    const inSchemas: Datamodel = {
      ...datamodel,
      models: datamodel.models.map((model) => ({ ...model, schema: `s${model.name}` })),
    };
    const { models } = describeSchema('postgresql', inSchemas);
    expect([models['one']?.schema, models['two']?.schema]).toEqual(['sOne', 'sTwo']);
    expect(models['one']?.relations['twos']?.hops).toMatchObject([
      { schema: 'sTwo', table: 'Two' },
    ]);
    expect(models['two']?.relations['one']?.hops).toMatchObject([{ schema: 'sOne', table: 'One' }]);
    expect(models['one']?.relations['many']?.hops).toMatchObject([
      { schema: 'sOne', table: '_pairs' },
      { schema: 'sTwo', table: 'Two' },
    ]);
  });
});
