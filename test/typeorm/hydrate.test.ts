/** `hydrate: true`: rows are entities, processed by TypeORM's listeners and transformers. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { Author, Book, Edition, Film, Stamp } from './library.ts';
import { type Library, families, filledLibrary, registry } from './open-library.ts';
import { cursorKeys } from '../cursor-keys.ts';

const rules = defineQueryRules(
  registry,
  'author',
  {
    filters: [
      { path: 'name', operators: ['eq', 'in'] },
      { path: 'books.title', operators: ['eq'] },
      { path: 'publisher.code', operators: ['eq'] },
    ],
    sorts: ['name', 'publisher.code', 'createdAt'],
    fields: {
      root: { allowed: ['id', 'name', 'tags', 'fee', 'createdAt'], default: ['id', 'name'] },
      relations: {
        address: { allowed: ['city'], default: ['city'] },
        'address.at': { allowed: ['x'], default: ['x'] },
        'address.nearest': { allowed: ['code'], default: ['code'] },
        publisher: { allowed: ['code'], default: ['code'] },
        passport: { allowed: ['number'], default: ['number'] },
        books: { allowed: ['title'], default: ['title'] },
        'books.editions': { allowed: ['run'], default: ['run'] },
        teachers: { allowed: ['name'], default: ['name'] },
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
      'teachers',
    ],
    pagination: { mode: 'both' },
  },
  { cursorKeys },
);

describe.each(families)('entities on %s', (family) => {
  let library: Library | null = null;
  beforeAll(async () => {
    library = await filledLibrary(family, 'hydrate');
  });
  afterAll(() => library?.close());

  const opened = () => {
    if (!library) throw new Error('the database is missing');
    return library;
  };
  const list = async (request: string) => {
    const source = typeormSource(opened().dataSource, Author, { hydrate: true });
    // On the first request a slow page may run a count that is not needed; later requests predict the total.
    await runQuery(source, request, rules);
    opened().statements.length = 0;
    return runQuery(source, request, rules);
  };
  const statements = () =>
    opened().statements.filter((text) => /^(?:\/\*.*?\*\/)?select/i.test(text)).length;

  it('are created by TypeORM, with listeners and transformers', async () => {
    const result = await list('sort=-name&fields=name,fee,tags&perPage=2');
    expect(result).toMatchObject({ total: 3, lastPage: 2 });
    const [cid, bob] = result.data;
    expect(cid).toBeInstanceOf(Author);
    expect(cid).toEqual(
      Object.assign(new Author(), { name: 'Cid', fee: 1.5, tags: [], greeting: 'I am Cid' }),
    );
    expect(bob?.greeting).toBe('I am Bob');
    expect(JSON.stringify(cid)).not.toMatch(/secret|note/);
  });

  it('require one statement with one relations and filters', async () => {
    const { data } = await list(
      'includes=address,address.at,address.nearest,publisher,passport&filter[books.title]=Notes&sort=-publisher.code&perPage=5',
    );
    expect(data).toMatchObject([
      {
        name: 'Ada',
        address: { city: 'Östersund', at: { x: 3 }, nearest: { code: 'north' } },
        publisher: { code: 'north' },
        passport: { number: 'P1' },
        greeting: 'I am Ada',
      },
    ]);
    expect(statements()).toBe(1);
    const absent = await list('filter[name]=Cid&includes=publisher,passport');
    expect(absent.data).toMatchObject([{ name: 'Cid', publisher: null, passport: null }]);
  });

  it('require two statements with many relations, for any page', async () => {
    const { data } = await list('includes=books,books.editions,teachers&sort=-name&perPage=3');
    expect(data).toMatchObject([
      { name: 'Cid', books: [], teachers: [{ name: 'Ada' }, { name: 'Bob' }] },
      { name: 'Bob', books: [], teachers: [{ name: 'Ada' }] },
      {
        name: 'Ada',
        books: [
          { title: 'Notes', editions: [{ run: 1 }, { run: 2 }] },
          { title: 'Sketches', editions: [] },
        ],
        teachers: [],
      },
    ]);
    expect(data[2]?.books[0]).toBeInstanceOf(Book);
    // The third statement is the count of a full first page.
    expect(statements()).toBe(3);
    const second = await list('includes=books&sort=-name&perPage=2&page=2');
    expect(second).toMatchObject({ data: [{ name: 'Ada' }], total: 3 });
    expect(statements()).toBe(2);
    expect(await list('includes=books&filter[name]=Nobody')).toMatchObject({ data: [], total: 0 });
  });

  it.each(['', '&includes=books'])('page in both directions by cursor%s', async (includes) => {
    const request = `perPage=1&sort=-createdAt${includes}`;
    const names: unknown[] = [];
    let result = await list(`${request}&cursor=`);
    let before: string | null = null;
    for (let page = 0; page < 4; page += 1) {
      names.push(...result.data.map(({ name }) => name));
      if (!('nextCursor' in result)) throw new Error('expected a keyset page');
      before = result.prevCursor;
      if (result.nextCursor === null) break;
      result = await list(`${request}&cursor=${result.nextCursor}`);
    }
    expect(names.toSorted()).toEqual(['Ada', 'Bob', 'Cid']);
    const back = await list(`${request}&cursor=${before}`);
    expect(back.data.map(({ name }) => name)).toEqual(names.slice(1, 2));
  });

  it('are in the order of the page where it is the first one and read backwards', async () => {
    const request = 'perPage=2&sort=name&includes=books';
    const first = await list(`${request}&cursor=`);
    if (!('nextCursor' in first)) throw new Error('expected a keyset page');
    const second = await list(`${request}&cursor=${first.nextCursor}`);
    if (!('prevCursor' in second)) throw new Error('expected a keyset page');
    const back = await list(`${request}&cursor=${second.prevCursor}`);
    expect(back.data.map(({ name }) => name)).toEqual(['Ada', 'Bob']);
  });

  it('have the related rows of their scopes alone', async () => {
    const scoped = defineQueryRules(
      registry,
      'author',
      {
        sorts: ['name'],
        fields: {
          root: { allowed: ['name'], default: ['name'] },
          relations: {
            books: { allowed: ['title'], default: ['title'] },
            'books.editions': { allowed: ['run'], default: ['run'] },
            publisher: { allowed: ['code'], default: ['code'] },
            teachers: { allowed: ['name'], default: ['name'] },
          },
        },
        includes: ['books', 'books.editions', 'publisher', 'teachers'],
      },
      {
        scopes: {
          author: ({ writer }: { writer: string }) => ({
            type: 'condition',
            path: 'name',
            operator: 'ne',
            value: writer,
          }),
          book: () => ({ type: 'condition', path: 'title', operator: 'eq', value: 'Notes' }),
          edition: () => ({ type: 'condition', path: 'run', operator: 'eq', value: 2 }),
          publisher: () => ({ type: 'condition', path: 'code', operator: 'eq', value: 'south' }),
        },
      },
    );
    const source = typeormSource(opened().dataSource, Author, { hydrate: true });
    const seen = async (writer: string) => {
      const request = 'sort=name&includes=books,books.editions,publisher,teachers';
      const page = await runQuery(source, request, scoped, { scope: { writer } });
      return JSON.parse(
        JSON.stringify(page.data, (key, value: unknown) =>
          key === 'greeting' ? undefined : value,
        ),
      ) as unknown;
    };
    const bob = { name: 'Bob', books: [], publisher: { code: 'south' } };
    const cid = { name: 'Cid', books: [], publisher: null };
    expect(await seen('Ada')).toEqual([
      { ...bob, teachers: [] },
      { ...cid, teachers: [{ name: 'Bob' }] },
    ]);
    expect(await seen('Bob')).toEqual([
      {
        name: 'Ada',
        books: [{ title: 'Notes', editions: [{ run: 2 }] }],
        publisher: null,
        teachers: [],
      },
      { ...cid, teachers: [{ name: 'Ada' }] },
    ]);
  });

  it('are none of a row that leaves the scope between the two statements of its page', async () => {
    const named = { allowed: ['name'], default: ['name'] };
    const titled = { allowed: ['title'], default: ['title'] };
    const scoped = defineQueryRules(
      registry,
      'author',
      {
        sorts: ['name'],
        fields: { root: named, relations: { books: titled } },
        includes: ['books'],
      },
      {
        scopes: {
          author: () => ({ type: 'condition', path: 'name', operator: 'ne', value: 'Gone' }),
          book: 'unscoped',
        },
      },
    );
    const runner = opened().dataSource.createQueryRunner();
    await runner.startTransaction();
    const query = runner.query.bind(runner) as (...given: unknown[]) => Promise<unknown>;
    let sent = 0;
    const spied = async (...given: unknown[]): Promise<unknown> => {
      sent += 1;
      if (sent === 2) await runner.manager.update(Author, { name: 'Bob' }, { name: 'Gone' });
      return query(...given);
    };
    Object.assign(runner, { query: spied });
    const source = typeormSource(runner.manager.getRepository(Author), { hydrate: true });
    const page = await runQuery(source, 'sort=name&includes=books', scoped, { scope: {} });
    await runner.rollbackTransaction();
    await runner.release();
    expect(page.data.map(({ name }) => name)).toEqual(['Ada', 'Cid']);
  });

  it('are those that are softly deleted too with withDeleted', async () => {
    const books = defineQueryRules(registry, 'book', {
      sorts: ['title'],
      fields: { root: { allowed: ['title'], default: ['title'] } },
    });
    const titles = async (options: { withDeleted?: true }) => {
      const source = typeormSource(opened().dataSource, Book, { hydrate: true, ...options });
      const { data } = await runQuery(source, 'sort=title', books);
      return data.map(({ title }) => title);
    };
    expect(await titles({})).toEqual(['Notes', 'Sketches']);
    expect(await titles({ withDeleted: true })).toEqual(['Lost', 'Notes', 'Sketches']);
    const all = typeormSource(opened().dataSource, Author, { hydrate: true, withDeleted: true });
    const { data } = await runQuery(all, 'filter[name]=Ada&includes=books', rules);
    expect(data[0]?.books.map(({ title }) => title)).toEqual(['Notes', 'Sketches', 'Lost']);
  });

  it('are returned without pages up to the cap', async () => {
    expect((await list('paginate=false&includes=books')).data).toHaveLength(3);
  });

  it('are there when everything that they show is null, roots and included ones', async () => {
    const { dataSource } = opened();
    const bare = defineQueryRules(
      registry,
      'author',
      {
        sorts: ['name'],
        fields: {
          root: { allowed: ['email', 'royalty'], default: ['email'] },
          relations: {
            teachers: { allowed: ['email'], default: ['email'] },
            students: { allowed: ['email'], default: ['email'] },
            'students.students': { allowed: ['email'], default: ['email'] },
            address: { allowed: ['city'], default: ['city'] },
            'address.at': { allowed: ['y'], default: ['y'] },
          },
        },
        includes: ['teachers', 'students', 'students.students', 'address', 'address.at'],
        pagination: { mode: 'both' },
      },
      { cursorKeys },
    );
    const source = typeormSource(dataSource, Author, { hydrate: true });
    const emails = async (request: string) =>
      JSON.parse(
        JSON.stringify(await runQuery(source, request, bare), (key, value: unknown) =>
          key === 'greeting' ? undefined : value,
        ),
      ) as object;
    const nobody = { email: null };
    const ada = { email: 'ada@example.com' };
    expect(await emails('sort=-name')).toEqual({
      data: [nobody, nobody, ada],
      page: 1,
      perPage: 10,
      total: 3,
      lastPage: 1,
    });
    expect(await emails('sort=-name&fields=royalty&perPage=2')).toMatchObject({
      data: [{ royalty: null }, { royalty: null }],
      total: 3,
    });
    expect(await emails('sort=name&includes=students,students.students')).toMatchObject({
      data: [
        {
          ...ada,
          students: [
            { ...nobody, students: [nobody] },
            { ...nobody, students: [] },
          ],
        },
        { ...nobody, students: [{ ...nobody, students: [] }] },
        { ...nobody, students: [] },
      ],
      total: 3,
    });
    expect(
      await emails('sort=-name&includes=teachers,address,address.at&perPage=1&cursor='),
    ).toMatchObject({
      data: [
        { ...nobody, teachers: [ada, nobody], address: { city: 'Cid Town', at: { y: null } } },
      ],
    });
  });

  it('omit keys that are not projected', async () => {
    const request = 'fields=name&includes=books,books.editions,publisher&sort=name&perPage=1';
    expect(JSON.parse(JSON.stringify((await list(request)).data))).toEqual([
      {
        name: 'Ada',
        greeting: 'I am Ada',
        publisher: { code: 'north' },
        books: [
          { title: 'Notes', editions: [{ run: 1 }, { run: 2 }] },
          { title: 'Sketches', editions: [] },
        ],
      },
    ]);
    const stamps = defineQueryRules(registry, 'stamp', {
      fields: { root: { allowed: ['motif'], default: ['motif'] } },
    });
    const source = typeormSource(opened().dataSource, Stamp, { hydrate: true });
    const { data } = await runQuery(source, '', stamps);
    expect(JSON.stringify(data)).toBe('[{"motif":"bear"},{"motif":"elk"}]');
  });

  it('can have composite keys, and are omitted when soft-deleted', async () => {
    const { dataSource } = opened();
    const editions = defineQueryRules(registry, 'edition', {
      fields: {
        root: { allowed: ['run'], default: ['run'] },
        relations: { shelves: { allowed: ['room'], default: ['room'] } },
      },
      includes: ['shelves'],
    });
    const source = typeormSource(dataSource, Edition, { hydrate: true });
    const { data } = await runQuery(source, 'includes=shelves', editions);
    expect(data).toMatchObject([
      { run: 1, shelves: [{ room: 'A' }] },
      { run: 2, shelves: [] },
    ]);
    const films = defineQueryRules(registry, 'film', {
      fields: { root: { allowed: ['title'], default: ['title'] } },
    });
    const found = await runQuery(typeormSource(dataSource, Film, { hydrate: true }), '', films);
    expect(found.data).toMatchObject([{ title: 'Train' }]);
    expect(found.data[0]).toBeInstanceOf(Film);
    const stamps = defineQueryRules(registry, 'stamp', {
      fields: { root: { allowed: ['motif'], default: ['motif'] } },
    });
    const all = typeormSource(dataSource, Stamp, { hydrate: true });
    expect((await runQuery(all, '', stamps)).data).toMatchObject([
      { motif: 'bear' },
      { motif: 'elk' },
    ]);
  });

  it('respect customize, a signal and a timeout', async () => {
    const { dataSource } = opened();
    const source = typeormSource(dataSource, Author, { hydrate: true });
    for (const includes of ['', 'includes=books']) {
      const result = await runQuery(source, includes, rules, {
        timeoutMs: 5000,
        customize: (builder) => builder.andWhere('authors.name = :only or 1 = 0', { only: 'Bob' }),
      });
      expect(result).toMatchObject({ data: [{ name: 'Bob' }], total: 1 });
    }
  });
});
