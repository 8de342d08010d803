/** `foldedColumns`: companions are filled by every kind of write for which TypeORM calls subscribers. */

import {
  ChildEntity,
  Column,
  DataSource,
  Entity,
  EntitySchema,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QueryField, foldedColumns } from '../../src/adapters/typeorm/index.ts';
import { Author, Book, Publisher } from './library.ts';
import { type Library, author, families, openLibrary } from './open-library.ts';

describe.each(families)('companions on %s', (family) => {
  let library: Library | null = null;
  beforeAll(async () => {
    library = await openLibrary(family, 'folded');
  });
  afterAll(() => library?.close());
  const repository = () => {
    if (!library) throw new Error('the database is missing');
    return library.dataSource.getRepository(Author);
  };
  const make = (name: string, more: Partial<Author> = {}) =>
    repository().save(repository().create(author(name, more)));
  const stored = async (id: number) => {
    const found = await repository().findOneOrFail({ where: { id }, relations: { books: true } });
    const { name_folded: name, mood_order: mood, address, books } = found;
    return { name, mood, city: address.city_folded, books: books.map((book) => book.title_folded) };
  };

  it('are filled on insert, in embedded entities and by cascade', async () => {
    const books = [{ title: 'ÉTÉ' }] as Book[];
    const { id } = await make('ÅSA', { mood: 'wild', books });
    expect(await stored(id)).toEqual({
      name: 'åsa',
      mood: '00001',
      city: 'åsa town',
      books: ['été'],
    });
  });

  it('change only with their source, also to null', async () => {
    const { id } = await make('Bo', { mood: 'calm' });
    const found = await repository().findOneByOrFail({ id });
    found.mood = null;
    found.address.city = 'LUND';
    await repository().save(found);
    expect(await stored(id)).toMatchObject({ name: 'bo', mood: null, city: 'lund' });
    await repository().save({ id, name: 'BO' });
    expect(await stored(id)).toMatchObject({ name: 'bo', city: 'lund' });
    await repository().save({ id, name: 'EVA' });
    expect(await stored(id)).toMatchObject({ name: 'eva', mood: null, city: 'lund' });
    const before = library?.statements.length ?? 0;
    await repository().save({ id, name: 'EVA' });
    const written = library?.statements.slice(before).filter((text) => /^update/i.test(text));
    expect(written).toEqual([]);
  });

  it('are filled by insert, by update with criteria, and by query builders with values', async () => {
    const values = { ...author('CY', { mood: 'calm' }), address: { street: 's', city: 'ÖREBRO' } };
    const { identifiers } = await repository().insert(values as never);
    const id = Number(identifiers[0]?.['id']);
    expect(await stored(id)).toMatchObject({ name: 'cy', mood: '00000', city: 'örebro' });
    await repository().update({ id }, { name: 'DI', mood: 'wild' });
    expect(await stored(id)).toMatchObject({ name: 'di', mood: '00001', city: 'örebro' });
    await repository()
      .createQueryBuilder()
      .update()
      .set({ name: 'FAY', mood: null })
      .where({ id })
      .execute();
    expect(await stored(id)).toMatchObject({ name: 'fay', mood: null });
    // An SQL expression has no value to fold.
    await repository()
      .createQueryBuilder()
      .update()
      .set({ name: () => "'GUS'" })
      .where({ id })
      .execute();
    expect(await stored(id)).toMatchObject({ name: 'fay' });
  });

  it('are filled for generated uuids', async () => {
    const manager = repository().manager;
    const made = await manager.save(Publisher, { code: 'west' });
    const { id, id_order: order } = await manager.findOneByOrFail(Publisher, { code: 'west' });
    expect(made.id).toBe(id);
    expect(order).toBe(id);
  });

  it('keep what the host has stored while their source does not change', async () => {
    const { id } = await make('IDA');
    await repository().update({ id }, { name_folded: 'own' });
    const found = await repository().findOneByOrFail({ id });
    found.motto = 'new';
    await repository().save(found);
    expect(await stored(id)).toMatchObject({ name: 'own', mood: null });
  });

  it('leave a uuid that the host has set', async () => {
    const manager = repository().manager;
    const id = '11111111-1111-4111-8111-111111111111';
    await manager.save(Publisher, manager.create(Publisher, { id, code: 'east' }));
    const { id: stored, id_order: order } = await manager.findOneByOrFail(Publisher, {
      code: 'east',
    });
    expect([stored, order]).toEqual([id, id]);
  });
});

describe('companions', () => {
  it('are filled for EntitySchemas, renamed columns and entities of any other type', async () => {
    @Entity()
    class Odd {
      @PrimaryGeneratedColumn() id!: number;
      @QueryField({ foldedField: 'search' }) @Column({ name: 'full name' }) name!: string;
      @Column({ name: 'search text' }) search!: string;
      @Column('double', { nullable: true }) weight!: number | null;
    }
    const Plain = new EntitySchema<{ id: number; name: string; name_folded: string }>({
      name: 'Plain',
      columns: {
        id: { type: Number, primary: true },
        name: { type: String },
        name_folded: { type: String },
      },
    });
    @Entity()
    class Bare {
      @PrimaryColumn() id!: number;
    }
    const options: DataSourceOptions = {
      type: 'better-sqlite3',
      database: ':memory:',
      synchronize: true,
      entities: [Odd, Plain, Bare],
      subscribers: [foldedColumns()],
    };
    const dataSource = await new DataSource(options).initialize();
    try {
      await dataSource.manager.save(Odd, { name: 'ÅKE' });
      await dataSource.manager.save(Plain, { id: 1, name: 'ÖSTEN' } as never);
      await dataSource.manager.save(Bare, { id: 1 });
      expect(await dataSource.manager.find(Odd)).toMatchObject([{ search: 'åke' }]);
      expect(await dataSource.manager.find(Plain)).toMatchObject([{ name_folded: 'östen' }]);
    } finally {
      await dataSource.destroy();
    }
  });

  it('are filled in children, in embedded entities of embedded ones, and in each of several rows', async () => {
    class Street {
      @Column('varchar') name!: string;
      @Column('varchar') name_folded!: string;
    }
    class Home {
      @Column(() => Street) street!: Street;
    }
    @Entity()
    @TableInheritance({ column: { type: 'varchar', name: 'sort' } })
    class Person {
      @PrimaryColumn('int') id!: number;
      @Column('varchar') name!: string;
      @Column('varchar') name_folded!: string;
      @Column(() => Home) home!: Home;
    }
    @ChildEntity()
    class Clerk extends Person {
      @Column({ type: 'varchar', nullable: true }) desk!: string | null;
      @Column({ type: 'varchar', nullable: true }) desk_folded!: string | null;
      @Column({ type: 'decimal', precision: 10, scale: 2, nullable: true }) pay!: number | null;
      @Column({ type: 'varchar', nullable: true }) pay_order!: string | null;
    }
    const dataSource = await new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      synchronize: true,
      entities: [Person, Clerk],
      subscribers: [foldedColumns()],
    }).initialize();
    const clerk = (id: number, name: string, more: object) => ({
      id,
      name,
      home: { street: { name: `${name} GATA` } },
      ...more,
    });
    await dataSource
      .getRepository(Clerk)
      .insert([
        clerk(1, 'ÅKE', { desk: 'ÖST', pay: 2.5 }),
        clerk(2, 'ÖRJAN', { desk: null, pay: 12 }),
      ] as never);
    await dataSource.getRepository(Person).insert(clerk(3, 'ÄNNA', {}) as never);
    const folded = await dataSource.getRepository(Person).find({ order: { id: 'ASC' } });
    expect(folded).toMatchObject([
      {
        name_folded: 'åke',
        home: { street: { name_folded: 'åke gata' } },
        desk_folded: 'öst',
      },
      { name_folded: 'örjan', home: { street: { name_folded: 'örjan gata' } }, desk_folded: null },
      { name_folded: 'änna', home: { street: { name_folded: 'änna gata' } } },
    ]);
    const [first, second] = folded.map((row) => String(Reflect.get(row, 'pay_order')));
    expect([first, second]).toEqual([first, second].toSorted());
    expect(first).toMatch(/25/);
    await dataSource.getRepository(Clerk).update({ id: 2 }, { desk: 'NORR', pay: null });
    expect(await dataSource.getRepository(Clerk).findOneByOrFail({ id: 2 })).toMatchObject({
      name_folded: 'örjan',
      desk_folded: 'norr',
      pay_order: null,
    });
    await dataSource.destroy();
  });
});
