/** What a host may do with a Prisma source: extensions, transactions, its own conditions, time limits; what errors say. */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkProfile, prismaSource } from '../../src/adapters/prisma/index.ts';
import type { CompiledQueryRules, DatabaseFamily, ListResult } from '../../src/index.ts';
import { QueryError, defineQueryRules, runQuery } from '../../src/index.ts';
import type { AnyClient, AnyCustomize, Shop } from './fixtures/open-shop.ts';
import { openShop } from './fixtures/open-shop.ts';

const families: readonly DatabaseFamily[] = ['sqlite', 'postgresql', 'mysql'];
const worlds = ([7, 6] as const).flatMap((version) =>
  families.map((family) => ({ family, version })),
);

const ids = (result: ListResult<object>) => result.data.map((row) => Object.values(row)[0]);

async function refusal(work: () => Promise<unknown>): Promise<QueryError> {
  const error: unknown = await work().then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof QueryError)) throw error ?? new Error('It was not refused.');
  return error;
}

describe.each(worlds)('a source of Prisma $version on $family', ({ family, version }) => {
  let shop: Shop;
  let rules: CompiledQueryRules;
  let keyset: CompiledQueryRules;

  beforeAll(async () => {
    const opened = await openShop(family, 'prisma_source', version);
    if (!opened) return;
    shop = opened;
    const declaration = {
      filters: [
        { path: 'id', operators: ['eq', 'gte', 'lte', 'in'] },
        { path: 'name', operators: ['like'] },
        { path: 'colour', operators: ['eq', 'ne', 'in', 'like', 'isNull'] },
        { path: 'size', operators: ['eq', 'like'] },
        { path: 'tags.label', operators: ['eq', 'like'] },
        { path: 'likes.id', operators: ['eq'] },
        { path: 'likedBy.id', operators: ['eq'] },
        { path: 'likedBy', operators: ['isNull'] },
        { path: 'shelves.number', operators: ['eq'] },
        { path: 'detail', operators: ['isNull'] },
        { path: 'detail.text', operators: ['like'] },
      ],
      sorts: ['id', 'name', 'price', 'tenant.name', 'detail.text'],
      fields: {
        root: { allowed: ['id', 'name', 'colour', 'size'], default: ['id', 'name'] },
        relations: {
          tags: { allowed: ['id', 'label'], default: ['id'] },
          likes: { allowed: ['id'], default: ['id'] },
          likedBy: { allowed: ['id'], default: ['id'] },
          shelves: { allowed: ['room', 'number'], default: ['room', 'number'] },
          places: { allowed: ['id'], default: ['id'] },
          detail: { allowed: ['text'], default: ['text'] },
        },
      },
      includes: ['tags', 'likes', 'likedBy', 'shelves', 'places', 'detail'],
    } as const;
    rules = defineQueryRules(shop.registry, 'thing', declaration);
    keyset = defineQueryRules(shop.registry, 'thing', {
      ...declaration,
      pagination: { mode: 'keyset' },
    });
  });
  beforeEach((context) => {
    if (!shop) context.skip();
    shop.statements.splice(0);
  });
  afterAll(() => shop?.close());

  const run = (request: string, options: object = {}, client?: object) =>
    runQuery(shop.source('thing', client), request, rules, options);
  /** Statements that Sluice wrote itself. */
  const written = () => shop.statements.filter((text) => text.startsWith('select'));

  it("shows the client's names of mapped members, or what is stored where the enum says so", async () => {
    const result = await run('filter[id][lte]=3&fields=colour,size');
    expect(result.data).toEqual([
      { colour: 'GREEN', size: 'large' },
      { colour: 'BLUE', size: 'small' },
      { colour: null, size: 'large' },
    ]);
    expect(ids(await run('filter[colour]=GREEN&filter[id][lte]=9'))).toEqual([1, 5, 9]);
    expect(ids(await run('filter[size]=large&filter[id][lte]=5'))).toEqual([1, 3, 5]);
    expect(ids(await run('filter[colour][like]=E&filter[id][lte]=5'))).toEqual([1, 2, 4, 5]);
    // The same in SQL, where the database's own members are compared.
    const inSql = await run('filter[colour][in]=RED,GREEN&filter[id][lte]=9&sort=detail.text,id');
    expect(ids(inSql)).toEqual([4, 5, 8, 9, 1]);
  });

  it('follows both ways of implicit many-to-many relations, in one model too', async () => {
    const request = 'filter[id][lte]=4&includes=tags,likes,likedBy&fields=id';
    expect((await run(request)).data).toEqual([
      { id: 1, tags: [{ id: 1 }, { id: 2 }], likes: [{ id: 2 }, { id: 3 }], likedBy: [{ id: 4 }] },
      { id: 2, tags: [{ id: 3 }], likes: [], likedBy: [{ id: 1 }] },
      { id: 3, tags: [], likes: [], likedBy: [{ id: 1 }] },
      { id: 4, tags: [], likes: [{ id: 1 }], likedBy: [] },
    ]);
    const answers: readonly (readonly [string, readonly number[]])[] = [
      ['filter[likes.id]=1', [4]],
      ['filter[likedBy.id]=1', [2, 3]],
      ['filter[tags.label]=new', [1]],
      ['filter[tags.label][like]=50%25', [2]],
      ['filter[likedBy][isNull]=false', [1, 2, 3]],
      ['filter[shelves.number]=2&filter[id][lte]=3', [1, 3]],
    ];
    for (const [filters, expected] of answers) {
      expect(ids(await run(filters))).toEqual(expected);
      // Ordered by what only SQL can place, the same rows come by the other way.
      shop.statements.splice(0);
      const sorted = await run(`${filters}&sort=detail.text`);
      expect(new Set(ids(sorted))).toEqual(new Set(expected));
      if (family === 'postgresql') expect(written().length).toBeGreaterThan(0);
    }
  });

  it('follows a relation through a join model', async () => {
    const result = await run('filter[id][lte]=2&includes=shelves&fields=id');
    expect(result.data).toEqual([
      { id: 1, shelves: [{ room: 1, number: 2 }] },
      { id: 2, shelves: [{ room: 1, number: 1 }] },
    ]);
    const twice = await refusal(() => run('includes=shelves,places'));
    expect(twice.code).toBe('CAPABILITY_UNAVAILABLE');
  });

  it('costs what hand-written findMany and count cost', async () => {
    // The first time, a slow page may start its count to save the wait; then the total is foreseen.
    const costOf = async (request: string) => {
      await run(request);
      await sleep(100);
      shop.statements.splice(0);
      await run(request);
      return shop.statements.length;
    };
    expect(await costOf('filter[id][gte]=2&sort=-name&perPage=5&page=2')).toBe(2);
    expect(written()).toEqual([]);
    expect(await costOf('filter[id][gte]=29')).toBe(1);
  });

  it('reads a keyset page in one statement, without a cursor of Prisma', async () => {
    let cursor: string | null = null;
    const seen: unknown[] = [];
    do {
      shop.statements.splice(0);
      const request: string = `sort=-price&perPage=7${cursor === null ? '' : `&cursor=${cursor}`}`;
      const page: ListResult<object> = await runQuery(shop.source('thing'), request, keyset);
      seen.push(...ids(page));
      cursor = 'nextCursor' in page ? page.nextCursor : null;
      // Decimals of 65 digits are compared as doubles on MySQL, unless SQL casts them.
      expect(shop.statements).toHaveLength(family === 'mysql' ? 2 : 1);
    } while (cursor !== null);
    expect(seen).toEqual(Array.from({ length: 30 }, (_, index) => 30 - index));
  });

  it('runs through query extensions, and leaves result extensions alone', async () => {
    const asked: string[] = [];
    const extended = shop.client.$extends({
      query: {
        thing: {
          $allOperations: ({
            operation,
            args,
            query,
          }: {
            operation: string;
            args: object;
            query: (args: object) => Promise<unknown>;
          }) => {
            asked.push(operation);
            return query(args);
          },
        },
      },
      result: {
        thing: {
          shout: {
            needs: { name: true },
            compute: ({ name }: { name: string }) => name.toUpperCase(),
          },
        },
      },
    });
    const result = await run('perPage=2', {}, extended);
    expect(result).toMatchObject({ data: [{ id: 1, name: 'Thing 1' }, { id: 2 }], total: 30 });
    expect(asked.toSorted()).toEqual(['count', 'findMany']);
    // Keys by SQL are hydrated through the extended client as well.
    asked.splice(0);
    await run('filter[detail.text][like]=Detail&sort=detail.text&perPage=2', {}, extended);
    expect(asked).toContain('findMany');
  });

  it("stays in the caller's transaction, whichever way it goes", async () => {
    await shop.client.$transaction(async (tx) => {
      const writer = tx as unknown as {
        thing: { update(args: object): Promise<unknown> };
      };
      await writer.thing.update({ where: { id: 1 }, data: { name: '100% mine' } });
      expect(ids(await run('filter[name][like]=100%25', {}, tx))).toEqual([1]);
      const inSql = await run('filter[name][like]=100%25&sort=detail.text', {}, tx);
      expect(inSql).toMatchObject({ data: [{ id: 1, name: '100% mine' }], total: 1 });
      const before = await run('filter[name][like]=100%25');
      if (family !== 'sqlite') expect(before.data).toEqual([]);
      await writer.thing.update({ where: { id: 1 }, data: { name: 'Thing 1' } });
    });
  });

  it("limits the time inside a caller's transaction, which goes on", async () => {
    await shop.client.$transaction(async (tx) => {
      const limited = await run('perPage=5', { timeoutMs: 5000 }, tx);
      expect(limited).toMatchObject({ total: 30 });
      shop.statements.splice(0);
      expect(await run('sort=detail.text&perPage=5', {}, tx)).toMatchObject({ total: 30 });
    });
  });

  it('adds what customize says, and cannot be widened by it', async () => {
    const tenant: AnyCustomize = () => ({ where: { tenantId: 2 } });
    const widening: AnyCustomize = () => ({ where: { OR: [{ id: { gt: 0 } }, { id: 1 }] } });
    const own = [1, 4, 7, 10, 13, 16, 19, 22, 25, 28];
    for (const sort of ['', '&sort=tenant.name', '&sort=detail.text,id']) {
      const result = await run(`perPage=20${sort}`, { customize: tenant });
      expect(new Set(ids(result))).toEqual(new Set(own));
      expect(result).toMatchObject({ total: 10 });
    }
    expect(await run('filter[id][lte]=5', { customize: widening })).toMatchObject({ total: 5 });
    const inSql = await run('filter[name][like]=50%25&sort=detail.text', { customize: tenant });
    expect(new Set(ids(inSql))).toEqual(new Set([10, 25]));
    for (const nobody of [{ OR: [] }, { OR: [], AND: [{ id: { gt: 0 } }] }]) {
      for (const request of ['', 'filter[id][lte]=5', 'filter[id][in]=1,2&filter[name][like]=T']) {
        const kept = await run(request, { customize: () => ({ where: nobody }) });
        expect(kept).toMatchObject({ data: [], total: 0 });
        const first = runQuery(shop.source('thing'), `${request}&sort=-id,name`, keyset, {
          customize: () => ({ where: nobody }),
        });
        expect((await first).data).toEqual([]);
      }
    }
    const related: AnyCustomize = () => ({
      where: { tenant: { name: 'Tenant 2' }, cost: { in: [10, 40] } },
    });
    expect(
      ids(await run('filter[name][like]=T&sort=detail.text,-id', { customize: related })),
    ).toEqual([4, 1]);
  });

  it('refuses what customize may not do', async () => {
    const ordering: AnyCustomize = (args) => ({ ...args, orderBy: { id: 'desc' } });
    const first = await refusal(() => run('', { customize: ordering }));
    expect(first).toMatchObject({ code: 'SOURCE_CONFIGURATION_INVALID' });
    if (family !== 'postgresql') return;
    const unsaid: AnyCustomize = () => ({ where: { NOT: { tenantId: 2 } } });
    expect(await run('perPage=5', { customize: unsaid })).toMatchObject({ total: 20 });
    const second = await refusal(() => run('sort=detail.text', { customize: unsaid }));
    expect(second).toMatchObject({ code: 'CAPABILITY_UNAVAILABLE' });
  });

  it('limits the time of a statement, and says so', async () => {
    expect(await run('perPage=5', { timeoutMs: 5000 })).toMatchObject({ total: 30 });
    expect(await run('sort=detail.text', { timeoutMs: 5000 })).toMatchObject({ total: 30 });
    // SQLite runs in the process, where nothing can hold a statement up or stop it.
    if (family === 'sqlite') return;
    const release = await holdThings(shop);
    try {
      // Without its limit the statement would wait for the release.
      const error = await refusal(() => run('perPage=5', { timeoutMs: 300 }));
      expect(error.code).toBe('QUERY_TIMEOUT');
    } finally {
      await release();
    }
    expect(await run('perPage=5')).toMatchObject({ total: 30 });
  });

  it('stops waiting when the signal says so', async () => {
    const reason = new Error('The client went away.');
    await expect(run('', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('says that tables are missing, and shows neither SQL nor values', async () => {
    const absent = defineQueryRules(shop.registry, 'absent', {
      filters: [{ path: 'id', operators: ['eq'] }],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const error = await refusal(() => runQuery(shop.source('absent'), 'filter[id]=4711', absent));
    expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(JSON.stringify(error)).not.toMatch(/4711|nowhere|select/i);
  });

  it('takes a registry of the host beside the generated one', async () => {
    const { describedBy, client } = { describedBy: shop.registry, client: shop.client as object };
    const own = new Map(
      [...shop.registry].map(([name, schema]) => [name, { ...schema, relations: [] }]),
    );
    const ownRules = defineQueryRules(own, 'thing', {
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const options = { client: client as AnyClient, registry: own, model: 'thing' };
    expect(() => prismaSource(options)).toThrow(/describedBy/);
    const source = prismaSource({ ...options, describedBy });
    expect(await runQuery(source, 'perPage=1', ownRules)).toMatchObject({ total: 30 });
  });

  it('refuses a client without the model', () => {
    const options = { client: shop.client as object as AnyClient, registry: shop.registry };
    expect(() => prismaSource({ ...options, model: 'secret' })).toThrow(/no model "secret"/);
    expect(() => prismaSource({ ...options, model: 'nobody' })).toThrow(/no model "nobody"/);
  });

  it('knows where the database leaves the profile', async () => {
    const source = prismaSource({
      client: shop.client as object as AnyClient,
      registry: shop.registry,
      model: 'thing',
    });
    const found = await checkProfile(source);
    const rulesOf = new Set(found.map(({ where, rule }) => `${where} ${rule}`));
    expect(rulesOf).toContain('absent.id missing');
    if (family === 'postgresql') expect(rulesOf).toContain('thing.madeAt column-type');
  });
});

/** Holds the things, so that nobody can read them until they are let go. */
async function holdThings({ client, family }: Shop): Promise<() => Promise<void>> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let held = (): void => {};
  const holding = new Promise<void>((resolve) => {
    held = resolve;
  });
  const lock =
    family === 'postgresql'
      ? 'lock table things in access exclusive mode'
      : 'lock tables things write';
  const done = client.$transaction(async (tx) => {
    const runner = tx as unknown as { $executeRawUnsafe(text: string): Promise<unknown> };
    await runner.$executeRawUnsafe(lock);
    held();
    await released;
    if (family === 'mysql') await runner.$executeRawUnsafe('unlock tables');
  });
  await holding;
  return async () => {
    release();
    await done;
  };
}
