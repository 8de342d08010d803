import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { buildQuery, defineQueryRules, planQuery } from '../../../src/index.ts';
import type { CompiledQueryRules, ConditionPredicate, Predicate } from '../../../src/index.ts';
import { shopRegistry } from './shop.ts';
import { anyText } from '../../any-text.ts';
import { holds } from '../../seed.ts';

const rules = defineQueryRules(shopRegistry, 'article', {
  filters: [
    { path: 'name', operators: ['eq', 'ne', 'in', 'notIn', 'between', 'like', 'ilike'] },
    { path: 'state', operators: ['eq', 'in'] },
    { path: 'stock', operators: ['eq', 'gte', 'between', 'in', 'isNull'] },
    { path: 'serial', operators: ['eq', 'lt'] },
    { path: 'price', operators: ['eq', 'gt'] },
    { path: 'sold', operators: ['eq'] },
    { path: 'day', operators: ['eq'] },
    { path: 'changedAt', operators: ['eq', 'between', 'isNull'] },
    { path: 'maker', operators: ['isNull'] },
    { path: 'maker.name', operators: ['eq', 'in'] },
  ],
  sorts: ['name', { path: 'stock', nulls: 'last' }, 'maker.name'],
  fields: {
    root: { allowed: ['id', 'name', 'stock'], default: ['id'] },
    relations: {
      maker: { allowed: ['maker.*'], default: ['name'] },
      labels: { allowed: ['text'], default: ['text'] },
    },
  },
  includes: ['maker', 'labels'],
  search: ['name'],
});

const conditions = (where: Predicate | null): readonly Predicate[] => {
  if (where === null) return [];
  return where.type === 'and' ? where.predicates : [where];
};

const condition = (
  path: string,
  operator: ConditionPredicate['operator'],
  value: ConditionPredicate['value'],
): ConditionPredicate => ({ type: 'condition', path, operator, value });

describe('buildQuery', () => {
  it('writes an empty string for a request without parameters', () => {
    expect(buildQuery(rules, {})).toBe('');
    expect(buildQuery<typeof rules>({ sort: [], filter: {}, page: undefined })).toBe('');
  });

  it('takes the rules as a value, as undefined, or as a type alone', () => {
    const expected = 'filter[stock][gte]=18&sort=-name&page=2';
    const request = { filter: { stock: { gte: 18 } }, sort: ['-name'], page: 2 } as const;
    expect(buildQuery(rules, request)).toBe(expected);
    expect(buildQuery<typeof rules>(undefined, request)).toBe(expected);
    expect(buildQuery<typeof rules>(request)).toBe(expected);
  });

  it('writes a value alone as a filter of equality, as in a URL', () => {
    const changedAt = new Date('2026-01-02T03:04:05Z');
    const filter = { name: 'a,b', stock: 7, sold: false, 'maker.name': 'Acme', changedAt };
    const written = buildQuery(rules, { filter });
    const where = conditions(planQuery(written, rules).where);
    const spelled = buildQuery(rules, {
      filter: {
        name: { eq: 'a,b' },
        stock: { eq: 7 },
        sold: { eq: false },
        'maker.name': { eq: 'Acme' },
        changedAt: { eq: changedAt },
      },
    });
    expect(where).toHaveLength(5);
    expect(where).toEqual(conditions(planQuery(spelled, rules).where));
  });

  it('refuses null as a condition, which would be left out or compared as text', () => {
    for (const name of [null, { eq: null }]) {
      // @ts-expect-error: the types of a request know no null
      expect(() => buildQuery(rules, { filter: { name } })).toThrow(
        new TypeError('"filter.name" must not be null; use isNull'),
      );
    }
  });

  it('refuses an unknown key, which would answer more rows than were asked for', () => {
    const request = { filters: { stock: { gte: 18 } } };
    const refusal =
      '"filters" is not an option of a request; it has filter, search, where, sort, fields, includes, page, perPage, paginate, cursor';
    // @ts-expect-error: the types of a request know no `filters`
    expect(() => buildQuery(rules, request)).toThrow(new TypeError(refusal));
    // @ts-expect-error: the types of a request know no `limit`
    expect(() => buildQuery<typeof rules>({ limit: 5 })).toThrow('"limit" is not an option');
    // @ts-expect-error: the request is missing
    expect(() => buildQuery(rules)).toThrow(/is not an option of a request/);
  });

  it('quotes the items of a list that would otherwise be read as something else', () => {
    const query = buildQuery(rules, {
      filter: { name: { in: ['a,b', 'say "x"', 'c\\d', '', 'plain'] } },
    });
    expect(decodeURIComponent(query)).toBe(
      'filter[name][in]="a,b","say \\"x\\"","c\\\\d","",plain',
    );
  });

  it('tells the empty list from a list of the empty text', () => {
    const values = (items: readonly string[]) =>
      conditions(planQuery(buildQuery(rules, { filter: { name: { in: items } } }), rules).where);
    expect(values([])).toEqual([condition('name', 'in', [])]);
    expect(values([''])).toEqual([condition('name', 'in', [''])]);
    expect(values(['', ''])).toEqual([condition('name', 'in', ['', ''])]);
  });

  it('writes numbers as plain digits and refuses those that are none', () => {
    const price = (value: number | bigint) =>
      buildQuery(rules, { filter: { price: { gt: value } } });
    expect(price(1e21)).toBe('filter[price][gt]=1000000000000000000000');
    expect(price(-1.25e-9)).toBe('filter[price][gt]=-0.00000000125');
    expect(price(2n ** 63n)).toBe('filter[price][gt]=9223372036854775808');
    expect(() => price(Number.NaN)).toThrow(RangeError);
    expect(() => price(-Infinity)).toThrow(RangeError);
  });

  it('refuses a Date that is not valid and text that no request can carry', () => {
    const at = (value: Date) => buildQuery(rules, { filter: { changedAt: { eq: value } } });
    expect(() => at(new Date('none'))).toThrow(RangeError);
    expect(() => buildQuery(rules, { search: 'lone \ud800' })).toThrow(URIError);
  });

  it('leaves inherited and undefined members out', () => {
    const filter = Object.create({ name: { eq: 'inherited' } }) as Record<never, never>;
    expect(buildQuery(rules, { filter, search: undefined })).toBe('');
    expect(buildQuery(rules, { filter: { name: { eq: undefined }, stock: undefined } })).toBe('');
  });
});

describe('buildQuery and the parser', () => {
  const text = anyText({ maxLength: 30 }).filter(
    (value) => value.isWellFormed() && !value.includes('\0'),
  );
  const awkward = fc.oneof(
    text,
    fc.string({
      unit: fc.constantFrom(',', '"', '\\', ' ', '+', '&', '=', '%', 'é'),
      maxLength: 8,
    }),
  );
  const stock = fc
    .integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
    .map((value) => (value === 0 ? 0 : value));
  const instant = fc.date({
    min: new Date('0001-01-02'),
    max: new Date('9999-12-30'),
    noInvalidDate: true,
  });
  const serial = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const plain = <T>(value: T): T => value;

  type Case = readonly [
    path: string,
    operator: ConditionPredicate['operator'],
    operand: unknown,
    meant: ConditionPredicate['value'],
  ];
  const one = <T>(
    path: string,
    operator: ConditionPredicate['operator'],
    operand: fc.Arbitrary<T>,
    meant: (value: T) => ConditionPredicate['value'],
  ): fc.Arbitrary<Case> => operand.map((value): Case => [path, operator, value, meant(value)]);

  const cases: fc.Arbitrary<Case> = fc.oneof(
    one('name', 'eq', awkward, plain),
    one('name', 'like', awkward, plain),
    one('name', 'in', fc.array(awkward, { maxLength: 6 }), plain),
    one('name', 'notIn', fc.array(awkward, { maxLength: 6 }), plain),
    one('name', 'between', fc.tuple(awkward, awkward), plain),
    one('state', 'in', fc.subarray(['new', 'used', 'a,b"c\\d']), plain),
    one('stock', 'between', fc.tuple(stock, stock), plain),
    one('stock', 'in', fc.array(stock, { maxLength: 6 }), plain),
    one('stock', 'isNull', fc.boolean(), plain),
    one('maker', 'isNull', fc.boolean(), plain),
    one('serial', 'eq', serial, String),
    one('sold', 'eq', fc.boolean(), plain),
    one('changedAt', 'eq', instant, (value) => value.toISOString()),
    one('changedAt', 'between', fc.tuple(instant, instant), (pair) =>
      pair.map((value) => value.toISOString()),
    ),
    one('maker.name', 'in', fc.array(awkward, { maxLength: 6 }), plain),
  );
  const filters = fc.uniqueArray(cases, {
    maxLength: 8,
    selector: ([path, operator]) => `${path} ${operator}`,
  });
  const sorts = fc
    .subarray(['name', 'stock', 'maker.name'] as const)
    .chain((paths) => fc.tuple(...paths.map((path) => fc.constantFrom(path, `-${path}` as const))));

  it('agree: the written request has the plan of the given one', async () => {
    await holds(
      fc.property(
        filters,
        sorts,
        fc.subarray(['id', 'name', 'stock'] as const),
        fc.subarray(['maker', 'labels'] as const),
        fc.record({
          page: fc.integer({ min: 1, max: 9999 }),
          perPage: fc.integer({ min: 1, max: 500 }),
        }),
        (wanted, sort, fields, includes, { page, perPage }) => {
          const filter: Record<string, Record<string, unknown>> = {};
          for (const [path, operator, operand] of wanted) (filter[path] ??= {})[operator] = operand;
          const query = buildQuery<CompiledQueryRules>({
            filter: filter as never,
            sort: sort as string[],
            fields,
            includes,
            page,
            perPage,
          });
          const plan = planQuery(query, rules);
          const byPath = Object.keys(filter).flatMap((path) =>
            wanted.filter(([wantedPath]) => wantedPath === path),
          );
          expect(conditions(plan.where)).toEqual(
            byPath.map(([path, operator, , meant]) => condition(path, operator, meant)),
          );
          expect(
            plan.order
              .slice(0, sort.length)
              .map((term) => (term.direction === 'desc' ? '-' : '') + term.path),
          ).toEqual(sort);
          expect(plan.projection.fields).toEqual(fields.length > 0 ? fields : ['id']);
          expect(plan.projection.relations.map((relation) => relation.path)).toEqual(includes);
          expect(plan.page).toMatchObject({ mode: 'offset', page, perPage });
        },
      ),
      1000,
    );
  });

  it('agree on search, paginate and an included relation with its fields', () => {
    const plan = planQuery(
      buildQuery(rules, {
        search: ' Größe & Co ',
        paginate: false,
        includes: ['maker'],
        fields: ['maker.id'],
      }),
      rules,
    );
    expect(plan.where).toMatchObject({
      type: 'or',
      predicates: [{ path: 'name', value: 'größe & co' }],
    });
    expect(plan.page).toMatchObject({ mode: 'all' });
    expect(plan.projection).toMatchObject({
      fields: ['id'],
      relations: [{ node: { fields: ['id'] } }],
    });
  });
});

describe('buildQuery in a browser bundle', () => {
  it('brings none of the server with it', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "export { buildQuery } from './src/index.ts';",
        resolveDir: new URL('../../..', import.meta.url).pathname,
      },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    });
    expect(outputFiles.map(({ contents }) => contents.length < 2000)).toEqual([true]);
  });
});

describe('types of buildQuery', () => {
  it('know paths, operators, operands, sorts, fields and includes from the declaration', () => {
    buildQuery(rules, { filter: { stock: { between: [1, 2] }, maker: { isNull: true } } });
    buildQuery(rules, { sort: ['name', '-stock', '-maker.name'], includes: ['maker'] });
    buildQuery(rules, { fields: ['id', 'maker.name', 'labels.text'] });
    // @ts-expect-error: no such path
    buildQuery(rules, { filter: { nothing: { eq: 1 } } });
    // @ts-expect-error: gte is not allowed on name
    buildQuery(rules, { filter: { name: { gte: 'a' } } });
    // @ts-expect-error: between takes a pair
    buildQuery(rules, { filter: { stock: { between: [1] } } });
    // @ts-expect-error: in takes a list
    buildQuery(rules, { filter: { stock: { in: 1 } } });
    // @ts-expect-error: isNull takes a boolean
    buildQuery(rules, { filter: { stock: { isNull: 'yes' } } });
    // @ts-expect-error: no such sort
    buildQuery(rules, { sort: ['price'] });
    // @ts-expect-error: no such include
    buildQuery(rules, { includes: ['maker.articles'] });
    // @ts-expect-error: not a field that may be shown
    buildQuery(rules, { fields: ['price'] });
    // @ts-expect-error: not a field of the relation that may be shown
    buildQuery<typeof rules>({ fields: ['labels.id'] });
  });

  it('allow nothing where the declaration allows nothing', () => {
    const bare = defineQueryRules(shopRegistry, 'label', {
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    buildQuery(bare, { filter: {}, sort: [], includes: [], fields: ['id'] });
    // @ts-expect-error: no filters declared
    buildQuery(bare, { filter: { id: { eq: 1 } } });
    // @ts-expect-error: no sorts declared
    buildQuery(bare, { sort: ['id'] });
    // @ts-expect-error: no includes declared
    buildQuery(bare, { includes: ['maker'] });
    expect(buildQuery(bare, { fields: ['id'] })).toBe('fields=id');
  });

  it('take plain strings where the declaration is not known', () => {
    const unknown: CompiledQueryRules = rules;
    const query = buildQuery(unknown, {
      filter: { anything: { eq: 1, in: ['a'], isNull: true } },
      sort: ['anything', '-else'],
      fields: ['one', 'two.three'],
      includes: ['two'],
    });
    expectTypeOf(query).toEqualTypeOf<string>();
    expect(query).toContain('sort=anything,-else');
  });
});
