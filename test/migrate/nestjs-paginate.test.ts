/** `fromNestjsPaginate`: what it refuses at boot, which requests it writes, and its answers. */

import { describe, expect, it } from 'vitest';
import { defineSchemaRegistry, planQuery } from '../../src/index.ts';
import { type NestjsPaginateConfig, fromNestjsPaginate } from '../../src/migrate/index.ts';

const key = { path: 'id', kind: 'integer', nullable: false, primaryKey: true } as const;
const text = { kind: 'string', nullable: false, primaryKey: false } as const;
const registry = defineSchemaRegistry([
  {
    model: 'cat',
    primaryKey: ['id'],
    fields: [
      key,
      { path: 'name', ...text },
      { path: 'color', ...text },
      { path: 'age', kind: 'integer', nullable: true, primaryKey: false },
      { path: 'seenAt', kind: 'datetime', nullable: true, primaryKey: false },
    ],
    relations: [
      { path: 'toys', target: 'toy', cardinality: 'many', nullable: false },
      { path: 'home', target: 'home', cardinality: 'one', nullable: true },
    ],
  },
  {
    model: 'toy',
    primaryKey: ['id'],
    fields: [key, { path: 'name', ...text }],
    relations: [{ path: 'shop', target: 'home', cardinality: 'one', nullable: true }],
  },
  { model: 'home', primaryKey: ['id'], fields: [key, { path: 'name', ...text }], relations: [] },
]);
const config: NestjsPaginateConfig = {
  sortableColumns: ['id', 'name', 'age'],
  searchableColumns: ['name', 'color'],
  filterableColumns: {
    name: ['$ilike', '$not', '$btw'],
    age: true,
    seenAt: true,
    'toys.name': true,
    'home.name': true,
    'toys.shop.name': true,
  },
};
const endpointOf = (given: object = {}) =>
  fromNestjsPaginate({ ...config, ...given }, registry, 'cat', { families: ['postgresql'] });

/** The request without its page, decoded. */
function written(query: string, given: object = {}): string {
  const endpoint = endpointOf(given);
  const request = endpoint.translate(`https://example.org/cats?${query}`);
  planQuery(request, endpoint.rules);
  return decodeURIComponent(request)
    .replace(/&?sort=id|&page=1/g, '')
    .replace(/^&/, '');
}

describe('a configuration', () => {
  it.each([
    [{ sortableColumn: ['id'] }, '"sortableColumn" is not a member of the configuration'],
    [{ where: { color: 'ginger' } }, '"where" is not taken over'],
    [{ joinMethods: { toys: 'innerJoinAndSelect' } }, '"joinMethods" is not taken over'],
    [{ withDeleted: true }, '"withDeleted" is not taken over'],
  ])('%j is refused at boot', (given, message) => {
    expect(() => endpointOf(given)).toThrow(message);
  });

  it('is the first argument, before the registry and the model', () => {
    const take = fromNestjsPaginate as (...given: readonly unknown[]) => unknown;
    const config = { sortableColumns: ['id'] };
    expect(() => take(registry, 'cat', config)).toThrow('"registry" must be a registry of schemas');
    expect(() => take('cat', registry, config)).toThrow('"config" must be an object');
    expect(() => take(config, registry)).toThrow('"model" must be a string');
  });

  it('names the parts that are left out', () => {
    const { differences } = endpointOf({
      sortableColumns: ['id', 'toys.name', 'size'],
      searchableColumns: ['name', 'age'],
      select: ['id', 'weight'],
      filterableColumns: { age: ['$ilike', '$contains'], size: true },
      optimizedCount: true,
      withDeleted: false,
    });
    expect(differences.map((text) => text.replace(/: (not|it|the|there|ilike|a) .*/, ''))).toEqual([
      'optimizedCount',
      'sortableColumns: toys.name is left out',
      'sortableColumns: size is left out',
      'searchableColumns: age is left out',
      'filterableColumns: $ilike of age is left out',
      'filterableColumns: $contains of age is left out',
      'filterableColumns: size is left out',
      'select: weight is left out',
    ]);
  });
});

describe('a request', () => {
  it.each([
    ['filter.age=$gte:3&filter.age=$lt:6', 'filter[age][gte]=3&filter[age][lt]=6'],
    [
      'filter.name=$ilike:a&filter.name=$ilike:b',
      'filter[name][ilike]=a&filter[$and][0][name][ilike]=b',
    ],
    ['filter.name=$not:$ilike:a', 'filter[name][notIlike]=a'],
    ['filter.age=$not:$btw:1,2', 'filter[$and][0][$not][age][between]=1,2'],
    ['filter.age=$lte:3', 'filter[age][lte]=3'],
    ['filter.age=$not:$null', 'filter[age][isNull]=false'],
    ['filter.seenAt=$gte:2026-01-31', 'filter[seenAt][gte]=2026-01-31T00:00:00.000Z'],
    ['filter.name=a:b:$eq', 'filter[name][eq]=a:b:$eq'],
    ['filter.name=$eq:$not:x', 'filter[name][ne]=x'],
    ['filter.age=$in:1, 2', 'filter[age][in]=1,2'],
    ['filter.toys.name=$none:Ball', 'filter[toys][$none][name][eq]=Ball'],
    [
      'filter.toys.name=$all:Ball',
      'filter[toys][$some][name][eq]=Ball&filter[toys][$every][name][eq]=Ball',
    ],
    [
      'filter=NOT home.name=Box',
      'filter[$and][0][$or][0][$not][home.name][eq]=Box&filter[$and][0][$or][1][home][isNull]=true',
    ],
    [
      `filter=name="a OR (b)" OR age=$gt:1 AND name='it\\'s'`,
      "filter[$and][0][$or][0][name][eq]=a OR (b)&filter[$and][0][$or][1][$and][0][age][gt]=1&filter[$and][0][$or][1][$and][1][name][eq]=it's",
    ],
    [
      'filter=NOT (home.name=Box OR NOT age=$gt:3)',
      'filter[$and][0][$and][0][$or][0][$not][home.name][eq]=Box&filter[$and][0][$and][0][$or][1][home][isNull]=true&filter[$and][0][$and][1][age][gt]=3',
    ],
    ['filter=NOT toys.shop.name=Box', 'filter[$and][0][$not][toys][$some][shop.name][eq]=Box'],
    ['filter.name=a?b', 'filter[name][eq]=a?b'],
    ['search=i', 'search=i'],
    ['search=i&searchBy=color', 'filter[$and][0][$or][0][color][ilike]=i'],
    ['search=i&searchBy=age', ''],
    // A filter that the configuration does not name is ignored.
    ['filter.color=white&filter.name=$gt:1', ''],
    ['sortBy=color:DESC&sortBy=name:up&sortBy=a:b:c', ''],
    ['sortBy=name:DESC&sortBy=age:ASC', 'sort=-name,age'],
    ['limit=1000', 'perPage=100'],
    ['limit=-1', ''],
    ['limit=0', 'perPage=1'],
    ['limit=x&page=-3', ''],
  ])('%s is written as %s', (query, expected) => {
    expect(written(query)).toBe(expected);
  });

  it('has nulls where the configuration says so', () => {
    const { rules, translate } = endpointOf({ nullSort: 'last' });
    expect(planQuery(translate('?sortBy=age:ASC'), rules).order[0]).toMatchObject({
      nulls: 'last',
    });
  });

  it('has all rows, several words and refusals where the configuration says so', () => {
    expect(written('limit=-1', { maxLimit: -1 })).toBe('paginate=false');
    expect(written('search=a b', { multiWordSearch: true })).toBe(
      'filter[$and][0][$or][0][name][ilike]=a&filter[$and][0][$or][1][color][ilike]=a&filter[$and][1][$or][0][name][ilike]=b&filter[$and][1][$or][1][color][ilike]=b',
    );
    const strict = endpointOf({ throwOnInvalidFilter: true });
    expect(() => strict.translate('?filter.color=white')).toThrow('A path in "filter"');
    expect(() => strict.translate('?filter.name=$gt:1')).toThrow('The operator is not allowed');
  });

  it.each(['color=white', 'name=$gt:1', 'constructor=a', 'NOT color=white'])(
    'filter=%s is refused, since an expression without a condition means something else',
    (expression) => {
      expect(() => endpointOf().translate(`?filter=${expression}`)).toThrow('not allowed');
    },
  );

  it('is refused where a condition with a quantifier is negated', () => {
    expect(() => endpointOf().translate('?filter=NOT toys.name=$all:Ball')).toThrow('be negated');
  });

  it.each(['filter.constructor=$gt:1', 'filter.__proto__=$in:1', 'filter.toString=a'])(
    '%s names nothing, as any other name',
    (query) => {
      expect(written(query)).toBe('');
      const strict = endpointOf({ throwOnInvalidFilter: true });
      expect(() => strict.translate(`?${query}`)).toThrow('A path in "filter"');
    },
  );

  it.each([
    'filter=',
    'filter=name',
    'filter=(name=a',
    'filter=name=a)',
    'filter="name=a',
    'filter=NOT',
  ])('%s is refused', (query) => {
    expect(() => endpointOf().translate(`?${query}`)).toThrow('is not complete');
  });

  it('is refused with more parts than the configuration allows, at once', () => {
    const endpoint = endpointOf({ filterExpressionMaxComplexity: 3 });
    expect(endpoint.translate('?filter=age=1 OR age=2')).toContain('age');
    expect(() => endpoint.translate('?filter=age=1 OR age=2 OR age=3')).toThrow(
      'more than 3 parts',
    );
    expect(() => endpoint.translate(`?filter=${'('.repeat(9000)}`)).toThrow('more than 3 parts');
    expect(() => endpoint.translate(`?filter=name="${'\\'.repeat(9000)}`)).toThrow('not complete');
  });
});

describe('an answer', () => {
  const rows = [{ id: 1 }, { id: 2 }];

  it('has meta and links of the request', () => {
    const endpoint = endpointOf({ relativePath: true });
    const url =
      'https://example.org/cats?page=2&limit=2&sortBy=name:DESC&search=i&filter.age=$gte:3&filter.age=$lt:9';
    expect(
      endpoint.answer({ data: rows, page: 2, perPage: 2, total: 5, lastPage: 3 }, url),
    ).toEqual({
      data: rows,
      meta: {
        itemsPerPage: 2,
        totalItems: 5,
        currentPage: 2,
        totalPages: 3,
        sortBy: [['name', 'DESC']],
        search: 'i',
        searchBy: ['name', 'color'],
        filter: { age: ['$gte:3', '$lt:9'] },
      },
      links: {
        first: expect.stringMatching(
          /^\/cats\?page=1&limit=2&sortBy=name%3ADESC&search=i&filter.age=/,
        ),
        previous: expect.stringContaining('page=1'),
        current: expect.stringContaining('page=2'),
        next: expect.stringContaining('page=3'),
        last: expect.stringContaining('page=3'),
      },
    });
  });

  it('counts rows without showing any, and follows cursors', () => {
    const counted = endpointOf().answer(
      { data: rows.slice(1), page: 1, perPage: 1, total: 5, lastPage: 5 },
      'https://example.org/cats?limit=0',
    );
    expect(counted).toMatchObject({
      data: [],
      meta: { itemsPerPage: 5, totalItems: 5, totalPages: 1 },
    });
    const endpoint = endpointOf({ paginationType: 'cursor', origin: 'https://api.example.org' });
    const page = endpoint.answer(
      { data: rows, perPage: 2, nextCursor: 'abc', prevCursor: null },
      'https://example.org/cats',
    );
    expect(page.links).toEqual({
      current: 'https://api.example.org/cats?limit=2&sortBy=id%3AASC',
      next: 'https://api.example.org/cats?limit=2&sortBy=id%3AASC&cursor=abc',
    });
  });
});
