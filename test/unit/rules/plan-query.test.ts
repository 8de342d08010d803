import querystring from 'node:querystring';
import qs from 'qs';
import { describe, expect, it } from 'vitest';
import { defineQueryRules, defineSchemaRegistry, planQuery } from '../../../src/index.ts';
import type { CompiledQueryRules, ListRequestInput, QuerySettings } from '../../../src/index.ts';
import { refusalOf, thawedParts } from '../refusal.ts';
import { condition, conditionsOf, shopRules } from './shop-rules.ts';
import { shopRegistry } from './shop.ts';

const rules = shopRules();
const plan = (request: ListRequestInput, of: CompiledQueryRules = rules) => planQuery(request, of);
const where = (request: ListRequestInput) => conditionsOf(plan(request));
const codeOf = (request: ListRequestInput, of: CompiledQueryRules = rules) =>
  refusalOf(() => planQuery(request, of)).code;
const limited = (limits: NonNullable<QuerySettings['limits']>) => shopRules({}, { limits });

describe('the plan of a request', () => {
  it('of nothing asked: default projection, primary key order, first page', () => {
    expect(plan('')).toEqual({
      model: 'article',
      projection: { model: 'article', fields: ['id', 'name'], relations: [] },
      where: null,
      order: [{ path: 'id', direction: 'asc', nulls: 'first' }],
      page: { mode: 'offset', page: 1, perPage: 10, offset: 0 },
      count: { type: 'exact' },
    });
  });

  it('of a key with a companion: its stored values order the rows whose companion is not filled yet', () => {
    const key = { nullable: false, primaryKey: true } as const;
    const registry = defineSchemaRegistry([
      {
        model: 'part',
        primaryKey: ['code', 'no'],
        fields: [
          { ...key, path: 'code', kind: 'string', portableOrderField: 'codeOrder' },
          { ...key, path: 'no', kind: 'integer' },
          { path: 'codeOrder', kind: 'string', nullable: true, primaryKey: false, internal: true },
          { path: 'name', kind: 'string', nullable: false, primaryKey: false },
        ],
        relations: [],
      },
    ]);
    const parts = defineQueryRules(registry, 'part', {
      sorts: ['name', 'code'],
      fields: { root: { allowed: ['code'], default: ['code'] } },
    });
    const orderOf = (request: string) =>
      plan(request, parts).order.map(({ path, direction }) => `${direction} ${path}`);
    expect(orderOf('')).toEqual(['asc code', 'asc no', 'asc code']);
    expect(orderOf('sort=-name')).toEqual(['desc name', 'desc code', 'desc no', 'desc code']);
    expect(orderOf('sort=-code')).toEqual(['desc code', 'desc no', 'desc code']);
  });

  it('of everything asked', () => {
    const request =
      'filter[stock][gte]=3&filter[maker.name]=Ada&search=Bob&sort=-price,name&page=3&perPage=20' +
      '&includes=maker,maker.articles&fields=name,maker.id,maker.articles.name';
    expect(plan(request)).toEqual({
      model: 'article',
      projection: {
        model: 'article',
        fields: ['name'],
        relations: [
          {
            path: 'maker',
            cardinality: 'one',
            node: {
              model: 'maker',
              fields: ['id'],
              relations: [
                {
                  path: 'articles',
                  cardinality: 'many',
                  maxChildren: 100,
                  node: { model: 'article', fields: ['name'], relations: [] },
                },
              ],
            },
          },
        ],
      },
      where: {
        type: 'and',
        predicates: [
          condition('stock', 'gte', 3),
          condition('maker.name', 'eq', 'Ada'),
          {
            type: 'or',
            predicates: [
              condition('name', 'ilike', 'bob'),
              condition('maker.name', 'ilike', 'bob'),
            ],
          },
        ],
      },
      order: [
        { path: 'price', direction: 'desc', nulls: 'last' },
        { path: 'name', direction: 'asc', nulls: 'first' },
        { path: 'id', direction: 'asc', nulls: 'first' },
      ],
      page: { mode: 'offset', page: 3, perPage: 20, offset: 40 },
      count: { type: 'exact' },
    });
  });

  it('is plain, deeply frozen data, the cached parts too', () => {
    const keyset = shopRules({ mode: 'keyset' });
    for (const request of [
      '',
      'filter[name][in]=a,b&filter[stock][between]=1,2&search=x&sort=name&includes=maker',
      'filter[name][in]=c&sort=name&includes=maker',
      'paginate=false',
    ]) {
      for (const of of [rules, keyset]) {
        const made = plan(request, of);
        expect(thawedParts(made)).toEqual([]);
        expect(JSON.parse(JSON.stringify(made))).toEqual(made);
      }
    }
  });

  it('shares its order and projection with requests that ask for the same', () => {
    const [first, second] = [
      plan('sort=-name&filter[stock]=1'),
      plan('sort=-name&filter[stock]=2'),
    ];
    expect(second.order).toBe(first.order);
    expect(second.projection).toBe(first.projection);
    expect(plan('sort=name').order).not.toEqual(first.order);
  });
});

describe('the forms of a request', () => {
  const requests = [
    '',
    'page=2&perPage=5',
    'filter[name]=a',
    'filter[name][eq]=a+b%20c%2Bd',
    'filter[name][in]=a,b,%22c,d%22,e%5C,f',
    'filter[name][in]=a&filter[name][in]=b,c',
    'filter[name][in]=',
    'filter[stock][between]=1,5&filter[stock][isNull]=false',
    'filter[stock][between]=1&filter[stock][between]=5',
    'filter[maker.name][ilike]=%C3%89T%C3%89',
    'sort=-name,price',
    'sort=-name&sort=price&sort=id',
    'fields=id,name&includes=maker&includes=maker.articles',
    'search=%20two%20words%20&paginate=0',
    'filter[sold]=true&filter[price][gt]=0.50',
  ];

  it('raw, with its question mark, as URLSearchParams, nested and bracketed mean the same', () => {
    for (const request of requests) {
      const expected = plan(request);
      expect(plan(`?${request}`)).toEqual(expected);
      expect(plan(new URLSearchParams(request))).toEqual(expected);
      expect(plan(qs.parse(request))).toEqual(expected);
      expect(plan({ ...querystring.parse(request) })).toEqual(expected);
    }
  });

  it('encoded and plain brackets, and empty pairs, mean the same', () => {
    const expected = plan('filter[name][like]=a&page=2');
    expect(plan('&&filter%5Bname%5D%5Blike%5D=a&&page=2&')).toEqual(expected);
    expect(plan('%66ilter%5bname%5d[like]=a&p%61ge=2')).toEqual(expected);
  });

  it('numbers and booleans of a parser that makes them are their text', () => {
    const parsed = {
      filter: { stock: { gte: 3, isNull: false }, sold: true, price: { in: [1, 2.5] } },
      page: 2,
      paginate: true,
      sort: undefined,
    };
    expect(plan(parsed)).toEqual(
      plan(
        'filter[stock][gte]=3&filter[stock][isNull]=false&filter[sold]=true' +
          '&filter[price][in]=1,2.5&page=2&paginate=true',
      ),
    );
  });

  it('an array keeps its items whole, and the empty array is the empty list', () => {
    expect(where({ filter: { name: { in: ['a,b', '"', '\\', ''] } } })).toEqual([
      condition('name', 'in', ['a,b', '"', '\\', '']),
    ]);
    expect(where({ filter: { name: { notIn: [] } } })).toEqual([condition('name', 'notIn', [])]);
    expect(plan({ sort: [], fields: [], includes: [] })).toEqual(plan(''));
  });

  it('null is refused: as a value with the remedy, elsewhere as syntax', () => {
    const error = refusalOf(() => plan({ filter: { stock: null } }));
    expect(error.code).toBe('FILTER_VALUE_INVALID');
    expect(error.message).toContain('isNull');
    expect(codeOf({ filter: { stock: { in: [1, null] } } })).toBe('FILTER_VALUE_INVALID');
    for (const request of [{ sort: null }, { search: null }, { page: null }, { sort: [null] }]) {
      expect(codeOf(request)).toBe('QUERY_SYNTAX_INVALID');
    }
  });

  it('objects that no parser of query strings produces are refused', () => {
    for (const request of [
      { filter: 'name' },
      { filter: ['name'] },
      { filter: { name: { eq: { deeper: 'a' } } } },
      { filter: { name: [{ eq: 'a' }] } },
      { filter: { 'a b': 'c' } },
      { sort: { name: 'asc' } },
      { page: { size: 1 } },
      { search: () => 'x' },
      { filter: { name: Symbol('x') } },
    ]) {
      expect(codeOf(request)).toBe('QUERY_SYNTAX_INVALID');
    }
  });

  it('inherited properties of an object are not parameters', () => {
    const request: object = Object.create({ sort: 'nope', foo: 'bar' });
    expect(plan({ ...request })).toEqual(plan(''));
    expect(plan(request as ListRequestInput)).toEqual(plan(''));
  });
});

describe('unknown parameters', () => {
  it('are refused before anything else, by name where the name is plain', () => {
    const error = refusalOf(() => plan('filter[=&sort=nope&colour=red&%zz'));
    expect(error.code).toBe('QUERY_SYNTAX_UNKNOWN_PARAM');
    expect(error.details).toEqual({ param: 'colour' });
    expect(refusalOf(() => plan('a%00b=1')).details).toEqual({ param: '' });
    expect(refusalOf(() => plan(`${'x'.repeat(65)}=1`)).details).toEqual({ param: '' });
  });

  it('of any spelling but the exact one', () => {
    for (const request of ['Page=1', 'per_page=1', 'sorts=name', ' page=1', 'page%00=1', '=1']) {
      expect(codeOf(request)).toBe('QUERY_SYNTAX_UNKNOWN_PARAM');
    }
    for (const param of ['__proto__', 'constructor', 'toString']) {
      expect(codeOf(`${param}=1`)).toBe('QUERY_SYNTAX_UNKNOWN_PARAM');
      expect(codeOf(`${param}[a]=1`)).toBe('QUERY_SYNTAX_UNKNOWN_PARAM');
      expect(codeOf({ [param]: { a: 1 }, x: 1 })).toBe('QUERY_SYNTAX_UNKNOWN_PARAM');
    }
  });

  it('include cursor where the endpoint has no keyset pages', () => {
    for (const request of ['cursor=abc', 'cursor', 'cursor[a]=b']) {
      const error = refusalOf(() => plan(request));
      expect(error.code).toBe('QUERY_SYNTAX_UNKNOWN_PARAM');
      expect(error.details).toEqual({ param: 'cursor' });
    }
  });

  it('a host keeps those it names in passthroughParams, in any form', () => {
    const own = shopRules({}, { passthroughParams: ['locale', 'tenant'] });
    const expected = plan('page=2', own);
    for (const request of [
      'locale=de&page=2',
      'locale=de&locale=fr&page=2&tenant[a][]=%zz',
      { locale: ['de', { deep: true }], tenant: null, page: '2' },
    ]) {
      expect(plan(request, own)).toEqual(expected);
    }
    expect(codeOf('locales=de', own)).toBe('QUERY_SYNTAX_UNKNOWN_PARAM');
    expect(codeOf('locale=de')).toBe('QUERY_SYNTAX_UNKNOWN_PARAM');
  });
});

describe('the order of checks', () => {
  /** Each request breaks one rule; joined with all that follow, the first still answers. */
  const steps: readonly (readonly [string, string])[] = [
    ['colour=red', 'QUERY_SYNTAX_UNKNOWN_PARAM'],
    ['page[x]=1', 'QUERY_SYNTAX_INVALID'],
    ['includes=nope', 'FIELD_NOT_ALLOWED includes'],
    ['filter[nope]=1', 'FIELD_NOT_ALLOWED filter'],
    ['sort=nope', 'FIELD_NOT_ALLOWED sort'],
    ['fields=nope', 'FIELD_NOT_ALLOWED fields'],
    ['filter[stock][gt]=ten', 'FILTER_VALUE_INVALID'],
    ['perPage=0', 'PAGINATION_INVALID'],
  ];

  it('is unknown parameter, syntax, includes, filters, sorts, projection, values, pagination', () => {
    for (const [index, [, expected]] of steps.entries()) {
      const parts = steps.slice(index).map(([part]) => part);
      for (const request of [parts, parts.toReversed()]) {
        const { code, details } = refusalOf(() => plan(request.join('&')));
        const param = code === 'FIELD_NOT_ALLOWED' ? ` ${String(details['param'])}` : '';
        expect(code + param).toBe(expected);
      }
    }
  });

  it('puts search after projection and before values', () => {
    const bare = defineQueryRules(shopRegistry, 'label', {
      filters: [{ path: 'id', operators: ['eq'] }],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const refused = (request: string) => refusalOf(() => plan(request, bare));
    expect(refused('search=secret&fields=text').details).toEqual({ param: 'fields', path: 'text' });
    const error = refused('search=secret&filter[id]=x&page=0');
    expect(error.code).toBe('FIELD_NOT_ALLOWED');
    expect(error.details).toEqual({ param: 'search' });
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  it('refuses operators with the filters, values after all authorisation', () => {
    expect(codeOf('filter[stock][like]=x&sort=nope')).toBe('OPERATOR_NOT_ALLOWED');
    expect(codeOf('filter[stock]=x&sort=nope')).toBe('FIELD_NOT_ALLOWED');
    expect(codeOf('filter[stock]=x&sort=name,-name')).toBe('SORT_CONFLICT');
  });

  it('is the same when the order and projection are known from an earlier request', () => {
    plan('sort=name&includes=maker');
    expect(codeOf('sort=name&includes=maker&filter[nope]=1')).toBe('FIELD_NOT_ALLOWED');
    expect(codeOf('sort=name&includes=maker&page=x&filter[stock]=y')).toBe('FILTER_VALUE_INVALID');
  });

  it('a path that is not there and one that is not allowed answer the same', () => {
    for (const request of [
      (path: string) => `filter[${path}]=1`,
      (path: string) => `sort=${path}`,
      (path: string) => `fields=${path}`,
      (path: string) => `includes=${path}`,
    ]) {
      const envelope = (path: string) =>
        JSON.stringify(refusalOf(() => plan(request(path)))).replaceAll(path, '?');
      for (const hidden of [
        'nameFolded',
        'extra',
        'maker.nameFolded',
        '__proto__',
        'constructor',
      ]) {
        expect(envelope(hidden)).toBe(envelope('nope'));
      }
    }
  });
});

describe('filters', () => {
  it('without operator mean eq, and are AND-ed', () => {
    expect(where('filter[name]=a')).toEqual(where('filter[name][eq]=a'));
    expect(where('filter[stock][gt]=1&filter[stock][lt]=9')).toEqual([
      condition('stock', 'gt', 1),
      condition('stock', 'lt', 9),
    ]);
  });

  it('keys outside the grammar are syntax errors', () => {
    for (const key of [
      'filter',
      'filter[]',
      'filter[name',
      'filter[name]eq',
      'filter[name][eq][x]',
      'filter[][eq]',
      'filter[name][]',
      'filter[name][e q]',
      'filter[1a]',
      'filter[a.]',
      'filter[.a]',
      'filter[a..b]',
      'filter[a-b]',
      'filter[maker.*]',
      'filter[*]',
      `filter[${'a'.repeat(257)}]`,
      `filter[name][${'x'.repeat(65)}]`,
    ]) {
      expect([key, codeOf(`${key}=1`)]).toEqual([key, 'QUERY_SYNTAX_INVALID']);
    }
  });

  it('an operator that is none, or not allowed on the path, is OPERATOR_NOT_ALLOWED', () => {
    for (const operator of ['equals', 'EQ', 'constructor', 'toString', 'like']) {
      const error = refusalOf(() => plan(`filter[stock][${operator}]=secret`));
      expect(error.code).toBe('OPERATOR_NOT_ALLOWED');
      expect(error.details).toEqual({ path: 'stock', operator });
      expect(JSON.stringify(error)).not.toContain('secret');
    }
  });

  it('twice with one operator are refused where one value is expected', () => {
    for (const request of [
      'filter[name]=a&filter[name]=a',
      'filter[name]=a&filter[name][eq]=b',
      'filter[stock][isNull]=1&filter[stock][isNull]=1',
      { filter: { name: ['a'] } },
      { filter: { name: { like: ['a', 'b'] } } },
      { filter: { name: [] } },
    ]) {
      expect(codeOf(request)).toBe('QUERY_SYNTAX_INVALID');
    }
  });

  it('relations take isNull', () => {
    expect(where('filter[maker][isNull]=true')).toEqual([condition('maker', 'isNull', true)]);
    expect(codeOf('filter[maker][isNull]=yes')).toBe('FILTER_VALUE_INVALID');
    expect(codeOf('filter[maker]=1')).toBe('OPERATOR_NOT_ALLOWED');
  });
});

describe('lists', () => {
  const items = (list: string) => {
    const [first] = where(new URLSearchParams([['filter[name][in]', list]]));
    return first?.type === 'condition' ? first.value : null;
  };

  it('are split at commas that are neither quoted nor escaped', () => {
    expect(items('')).toEqual([]);
    expect(items('a')).toEqual(['a']);
    expect(items('a,b, c ')).toEqual(['a', 'b', ' c ']);
    expect(items(',')).toEqual(['', '']);
    expect(items('""')).toEqual(['']);
    expect(items('"a,b",c')).toEqual(['a,b', 'c']);
    expect(items('a"b,c"d')).toEqual(['ab,cd']);
    expect(items('a\\,b,c')).toEqual(['a,b', 'c']);
    expect(items('\\"a\\",\\\\')).toEqual(['"a"', '\\']);
    expect(items('"a\\"b",c')).toEqual(['a"b', 'c']);
    expect(items('\\a\\n')).toEqual(['an']);
    expect(items('😀\\😀,é')).toEqual(['😀😀', 'é']);
  });

  it('with an unclosed quote or a trailing backslash are syntax errors in any position', () => {
    for (const list of ['"a', 'a,"', '"a\\"', 'a\\', 'a,\\']) {
      expect(codeOf(new URLSearchParams([['filter[name][in]', list]]))).toBe(
        'QUERY_SYNTAX_INVALID',
      );
      for (const param of ['sort', 'fields', 'includes']) {
        expect(codeOf(new URLSearchParams([[param, list]]))).toBe('QUERY_SYNTAX_INVALID');
      }
    }
  });

  it('between takes two values, low then high', () => {
    expect(where('filter[stock][between]=9,1')).toEqual([condition('stock', 'between', [9, 1])]);
    for (const list of ['', '1', '1,2,3', ',']) {
      expect(codeOf(`filter[stock][between]=${list}`)).toBe('FILTER_VALUE_INVALID');
    }
  });
});

describe('sort', () => {
  const order = (request: string) =>
    plan(request).order.map(({ path, direction, nulls }) => `${path} ${direction} ${nulls}`);

  it('puts nulls first ascending and last descending, unless the rule fixes them', () => {
    expect(order('sort=changedAt')).toEqual(['changedAt asc first', 'id asc first']);
    expect(order('sort=-changedAt')).toEqual(['changedAt desc last', 'id desc last']);
    expect(order('sort=stock')).toEqual(['stock asc last', 'id asc first']);
    expect(order('sort=-stock')).toEqual(['stock desc last', 'id desc last']);
  });

  it('appends only the primary key parts that are not named', () => {
    expect(order('sort=-id,name')).toEqual(['id desc last', 'name asc first']);
  });

  it('counts one path in one direction once, and refuses both directions', () => {
    expect(order('sort=name,price,name')).toEqual(order('sort=name,price'));
    for (const request of ['sort=name,-name', 'sort=-name&sort=price&sort=name']) {
      const error = refusalOf(() => plan(request));
      expect(error.code).toBe('SORT_CONFLICT');
      expect(error.details).toEqual({ path: 'name' });
    }
  });

  it('of a text that is not a path is a syntax error', () => {
    for (const item of ['--name', '+name', '-', 'name asc', 'name,', '*', 'name;drop']) {
      expect(codeOf(new URLSearchParams([['sort', item]]))).toBe('QUERY_SYNTAX_INVALID');
    }
  });
});

describe('fields and includes', () => {
  it('a deep include needs its parent, in any order', () => {
    expect(codeOf('includes=maker.articles')).toBe('FIELD_NOT_ALLOWED');
    expect(plan('includes=maker.articles,maker').projection).toEqual(
      plan('includes=maker,maker.articles').projection,
    );
    expect(plan('includes=maker,maker').projection).toEqual(plan('includes=maker').projection);
  });

  it('defaults apply where nothing is named, at each level on its own', () => {
    const { projection } = plan('includes=maker,labels&fields=labels.id');
    expect(projection.fields).toEqual(['id', 'name']);
    const shown = projection.relations.map(({ path, node }) => [path, node.fields]);
    expect(shown).toEqual([
      ['maker', ['name']],
      ['labels', ['id']],
    ]);
  });

  it('a field of a relation needs that relation in the same request', () => {
    const error = refusalOf(() => plan('fields=id,maker.name'));
    expect(error.code).toBe('FIELD_NOT_ALLOWED');
    expect(error.details).toEqual({ param: 'fields', path: 'maker.name' });
  });

  it('a client never sends *', () => {
    for (const request of ['fields=*', 'fields=maker.*&includes=maker', 'includes=*']) {
      expect(codeOf(request)).toBe('QUERY_SYNTAX_INVALID');
    }
  });

  it('a field twice is shown once, and internal fields never', () => {
    expect(plan('fields=name,name,id').projection.fields).toEqual(['name', 'id']);
    expect(codeOf('fields=nameFolded')).toBe('FIELD_NOT_ALLOWED');
    expect(codeOf('fields=maker.nameFolded&includes=maker')).toBe('FIELD_NOT_ALLOWED');
  });
});

describe('search', () => {
  it('is trimmed, folded and compared with every path; empty is absent', () => {
    expect(where('search=%20%C3%89T%C3%89%20')).toEqual([
      {
        type: 'or',
        predicates: [condition('name', 'ilike', 'été'), condition('maker.name', 'ilike', 'été')],
      },
    ]);
    for (const request of ['search=', 'search=%20%20', 'search'])
      expect(where(request)).toEqual([]);
  });

  it('repeated is a syntax error, unstorable or too long a value error', () => {
    expect(codeOf('search=a&search=a')).toBe('QUERY_SYNTAX_INVALID');
    expect(codeOf({ search: ['a'] })).toBe('QUERY_SYNTAX_INVALID');
    expect(codeOf('search=a%00')).toBe('FILTER_VALUE_INVALID');
    expect(codeOf({ search: '\uD800' })).toBe('FILTER_VALUE_INVALID');
    expect(codeOf(`search=${'a'.repeat(1001)}`)).toBe('FILTER_VALUE_INVALID');
  });
});

describe('pages', () => {
  it('page and perPage are positive decimal integers', () => {
    expect(plan('page=7&perPage=500').page).toMatchObject({ perPage: 500, offset: 3000 });
    for (const text of ['', '0', '-1', '+1', '01', '1.0', '1e2', ' 1', 'x', '9007199254740993']) {
      for (const param of ['page', 'perPage']) {
        const error = refusalOf(() => plan(new URLSearchParams([[param, text]])));
        expect(error.code).toBe('PAGINATION_INVALID');
        expect(error.details).toEqual({ param });
      }
    }
  });

  it('page is refused where pages are by cursor, whether the request has a cursor or not', () => {
    for (const [request, mode] of [
      ['page=2', 'keyset'],
      ['page=2&cursor=', 'keyset'],
      ['page=2&cursor=', 'both'],
    ] as const) {
      const error = refusalOf(() => plan(request, shopRules({ mode })));
      expect(error.code).toBe('PAGINATION_INVALID');
      expect(error.message).toBe('"page" must be left out where pages are by cursor.');
    }
  });

  it('perPage above maxPerPage is refused, even with paginate=false', () => {
    for (const request of ['perPage=501', 'perPage=501&paginate=false']) {
      const error = refusalOf(() => plan(request));
      expect(error.code).toBe('PAGINATION_INVALID');
      expect(error.details).toEqual({ param: 'perPage', maxPerPage: 500 });
    }
  });

  it('paginate=false requests all rows up to the cap', () => {
    const own = shopRules({ maxUnpaginatedRows: 7 });
    for (const text of ['false', '0']) {
      expect(plan(`paginate=${text}`, own).page).toEqual({ mode: 'all', maxRows: 7 });
    }
    for (const text of ['true', '1']) expect(plan(`paginate=${text}`).page.mode).toBe('offset');
    for (const text of ['', 'no', 'FALSE'])
      expect(codeOf(`paginate=${text}`)).toBe('PAGINATION_INVALID');
  });

  it('paginate=false is refused where allowUnpaginated is false', () => {
    const closed = shopRules({ allowUnpaginated: false, maxUnpaginatedRows: 7 });
    const error = refusalOf(() => plan('paginate=false', closed));
    expect(error.code).toBe('PAGINATION_INVALID');
    expect(error.details).toEqual({ param: 'paginate', maxRows: 7 });
    expect(plan('paginate=true', closed).page.mode).toBe('offset');
    for (const mode of ['keyset', 'both'] as const) {
      const byCursor = shopRules({ mode, allowUnpaginated: false });
      for (const request of ['paginate=false', 'paginate=0&sort=name', 'paginate=false&cursor=']) {
        expect([mode, request, codeOf(request, byCursor)]).toEqual([
          mode,
          request,
          'PAGINATION_INVALID',
        ]);
      }
    }
  });

  it('a parameter given twice is refused, never the last taken', () => {
    for (const param of ['page', 'perPage', 'paginate']) {
      expect(codeOf(`${param}=1&${param}=1`)).toBe('QUERY_SYNTAX_INVALID');
      expect(codeOf({ [param]: ['1'] })).toBe('QUERY_SYNTAX_INVALID');
    }
  });
});

describe('limits', () => {
  it('maxFilters', () => {
    const operators = ['gt', 'gte', 'lt', 'lte'];
    const of = limited({ maxFilters: 4 });
    const request = operators.map((operator) => `filter[stock][${operator}]=1`).join('&');
    expect(conditionsOf(plan(request, of))).toHaveLength(4);
    const error = refusalOf(() => plan(`${request}&filter[name]=a`, of));
    expect(error.code).toBe('QUERY_SYNTAX_INVALID');
    expect(error.details).toEqual({ maxFilters: 4 });
  });

  it('maxListLength', () => {
    const of = limited({ maxListLength: 3 });
    const list = 'filter[name][in]=a,b,c';
    expect(() => plan(list, of)).not.toThrow();
    expect(codeOf(`${list},d`, of)).toBe('FILTER_VALUE_INVALID');
    expect(codeOf({ filter: { name: { notIn: ['a', 'b', 'c', 'd'] } } }, of)).toBe(
      'FILTER_VALUE_INVALID',
    );
  });

  it('maxTextLength, for every text operator and search', () => {
    const of = limited({ maxTextLength: 3 });
    for (const operator of ['eq', 'gt', 'in', 'like', 'ilike', 'notIlike']) {
      expect(() => plan(`filter[name][${operator}]=abc`, of)).not.toThrow();
      expect(codeOf(`filter[name][${operator}]=abcd`, of)).toBe('FILTER_VALUE_INVALID');
    }
    expect(codeOf('filter[name][between]=a,abcd', of)).toBe('FILTER_VALUE_INVALID');
    expect(codeOf('search=abcd', of)).toBe('FILTER_VALUE_INVALID');
    expect(() => plan('search=%20abc%20', of)).not.toThrow();
  });

  it('maxOffset', () => {
    const of = limited({ maxOffset: 100 });
    expect(plan('page=11', of).page).toMatchObject({ offset: 100 });
    const error = refusalOf(() => plan('page=12', of));
    expect(error.code).toBe('PAGINATION_INVALID');
    expect(error.details).toEqual({ param: 'page', maxOffset: 100 });
    expect(codeOf('page=9007199254740991&perPage=2')).toBe('PAGINATION_INVALID');
  });

  it('maxQueryLength, before anything is parsed', () => {
    const of = limited({ maxQueryLength: 30 });
    expect(() => plan(`search=${'a'.repeat(23)}`, of)).not.toThrow();
    const long = `search=${'a'.repeat(24)}`;
    for (const request of [long, new URLSearchParams(long), { search: 'a'.repeat(31) }]) {
      const error = refusalOf(() => plan(request, of));
      expect(error.code).toBe('QUERY_SYNTAX_INVALID');
      expect(error.details).toEqual({ maxQueryLength: 30 });
    }
    expect(codeOf(`colour=${'a'.repeat(30)}`, of)).toBe('QUERY_SYNTAX_INVALID');
  });
});

describe('malformed encodings', () => {
  it('are syntax errors', () => {
    for (const request of ['search=%', 'search=%zz', 'search=%ff', 'search=%ED%A0%80', '%zz=1']) {
      expect(codeOf(request)).toBe('QUERY_SYNTAX_INVALID');
    }
  });
});
