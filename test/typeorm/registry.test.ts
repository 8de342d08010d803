/** `typeormRegistry`: the registry derived from decorators and `EntitySchema`s, and its errors. */

import { createRequire } from 'node:module';
import * as typeorm from 'typeorm';
import { Column, DataSource, Entity, EntitySchema, ManyToOne, PrimaryColumn } from 'typeorm';
import { describe, expect, it } from 'vitest';
import {
  QueryField,
  QueryHidden,
  QueryModel,
  typeormRegistry,
  typeormSource,
} from '../../src/adapters/typeorm/index.ts';
import { QueryError, assertSource, defineQueryRules, runQuery } from '../../src/index.ts';
import { Author, Publisher } from './library.ts';
import { registry } from './open-library.ts';

const field = (model: string, path: string) =>
  registry.get(model)?.fields.find((each) => each.path === path);
const relation = (model: string, path: string) =>
  registry.get(model)?.relations.find((each) => each.path === path);

/** The error for a set of entities. */
function refusal(entities: Parameters<typeof typeormRegistry>[0]): QueryError {
  try {
    typeormRegistry(entities);
  } catch (error) {
    expect(error).toBeInstanceOf(QueryError);
    expect((error as QueryError).code).toBe('SOURCE_CONFIGURATION_INVALID');
    return error as QueryError;
  }
  throw new Error('expected a QueryError');
}

describe('typeormRegistry', () => {
  it('runs on the TypeORM version of this test project', ({ task }) => {
    const name = task.file.projectName === 'typeorm 0.3' ? 'typeorm-0.3' : 'typeorm';
    const required: unknown = createRequire(import.meta.url)(name);
    expect((required as typeof typeorm).DataSource).toBe(DataSource);
  });

  it('names models after classes', () => {
    expect([...registry.keys()]).toEqual(
      expect.arrayContaining(['author', 'author_address', 'author_address_at', 'publisher']),
    );
  });

  it('takes the annotations of a subclass before those of its base', () => {
    class Base {
      @PrimaryColumn('int') id!: number;
      @QueryField({ internal: false }) @Column('int') secret!: number;
      @QueryField({ internal: true }) @Column('int') shown!: number;
    }
    @Entity()
    class Derived extends Base {
      @QueryField({ internal: true }) declare secret: number;
      @QueryField({ internal: false }) declare shown: number;
    }
    const fields = typeormRegistry([Derived]).get('derived')?.fields ?? [];
    expect(fields.map(({ path, internal }) => [path, internal ?? false])).toEqual([
      ['id', false],
      ['secret', true],
      ['shown', false],
    ]);
  });

  it('derives kinds, nullability and inherited columns', () => {
    const kinds = Object.fromEntries(
      (registry.get('author')?.fields ?? []).map(({ path, kind, nullable }) => [
        path,
        nullable ? `${kind}?` : kind,
      ]),
    );
    expect(kinds).toMatchObject({
      id: 'integer',
      createdAt: 'datetime',
      version: 'integer',
      name: 'string',
      mood: 'enum?',
      tags: 'json',
      settings: 'json?',
      fee: 'integer',
      words: 'bigint',
      royalty: 'decimal?',
      active: 'boolean',
      bornOn: 'date?',
    });
    expect(field('author', 'id')).toMatchObject({ primaryKey: true });
    expect(field('author', 'mood')).toMatchObject({ enumValues: ['calm', 'wild'] });
  });

  it('reads the members of enums from lists, and leaves functions of enums out', () => {
    const parse = () => 'low';
    const Alarm = new EntitySchema<object>({
      name: 'Alarm',
      columns: {
        id: { type: 'int', primary: true },
        level: { type: 'simple-enum', enum: { Low: 'low', High: 'high', parse } },
        state: { type: 'simple-enum', enum: ['on', 'off'] },
        code: { type: 'simple-enum', enum: [7, 8] },
      } as never,
    });
    expect(typeormRegistry([Alarm]).get('alarm')?.fields).toMatchObject([
      { path: 'id' },
      { path: 'level', enumValues: ['low', 'high'] },
      { path: 'state', enumValues: ['on', 'off'] },
      { path: 'code', enumValues: ['7', '8'] },
    ]);
  });

  it('recognizes companions and marks them internal', () => {
    expect(field('author', 'name')).toMatchObject({ foldedField: 'name_folded' });
    expect(field('author', 'name_folded')).toMatchObject({ internal: true });
    expect(field('author', 'mood')).toMatchObject({ portableOrderField: 'mood_order' });
    expect(field('author_address', 'city')).toMatchObject({ foldedField: 'city_folded' });
    expect(field('publisher', 'id')).toMatchObject({
      kind: 'uuid',
      portableOrderField: 'id_order',
    });
  });

  it('marks hidden and unselected columns internal', () => {
    expect(field('author', 'secret')).toMatchObject({ internal: true });
    expect(field('author', 'note')).toMatchObject({ internal: true });
  });

  it('maps embedded entities to one relations that share the key', () => {
    expect(relation('author', 'address')).toEqual({
      path: 'address',
      target: 'author_address',
      cardinality: 'one',
      nullable: false,
    });
    expect(registry.get('author_address')?.primaryKey).toEqual(['id']);
    expect(field('author_address', 'id')).toMatchObject({ internal: true });
    expect(relation('author_address', 'nearest')).toMatchObject({ target: 'publisher' });
    expect(registry.get('stamp')?.primaryKey).toEqual(['key_country', 'key_serial']);
  });

  it('derives relations, nullable if the target can be soft-deleted', () => {
    expect(relation('author', 'books')).toMatchObject({ target: 'book', cardinality: 'many' });
    expect(relation('author', 'teachers')).toMatchObject({ target: 'author', cardinality: 'many' });
    expect(relation('author', 'passport')).toMatchObject({ cardinality: 'one', nullable: true });
    expect(relation('passport', 'author')).toMatchObject({ cardinality: 'one', nullable: false });
    expect(relation('edition', 'book')).toMatchObject({ cardinality: 'one', nullable: true });
  });

  it('applies names and corrections of annotations', () => {
    @QueryModel({ name: 'thing' })
    @Entity()
    class Named {
      @PrimaryColumn() id!: number;
      @QueryField({ kind: 'string' }) @Column('double precision') length!: number;
      @QueryHidden() @Column('double precision') width!: number;
      @QueryField({ foldedField: false }) @Column() name!: string;
      @Column() name_folded!: string;
      @QueryHidden() @ManyToOne(() => Publisher) publisher!: object | null;
    }
    const schema = typeormRegistry([Named]).get('thing');
    expect(schema?.fields).toEqual([
      { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
      { path: 'length', kind: 'string', nullable: false, primaryKey: false },
      { path: 'width', kind: 'float', nullable: false, primaryKey: false, internal: true },
      { path: 'name', kind: 'string', nullable: false, primaryKey: false },
      { path: 'name_folded', kind: 'string', nullable: false, primaryKey: false },
    ]);
    expect(schema?.relations).toEqual([]);
  });

  it('reads EntitySchemas', () => {
    const Owner = new EntitySchema<{ id: number; name: string; name_folded: string }>({
      name: 'Owner',
      columns: {
        id: { type: Number, primary: true },
        name: { type: String },
        name_folded: { type: String },
      },
    });
    const Pet = new EntitySchema<{ id: string; born: string | null; owner: object }>({
      name: 'Pet',
      columns: { id: { type: 'bigint', primary: true }, born: { type: 'date', nullable: true } },
      relations: { owner: { type: 'many-to-one', target: 'Owner', nullable: false } },
    });
    const made = typeormRegistry([Owner, Pet]);
    expect(made.get('pet')).toEqual({
      model: 'pet',
      primaryKey: ['id'],
      fields: [
        { path: 'id', kind: 'bigint', nullable: false, primaryKey: true },
        { path: 'born', kind: 'date', nullable: true, primaryKey: false },
      ],
      relations: [{ path: 'owner', target: 'owner', cardinality: 'one', nullable: false }],
    });
    expect(made.get('owner')?.fields[1]).toMatchObject({ foldedField: 'name_folded' });
  });

  it('names models after the keys of an object', async () => {
    @Entity()
    class CountryEntity {
      @PrimaryColumn('int') id!: number;
    }
    @Entity()
    class CityEntity {
      @PrimaryColumn('int') id!: number;
      @ManyToOne(() => CountryEntity) country!: object;
    }
    const made = typeormRegistry({ city: CityEntity, country: CountryEntity });
    expect([...made.keys()]).toEqual(['city', 'country']);
    expect(made.get('city')?.relations).toMatchObject([{ path: 'country', target: 'country' }]);
    // The name belongs to the class, so that sources and other registries find it.
    expect([...typeormRegistry([CountryEntity]).keys()]).toEqual(['country']);
    const dataSource = await new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      synchronize: true,
      entities: [CityEntity, CountryEntity],
    }).initialize();
    try {
      const country = await dataSource.manager.save(CountryEntity, { id: 7 });
      await dataSource.manager.save(CityEntity, { id: 1, country });
      const rules = defineQueryRules(made, 'city', {
        includes: ['country'],
        fields: {
          root: { allowed: ['id'], default: ['id'] },
          relations: { country: { allowed: ['id'], default: ['id'] } },
        },
      });
      const source = typeormSource(dataSource, CityEntity);
      expect(source.registry.has('city')).toBe(true);
      assertSource(source, rules);
      expect((await runQuery(source, 'includes=country', rules)).data).toEqual([
        { id: 1, country: { id: 7 } },
      ]);
    } finally {
      await dataSource.destroy();
    }
  });

  it('refuses a second name for a class', () => {
    @QueryModel({ name: 'thing' })
    @Entity()
    class Annotated {
      @PrimaryColumn() id!: number;
    }
    @Entity()
    class Listed {
      @PrimaryColumn() id!: number;
    }
    const Schema = new EntitySchema<{ id: number }>({
      name: 'Pebble',
      columns: { id: { type: Number, primary: true } },
    });
    expect([...typeormRegistry({ thing: Annotated, pebble: Schema }).keys()]).toEqual([
      'thing',
      'pebble',
    ]);
    expect(refusal({ item: Annotated }).message).toBe(
      'entities.item: the model of Annotated is "thing", because it is named by @QueryModel or by another registry; use this name as the key.',
    );
    typeormRegistry([Listed]);
    expect(refusal({ item: Listed }).message).toContain('the model of Listed is "listed"');
    expect(refusal({ thing: Annotated, item: Annotated }).details).toEqual({ model: 'item' });
    expect(refusal({ rock: Schema }).message).toBe(
      'entities.rock: the model of Pebble is "pebble", because an EntitySchema without a class is named after itself; use this name as the key.',
    );
  });

  it('refuses anything but entities in an object', () => {
    const given = (entities: unknown) => refusal(entities as Parameters<typeof refusal>[0]);
    expect(given({ city: 'City' }).message).toBe(
      '"entities.city" must be an entity class or EntitySchema',
    );
    expect(given({ city: undefined }).message).toMatch(/^entities\.city: the entity is missing/);
    expect(given({ city: undefined }).details).toEqual({ model: 'city' });
    expect(given('City').message).toBe(
      '"entities" must be a list or an object of entity classes and EntitySchemas',
    );
    expect(given(undefined).message).toBe(
      '"entities" must be a list or an object of entity classes and EntitySchemas',
    );
    expect(given({ city: Date }).message).toBe(
      'Date: not an entity of TypeORM; decorate the class with @Entity.',
    );
  });

  it('shows columns of types without a kind, and takes floats and unsigned integers', () => {
    @Entity()
    class Measured {
      @PrimaryColumn('int', { unsigned: true }) id!: number;
      @Column('double precision') length!: number;
      @Column('text', { array: true }) names!: string[];
      @Column('interval') lasting!: string;
    }
    const registry = typeormRegistry([Measured], { families: ['postgresql'] });
    const kinds = registry.get('measured')?.fields.map(({ path, kind }) => [path, kind]);
    expect(kinds).toEqual([
      ['id', 'integer'],
      ['length', 'float'],
      ['names', 'string[]'],
      ['lasting', 'opaque'],
    ]);
    const fields = { root: { allowed: ['id', 'names'], default: ['names'] } };
    const filters = [{ path: 'lasting', operators: ['eq'] }] as const;
    expect(() => defineQueryRules(registry, 'measured', { fields, filters })).toThrow(
      'rules.filters "lasting": opaque fields take no operator; drop the filter.',
    );
    expect(() => defineQueryRules(registry, 'measured', { fields, sorts: ['names'] })).toThrow(
      'rules.sorts "names": string[] fields have no portable total order, nor any other; drop the sort.',
    );
  });

  it('refuses relations to entities outside the registry', () => {
    expect(refusal([Author]).message).toMatch(
      /^Author\.\w+: it leads to an entity that is not given/,
    );
  });

  it('refuses annotations on properties that are not columns, and classes that are not entities', () => {
    @Entity()
    class Stray {
      @PrimaryColumn() id!: number;
      @QueryField({ kind: 'string' }) name!: string;
    }
    expect(refusal([Stray]).message).toMatch(/^Stray\.name: it is annotated/);
    class Plain {
      readonly id = 1;
    }
    expect(refusal([Plain]).message).toMatch(/^Plain: not an entity/);
    expect(refusal([undefined as never]).message).toMatch(/^An entity is missing/);
    const both = refusal([Plain, undefined as never]).message;
    expect(both.split('\n')).toEqual([
      expect.stringMatching(/^Plain: not an entity/),
      expect.stringMatching(/^An entity is missing/),
    ]);
    expect(refusal([Plain]).details).toEqual({});
  });

  it('names everything that it refuses in one error', () => {
    @Entity()
    class Shelf {
      @PrimaryColumn() id!: number;
      @QueryField({ kind: 'string' }) label!: string;
      @QueryField({ kind: 'string' }) colour!: string;
      @ManyToOne(() => Author) author!: Author;
    }
    const { message, details } = refusal([Shelf]);
    expect(message.split('\n')).toEqual([
      expect.stringMatching(/^Shelf\.label: it is annotated/),
      expect.stringMatching(/^Shelf\.colour: it is annotated/),
      expect.stringMatching(/^Shelf\.author: it leads to an entity that is not given/),
    ]);
    expect(details).toMatchObject({
      differences: [{ property: 'label' }, { property: 'colour' }, { property: 'author' }],
    });
  });
});
