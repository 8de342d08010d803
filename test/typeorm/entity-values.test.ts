/** Values over relations on entities: of embedded entities' relations, of lists, and beside hidden keys. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Column, DataSource, Entity, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { typeormSource, withComputedFields } from '../../src/adapters/typeorm/index.ts';
import { QueryError, defineQueryRules, runOne, runQuery } from '../../src/index.ts';
import { Author } from './library.ts';
import { type Library, families, filledLibrary, registry } from './open-library.ts';

class SheetKey {
  @PrimaryColumn() book!: string;
  @PrimaryColumn() page!: number;
}

@Entity('sheets')
class Sheet {
  @Column(() => SheetKey) key!: SheetKey;
  @OneToMany(() => Mark, (mark) => mark.sheet) marks!: Mark[];
}

@Entity('seals')
class Seal {
  @PrimaryColumn('blob') id!: Buffer;
  @OneToMany(() => Print, (print) => print.seal) prints!: Print[];
}

@Entity('prints')
class Print {
  @PrimaryColumn() id!: number;
  @ManyToOne(() => Seal, (seal) => seal.prints) seal!: Seal;
}

@Entity('marks')
class Mark {
  @PrimaryColumn() id!: number;
  @ManyToOne(() => Sheet, (sheet) => sheet.marks) sheet!: Sheet;
}

class Inner {
  @Column() code!: number;
  @OneToMany(() => Leaf, (leaf) => leaf.tree) leaves!: Leaf[];
}

class Outer {
  @Column() code!: number;
  @Column(() => Inner) inner!: Inner;
}

@Entity('trees')
class Tree {
  @PrimaryColumn() id!: number;
  @Column(() => Outer) outer!: Outer;
}

@Entity('leaves')
class Leaf {
  @PrimaryColumn() id!: number;
  @ManyToOne(() => Tree, (tree) => tree.outer.inner.leaves) tree!: Tree;
  @OneToMany(() => Vein, (vein) => vein.leaf) veins!: Vein[];
}

@Entity('veins')
class Vein {
  @PrimaryColumn() id!: number;
  @ManyToOne(() => Leaf, (leaf) => leaf.veins) leaf!: Leaf;
}

const rules = defineQueryRules(registry, 'author', {
  aggregates: {
    books: { count: true, max: ['createdAt'] },
    'books.editions': { count: true, max: ['run'] },
    'publisher.authors': { count: true },
    'address.nearest.authors': { count: true },
  },
  filters: [{ path: 'books.$count', operators: ['gte'] }],
  sorts: ['name', 'books.$count'],
  fields: {
    root: { allowed: ['id', 'name', 'books.$count'], default: ['name', 'books.$count'] },
    relations: {
      address: { allowed: ['city'], default: ['city'] },
      'address.nearest': { allowed: ['code', 'authors.$count'], default: ['authors.$count'] },
      publisher: { allowed: ['code', 'authors.$count'], default: ['code', 'authors.$count'] },
      books: {
        allowed: ['title', 'editions.$count', 'editions.$max.run'],
        default: ['title', 'editions.$count', 'editions.$max.run'],
      },
      teachers: { allowed: ['name'], default: ['name'] },
    },
  },
  includes: ['address', 'address.nearest', 'publisher', 'books', 'teachers'],
  children: {
    books: {
      filters: [
        { path: 'title', operators: ['in'] },
        { path: 'author.name', operators: ['eq'] },
      ],
      sorts: ['title', 'author.name'],
    },
    teachers: { filters: [{ path: 'name', operators: ['eq'] }], sorts: ['name'] },
  },
  pagination: { mode: 'both' },
});

describe.each(families)('values on entities on %s', (family) => {
  let library: Library | null = null;
  beforeAll(async () => {
    library = await filledLibrary(family, 'entity_values');
  });
  beforeEach((context) => {
    if (!library) context.skip();
  });
  afterAll(() => library?.close());

  const opened = () => {
    if (!library) throw new Error('the database is missing');
    return library;
  };
  const list = async (request: string) => {
    const source = typeormSource(opened().dataSource, Author, { hydrate: true });
    const { data } = await runQuery(source, request, rules);
    return JSON.parse(JSON.stringify(data)) as object[];
  };

  it('are those of each entity, without its key', async () => {
    expect(await list('sort=-books.$count,name&includes=publisher')).toMatchObject([
      { name: 'Ada', 'books.$count': 2, publisher: { code: 'north', 'authors.$count': 1 } },
      { name: 'Bob', 'books.$count': 0, publisher: { code: 'south', 'authors.$count': 1 } },
      { name: 'Cid', 'books.$count': 0, publisher: null },
    ]);
    for (const entity of await list('includes=publisher')) expect(entity).not.toHaveProperty('id');
  });

  it('are shown through an embedded entity', async () => {
    expect(
      await list('filter[books.$count][gte]=1&includes=address,address.nearest'),
    ).toMatchObject([
      { name: 'Ada', address: { city: 'Östersund', nearest: { 'authors.$count': 1 } } },
    ]);
  });

  it('belong to entities whose key is in an embedded entity', async () => {
    const dataSource = new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [Sheet, Mark],
      synchronize: true,
    });
    await dataSource.initialize();
    await dataSource.query(`insert into sheets values ('a', 1), ('a', 2), ('b', 1)`);
    await dataSource.query(`insert into marks values (1, 'a', 2), (2, 'a', 2), (3, 'b', 1)`);
    const source = typeormSource(dataSource, Sheet, { hydrate: true });
    const found = defineQueryRules(source.registry, 'sheet', {
      aggregates: { marks: { count: true } },
      fields: { root: { allowed: ['marks.$count'], default: ['marks.$count'] } },
    });
    const { data } = await runQuery(source, '', found);
    expect(data.map((row) => ({ ...row }))).toEqual([
      { 'marks.$count': 0 },
      { 'marks.$count': 2 },
      { 'marks.$count': 1 },
    ]);
    await dataSource.destroy();
  });

  it('belong to related entities of an embedded one within an embedded one', async () => {
    const dataSource = new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [Tree, Leaf, Vein],
      synchronize: true,
    });
    await dataSource.initialize();
    await dataSource.query('insert into trees values (1, 2, 3)');
    await dataSource.query('insert into leaves values (1, 1), (2, 1)');
    await dataSource.query('insert into veins values (1, 2), (2, 2)');
    const source = typeormSource(dataSource, Tree, { hydrate: true });
    const path = 'outer.inner.leaves';
    const found = defineQueryRules(source.registry, 'tree', {
      aggregates: { [`${path}.veins`]: { count: true } },
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: {
          outer: { allowed: ['code'], default: ['code'] },
          'outer.inner': { allowed: ['code'], default: ['code'] },
          [path]: { allowed: ['id', 'veins.$count'], default: ['id', 'veins.$count'] },
        },
      },
      includes: ['outer', 'outer.inner', path],
    } as never);
    const { data } = await runQuery(source, `includes=outer,outer.inner,${path}`, found);
    expect(JSON.parse(JSON.stringify(data))).toMatchObject([
      { outer: { inner: { leaves: [{ 'veins.$count': 0 }, { 'veins.$count': 2 }] } } },
    ]);
    await dataSource.destroy();
  });

  it('belong to entities whose key is bytes', async () => {
    const dataSource = new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [Seal, Print],
      synchronize: true,
    });
    await dataSource.initialize();
    await dataSource.query(`insert into seals values (x'ff01'), (x'ff02')`);
    await dataSource.query(`insert into prints values (1, x'ff01'), (2, x'ff02'), (3, x'ff02')`);
    const source = typeormSource(dataSource, Print, { hydrate: true });
    const found = defineQueryRules(source.registry, 'print', {
      aggregates: { 'seal.prints': { count: true } },
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: { seal: { allowed: ['prints.$count'], default: ['prints.$count'] } },
      },
      includes: ['seal'],
    });
    expect((await runQuery(source, 'includes=seal', found)).data).toMatchObject([
      { id: 1, seal: { 'prints.$count': 1 } },
      { id: 2, seal: { 'prints.$count': 2 } },
      { id: 3, seal: { 'prints.$count': 2 } },
    ]);
    await dataSource.destroy();
  });

  it('are those that the database computes, beside no other column', async () => {
    const { dataSource, statements } = opened();
    const computed = withComputedFields(registry, {
      author: { double: { kind: 'integer', sql: '{id} * 2' } },
      book: { next: { kind: 'integer', sql: '{id} + 1' } },
    });
    const found = defineQueryRules(computed, 'author', {
      filters: [{ path: 'name', operators: ['eq'] }],
      fields: {
        root: { allowed: ['id', 'double'], default: ['id', 'double'] },
        relations: { books: { allowed: ['id', 'next'], default: ['id', 'next'] } },
      },
      includes: ['books'],
      pagination: { count: 'none' },
    });
    const source = typeormSource(dataSource, Author, { hydrate: true, registry: computed });
    const { data } = await runQuery(source, 'includes=books&filter[name]=Ada', found);
    expect(data).toMatchObject([
      {
        id: 1,
        double: 2,
        books: [
          { id: 1, next: 2 },
          { id: 2, next: 3 },
        ],
      },
    ]);
    expect(data[0]).toBeInstanceOf(Author);
    statements.length = 0;
    expect((await runQuery(source, 'filter[name]=Nobody', found)).data).toEqual([]);
    expect(statements.filter((text) => text.includes('authors'))).toHaveLength(1);
  });

  it('are shown in children as asked for, in their order', async () => {
    const request =
      'sort=name&perPage=1&include[teachers][filter][name]=Ada&include[books][filter][title][in]=Notes,Sketches&include[books][filter][author.name]=Ada&include[books][sort]=-author.name,-title';
    expect(await list(request)).toMatchObject([
      {
        name: 'Ada',
        teachers: [],
        books: [
          { title: 'Sketches', 'editions.$count': 0, 'editions.$max.run': null },
          { title: 'Notes', 'editions.$count': 2, 'editions.$max.run': 2 },
        ],
      },
    ]);
    expect(await list(`${request}&include[books][perPage]=1`)).toMatchObject([
      { books: [{ title: 'Sketches' }], $truncated: ['books'] },
    ]);
    const [whole] = await list(`${request}&include[books][perPage]=2`);
    expect(whole).toMatchObject({ books: [{}, {}] });
    expect(whole).not.toHaveProperty('$truncated');
  });

  it('are shown on one entity', async () => {
    if (!library) return;
    const source = typeormSource(library.dataSource, Author, { hydrate: true });
    const one = await runOne(source, 1, 'includes=books&include[books][sort]=-title', rules);
    expect(one).toBeInstanceOf(Author);
    expect(one).toMatchObject({ 'books.$count': 2, books: [{ title: 'Sketches' }, {}] });
  });

  it('refuse a named pattern on a column with a transformer', async () => {
    if (!library) return;
    const value = 'a';
    const named = defineQueryRules(registry, 'author', {
      aggregates: {
        teachers: {
          count: true,
          where: { quiet: { type: 'condition', path: 'motto', operator: 'like', value } },
        },
      },
      fields: { root: { allowed: ['name', 'teachers.$count.quiet'], default: ['name'] } },
    });
    const refused = runQuery(typeormSource(library.dataSource, Author), '', named);
    await expect(refused).rejects.toThrow(QueryError);
    await expect(refused).rejects.toThrow(/^author\.motto: .*transformer/);
  });
});
