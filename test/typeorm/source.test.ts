/** Plain rows through `typeormSource`: embedded entities, transformers, inheritance, soft deletion, relations. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeormSource } from '../../src/adapters/typeorm/index.ts';
import { type ModelScopes, QueryError, defineQueryRules, runQuery } from '../../src/index.ts';
import { Author, Book, Edition, Film, Media, Passport, Sound, Stamp } from './library.ts';
import { type Library, families, filledLibrary, registry } from './open-library.ts';
import { cursorKeys } from '../cursor-keys.ts';

const named = { allowed: ['name'], default: ['name'] };
const titled = { allowed: ['title'], default: ['title'] };

const authors = defineQueryRules(
  registry,
  'author',
  {
    filters: [
      { path: 'name', operators: ['eq', 'in', 'like', 'ilike'] },
      { path: 'fee', operators: ['eq', 'gt', 'in'] },
      { path: 'motto', operators: ['eq', 'in'] },
      { path: 'mood', operators: ['eq'] },
      { path: 'active', operators: ['eq'] },
      { path: 'createdAt', operators: ['gte', 'lt'] },
      { path: 'address.city', operators: ['eq', 'ilike'] },
      { path: 'address.at.x', operators: ['eq'] },
      { path: 'address.nearest.code', operators: ['eq'] },
      { path: 'address.nearest', operators: ['isNull'] },
      { path: 'publisher.code', operators: ['eq'] },
      { path: 'passport.number', operators: ['eq'] },
      { path: 'books.title', operators: ['eq'] },
      { path: 'books', operators: ['isNull'] },
      { path: 'books.editions.shelves.place', operators: ['eq'] },
      { path: 'teachers.name', operators: ['eq'] },
      { path: 'students.name', operators: ['eq'] },
    ],
    sorts: ['name', 'address.city', 'createdAt', 'mood'],
    search: ['name', 'address.city'],
    fields: {
      root: {
        allowed: [
          'id',
          'name',
          'mood',
          'email',
          'tags',
          'settings',
          'fee',
          'motto',
          'words',
          'royalty',
          'active',
          'bornOn',
          'createdAt',
        ],
        default: ['name'],
      },
      relations: {
        address: { allowed: ['street', 'city'], default: ['city'] },
        'address.at': { allowed: ['x', 'y'], default: ['x', 'y'] },
        'address.nearest': { allowed: ['code'], default: ['code'] },
        publisher: { allowed: ['code'], default: ['code'] },
        passport: { allowed: ['number'], default: ['number'] },
        books: titled,
        'books.editions': { allowed: ['run'], default: ['run'] },
        'books.editions.shelves': { allowed: ['room', 'place'], default: ['room', 'place'] },
        teachers: named,
        students: named,
      },
    },
    includes: [
      'address',
      'address.at',
      'address.nearest',
      'publisher',
      'passport',
      'books',
      'books.editions',
      'books.editions.shelves',
      'teachers',
      'students',
    ],
    pagination: { mode: 'both' },
  },
  { cursorKeys },
);
const books = defineQueryRules(registry, 'book', {
  filters: [{ path: 'title', operators: ['eq'] }],
  sorts: ['title'],
  fields: { root: titled },
});
const titles = { fields: { root: titled }, sorts: ['title'] } as const;

it.each([undefined, null, {}, 'author'])('refuses %j in place of a repository', (wrong) => {
  expect(() => typeormSource(wrong as never)).toThrow(
    '"repository" must be a Repository or a DataSource',
  );
});

describe.each(families)('plain rows on %s', (family) => {
  let library: Library | null = null;
  beforeAll(async () => {
    library = await filledLibrary(family, 'source');
  });
  afterAll(() => library?.close());

  const dataSource = () => {
    if (!library) throw new Error('the database is missing');
    return library.dataSource;
  };
  const list = async (request: string) => {
    const { data } = await runQuery(typeormSource(dataSource(), Author), request, authors);
    return data;
  };
  const names = async (request: string) => (await list(request)).map(({ name }) => name);

  it('presents every kind like the entity', async () => {
    expect(
      await list(
        'filter[name]=Ada&fields=id,name,mood,email,tags,settings,fee,motto,words,royalty,active,bornOn',
      ),
    ).toEqual([
      {
        id: 1,
        name: 'Ada',
        mood: 'wild',
        email: 'ada@example.com',
        tags: ['maths', 'poetry'],
        settings: { theme: 'dark' },
        fee: 2.5,
        motto: 'Ada!',
        words: '9007199254740993',
        royalty: '12.5',
        active: true,
        bornOn: '1815-12-10',
      },
    ]);
    expect(await list('filter[name]=Cid&fields=tags,settings,active,mood')).toEqual([
      { tags: [], settings: null, active: false, mood: null },
    ]);
    const [ada] = await list('fields=createdAt&perPage=1');
    expect(ada?.createdAt).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('applies transformers to filter values', async () => {
    expect(await names('filter[motto]=Bob!')).toEqual(['Bob']);
    expect(await names('filter[motto][in]=Bob!,Cid!')).toEqual(['Bob', 'Cid']);
    expect(await names('filter[fee]=2')).toEqual([]);
    expect(await names('filter[fee][gt]=2')).toEqual(['Ada']);
  });

  it('searches companions that TypeORM has filled', async () => {
    expect(await names('filter[name][ilike]=AD')).toEqual(['Ada']);
    expect(await names('search=öSTER')).toEqual(['Ada']);
    expect(await names('sort=mood')).toEqual(['Cid', 'Bob', 'Ada']);
  });

  it('filters by embedded entities and nests them in rows', async () => {
    expect(await names('filter[address.city]=Bob%20Town')).toEqual(['Bob']);
    expect(await names('filter[address.at.x]=3')).toEqual(['Ada']);
    expect(await names('filter[address.nearest.code]=north')).toEqual(['Ada']);
    expect(await names('filter[address.nearest][isNull]=true')).toEqual(['Bob', 'Cid']);
    expect(await names('sort=-address.city')).toEqual(['Ada', 'Cid', 'Bob']);
    expect(
      await list('filter[name][in]=Ada,Bob&includes=address,address.at,address.nearest'),
    ).toEqual([
      {
        name: 'Ada',
        address: { city: 'Östersund', at: { x: 3, y: 4 }, nearest: { code: 'north' } },
      },
      { name: 'Bob', address: { city: 'Bob Town', at: { x: 1, y: null }, nearest: null } },
    ]);
  });

  it('follows relations of every kind', async () => {
    expect(await names('filter[publisher.code]=south')).toEqual(['Bob']);
    expect(await names('filter[passport.number]=P1')).toEqual(['Ada']);
    expect(await names('filter[teachers.name]=Ada')).toEqual(['Bob', 'Cid']);
    expect(await names('filter[students.name]=Cid')).toEqual(['Ada', 'Bob']);
    expect(await names('filter[books.editions.shelves.place]=7')).toEqual(['Ada']);
    expect(
      await list(
        'filter[name]=Ada&includes=publisher,passport,students,books,books.editions,books.editions.shelves',
      ),
    ).toEqual([
      {
        name: 'Ada',
        publisher: { code: 'north' },
        passport: { number: 'P1' },
        students: [{ name: 'Bob' }, { name: 'Cid' }],
        books: [
          {
            title: 'Notes',
            editions: [
              { run: 1, shelves: [{ room: 'A', place: 7 }] },
              { run: 2, shelves: [] },
            ],
          },
          { title: 'Sketches', editions: [] },
        ],
      },
    ]);
  });

  it('omits soft-deleted rows of the root and of relations', async () => {
    const source = typeormSource(dataSource().getRepository(Book));
    expect(await runQuery(source, 'sort=title', books)).toMatchObject({
      data: [{ title: 'Notes' }, { title: 'Sketches' }],
      total: 2,
    });
    expect(await names('filter[books.title]=Lost')).toEqual([]);
    expect(await names('filter[books][isNull]=false')).toEqual(['Ada']);
  });

  it('shows no soft-deleted row through a relation to one', async () => {
    const rules = defineQueryRules(registry, 'edition', {
      filters: [{ path: 'book.title', operators: ['eq'] }],
      sorts: ['run', 'book.title'],
      fields: {
        root: { allowed: ['run'], default: ['run'] },
        relations: { book: titled },
      },
      includes: ['book'],
    });
    const { manager } = dataSource();
    const lost = await manager.findOneOrFail(Book, { where: { title: 'Lost' }, withDeleted: true });
    await manager.save(Edition, { bookId: lost.id, run: 3, shelves: [] });
    try {
      const editions = async (request: string, options = {}) => {
        const source = typeormSource(dataSource(), Edition, options);
        return (await runQuery(source, request, rules)).data;
      };
      const notes = { title: 'Notes' };
      expect(await editions('sort=run&includes=book')).toEqual([
        { run: 1, book: notes },
        { run: 2, book: notes },
        { run: 3, book: null },
      ]);
      expect(await editions('sort=book.title,run')).toEqual([{ run: 3 }, { run: 1 }, { run: 2 }]);
      expect(await editions('filter[book.title]=Lost')).toEqual([]);
      expect(await editions('filter[book.title]=Lost', { withDeleted: true })).toEqual([
        { run: 3 },
      ]);
    } finally {
      await manager.delete(Edition, { bookId: lost.id });
    }
  });

  it('refuses a scope of an embedded entity, which no statement would apply', async () => {
    const scoped = (address: ModelScopes[string]) =>
      defineQueryRules(
        registry,
        'author',
        {
          filters: [{ path: 'address.city', operators: ['eq'] }],
          fields: { root: named, relations: { address: { allowed: ['city'], default: ['city'] } } },
          includes: ['address'],
        },
        { scopes: { author: 'unscoped', author_address: address } as ModelScopes },
      );
    const source = typeormSource(dataSource(), Author);
    const hidden = scoped(() => ({ type: 'condition', path: 'city', operator: 'eq', value: 'x' }));
    for (const request of ['includes=address', 'filter[address.city]=Bob%20Town']) {
      await expect(runQuery(source, request, hidden, { scope: {} })).rejects.toThrow(
        'author.address is stored in the row of author, whose scope decides about it',
      );
      const { data } = await runQuery(source, request, scoped('unscoped'), { scope: {} });
      expect(data).not.toEqual([]);
    }
  });

  it('includes soft-deleted rows with withDeleted', async () => {
    const { data } = await runQuery(
      typeormSource(dataSource(), Book, { withDeleted: true }),
      'sort=title',
      books,
    );
    expect(data).toEqual([{ title: 'Lost' }, { title: 'Notes' }, { title: 'Sketches' }]);
    const found = await runQuery(
      typeormSource(dataSource(), Author, { withDeleted: true }),
      'filter[books.title]=Lost',
      authors,
    );
    expect(found.data).toEqual([{ name: 'Ada' }]);
  });

  it('restricts a child of single table inheritance to its rows', async () => {
    const sounds = defineQueryRules(registry, 'sound', {
      ...titles,
      fields: { root: { allowed: ['title', 'minutes'], default: ['title', 'minutes'] } },
    });
    expect(await runQuery(typeormSource(dataSource(), Sound), '', sounds)).toMatchObject({
      data: [{ title: 'Rain', minutes: 3 }],
      total: 1,
    });
    const films = defineQueryRules(registry, 'film', titles);
    const { data } = await runQuery(typeormSource(dataSource(), Film), '', films);
    expect(data).toEqual([{ title: 'Train' }]);
    const media = defineQueryRules(registry, 'media', titles);
    expect(await runQuery(typeormSource(dataSource(), Media), '', media)).toMatchObject({
      total: 2,
    });
  });

  it('orders by keys in embedded entities', async () => {
    const rules = defineQueryRules(registry, 'stamp', {
      fields: {
        root: { allowed: ['motif'], default: ['motif'] },
        relations: { key: { allowed: ['serial'], default: ['serial'] } },
      },
      includes: ['key'],
    });
    const { data } = await runQuery(typeormSource(dataSource(), Stamp), 'includes=key', rules);
    expect(data).toEqual([
      { motif: 'bear', key: { serial: 9 } },
      { motif: 'elk', key: { serial: 3 } },
    ]);
  });

  it('pages by keyset over instants written by the database', async () => {
    const seen: unknown[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null && page < 5; page += 1) {
      const request: string = `sort=-createdAt&perPage=1&cursor=${cursor}`;
      const result = await runQuery(typeormSource(dataSource(), Author), request, authors);
      seen.push(...result.data.map(({ name }) => name));
      cursor = 'nextCursor' in result ? result.nextCursor : null;
    }
    expect(seen.toSorted()).toEqual(['Ada', 'Bob', 'Cid']);
    const [{ createdAt } = {}] = await list('fields=createdAt&perPage=1');
    expect(
      await names(`filter[createdAt][gte]=${createdAt}&filter[createdAt][lt]=2100-01-01T00:00:00Z`),
    ).toEqual(['Ada', 'Bob', 'Cid']);
  });

  it('refuses patterns on columns with a transformer', async () => {
    const rules = defineQueryRules(registry, 'author', {
      filters: [{ path: 'motto', operators: ['like'] }],
      fields: { root: named },
    });
    const error: unknown = await runQuery(typeormSource(dataSource(), Author), '', rules).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(QueryError);
    expect(error).toMatchObject({ code: 'SOURCE_CONFIGURATION_INVALID' });
    expect((error as QueryError).message).toMatch(/^author\.motto: .*transformer/);
  });

  it('passes the source check for every model', () => {
    const source = typeormSource(dataSource(), Author, { registry });
    for (const schema of registry.values()) {
      const described = source.origin?.describe(schema.model);
      expect(described?.primaryKey).toEqual(schema.primaryKey);
      for (const { path, kind, nullable } of schema.fields) {
        const field = described?.fields.get(path);
        expect([path, field?.nullable]).toEqual([path, nullable]);
        expect([...(field?.kinds ?? [])]).toContain(kind);
      }
      for (const { path, target, cardinality, nullable } of schema.relations) {
        const relation = described?.relations.get(path);
        expect([path, relation]).toMatchObject([path, { target, cardinality }]);
        expect([nullable, undefined]).toContain(relation?.nullable);
      }
    }
  });

  it('accepts rules that were compiled with another registry', async () => {
    const { data } = await runQuery(
      typeormSource(dataSource(), Passport),
      '',
      defineQueryRules(registry, 'passport', {
        fields: { root: { allowed: ['number'], default: ['number'] } },
      }),
    );
    expect(data).toEqual([{ number: 'P1' }]);
    expect(typeormSource(dataSource(), Edition).registry.get('edition')?.primaryKey).toEqual([
      'bookId',
      'run',
    ]);
  });
});
