/** Requests from the state of a real TanStack Table, and back. */

import {
  columnFilteringFeature,
  columnVisibilityFeature,
  constructTable,
  createColumnHelper,
  globalFilteringFeature,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/table-core';
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings';
import { describe, expect, it } from 'vitest';
import {
  type ClientTableRequest,
  type ClientTableState,
  buildQuery,
  createListClient,
  describeRules,
  requestOfTable,
  tableOfRequest,
} from '../../src/client/index.ts';
import { planQuery } from '../../src/index.ts';
import { shopRules } from '../unit/rules/shop-rules.ts';

interface Article {
  readonly id: number;
  readonly name: string;
  readonly stock: number | null;
  readonly price: string;
  readonly maker: { readonly name: string };
}

const features = tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  columnFilteringFeature,
  columnVisibilityFeature,
  globalFilteringFeature,
  rowPaginationFeature,
  rowSortingFeature,
});
const helper = createColumnHelper<typeof features, Article>();
const columns = helper.columns([
  helper.accessor('name', {}),
  helper.accessor('stock', {}),
  helper.accessor('price', {}),
  helper.accessor('maker.name', {}),
]);
const table = () =>
  constructTable({
    features,
    columns,
    data: [] as Article[],
    manualFiltering: true,
    manualPagination: true,
    manualSorting: true,
  });

const rules = shopRules();
const description = describeRules(rules);
const requestOf = (state: ClientTableState) => requestOfTable(description, state);
const filterOf = (id: string, value: unknown) =>
  requestOf({ columnFilters: [{ id, value }] }).filter;

describe('the state of a table', () => {
  it('is a request that the endpoint takes', () => {
    const articles = table();
    articles.setSorting([
      { id: 'maker_name', desc: true },
      { id: 'name', desc: false },
    ]);
    articles.getColumn('name')?.setFilterValue('chair');
    articles.getColumn('stock')?.setFilterValue([1, '']);
    articles.getColumn('price')?.setFilterValue(['1.50', '9']);
    articles.getColumn('maker_name')?.setFilterValue('acme');
    articles.setGlobalFilter('oak');
    articles.setPagination({ pageIndex: 2, pageSize: 25 });
    articles.setColumnVisibility({ stock: true, name: false, maker_name: true });
    const { state } = articles.store;
    const request = requestOf(state);
    expect(request).toEqual({
      filter: {
        name: { ilike: 'chair' },
        stock: { gte: 1 },
        price: { gte: '1.50', lte: '9' },
        'maker.name': { ilike: 'acme' },
      },
      sort: ['-maker.name', 'name'],
      search: 'oak',
      page: 3,
      perPage: 25,
      fields: ['id', 'stock', 'maker.name'],
      includes: ['maker'],
    });
    expect(planQuery(buildQuery(request), rules).page).toMatchObject({ perPage: 25, offset: 50 });
    expect(createListClient('https://shop.test/articles').url(request)).toContain('page=3');

    const { columnVisibility, ...others } = state;
    expect(columnVisibility).toBeDefined();
    const opened = tableOfRequest(description, request);
    expect(opened).toMatchObject({ sorting: others.sorting, pagination: others.pagination });
    expect(requestOf(opened)).toEqual({ ...request, fields: undefined, includes: undefined });
    const again = table();
    again.setColumnFilters(opened.columnFilters.map((each) => ({ ...each })));
    expect(again.getColumn('stock')?.getFilterValue()).toEqual([1, undefined]);
  });

  it('without changes is the request for the first page', () => {
    expect(requestOf({ ...table().store.state, columnVisibility: undefined as never })).toEqual({
      page: 1,
      perPage: 10,
    });
    expect(requestOf({})).toEqual({});
    expect(tableOfRequest(description, {})).toEqual({
      sorting: [],
      columnFilters: [],
      globalFilter: '',
      pagination: { pageIndex: 0, pageSize: 10 },
    });
  });

  it('has no page where the endpoint has pages by cursor alone', () => {
    const keyset = describeRules(shopRules({ mode: 'keyset' }));
    const pagination = { pageIndex: 4, pageSize: 20 };
    expect(requestOfTable(keyset, { pagination })).toEqual({ perPage: 20 });
  });

  it.each<[string, unknown, object | undefined]>([
    ['name', 'x', { name: { ilike: 'x' } }],
    ['name', ['x', 'y'], { name: { in: ['x', 'y'] } }],
    ['name', { startsWith: 'x' }, { name: { startsWith: 'x' } }],
    ['code', 'x', { code: { eq: 'x' } }],
    ['state', 'new', { state: { eq: 'new' } }],
    ['state', ['new', 'used'], { state: { in: ['new', 'used'] } }],
    ['sold', false, { sold: { eq: false } }],
    ['stock', 0, { stock: { eq: 0 } }],
    ['stock', [null, 5], { stock: { lte: 5 } }],
    ['stock', [1, 2, 3], { stock: { in: [1, 2, 3] } }],
    ['day', ['2026-01-01', undefined], { day: { gte: '2026-01-01' } }],
    ['maker', true, { maker: { isNull: true } }],
    ['labels_text', 'x', { 'labels.text': { eq: 'x' } }],
    ['labels.text', 'x', { 'labels.text': { eq: 'x' } }],
    ...[undefined, null, '', [], ['', null]].map((empty): [string, unknown, undefined] => [
      'stock',
      empty,
      undefined,
    ]),
  ])('has the condition of %s %j', (id, value, filter) => {
    expect(filterOf(id, value)).toEqual(filter);
    if (!filter) return;
    const { columnFilters } = tableOfRequest(description, { filter } as ClientTableRequest);
    expect(requestOf({ columnFilters }).filter).toEqual(filter);
  });

  it.each<[string, unknown, object]>([
    ['name', 'x', { name: { eq: 'x' } }],
    ['name', '', { name: { eq: '' } }],
    ['stock', 5, { stock: { eq: 5 } }],
    ['name', ['x', 'y'], { name: { in: ['x', 'y'] } }],
  ])('reads the short form of %s %j as the request does', (path, value, filter) => {
    const request = { filter: { [path]: value } } as ClientTableRequest;
    const { columnFilters } = tableOfRequest(description, request);
    expect(requestOf({ columnFilters }).filter).toEqual(filter);
  });

  it('does not open a link with a condition that no column shows', () => {
    const request = { where: 'stock = 1' } as ClientTableRequest;
    expect(() => tableOfRequest(description, request)).toThrow(
      'Request must not have "where", which no column shows',
    );
    const absent = { where: undefined } as ClientTableRequest;
    expect(tableOfRequest(description, absent)).toMatchObject({ columnFilters: [], sorting: [] });
  });

  it('asks columns of arrays for their members', () => {
    const tags = { path: 'tags', kind: 'string[]', operators: ['has', 'hasAny', 'isEmpty'] };
    const arrays = { ...description, filters: [tags as never] };
    const conditions: readonly [unknown, object][] = [
      ['red', { has: 'red' }],
      [['red', 'blue'], { hasAny: ['red', 'blue'] }],
      [{ isEmpty: true }, { isEmpty: true }],
    ];
    for (const [value, expected] of conditions) {
      const { filter } = requestOfTable(arrays, { columnFilters: [{ id: 'tags', value }] });
      expect(filter).toEqual({ tags: expected });
      const { columnFilters } = tableOfRequest(arrays, { filter } as ClientTableRequest);
      expect(requestOfTable(arrays, { columnFilters }).filter).toEqual(filter);
    }
  });

  it('keeps the values of a date', () => {
    const at = new Date('2026-01-01T00:00:00Z');
    expect(filterOf('changedAt', at)).toEqual({ changedAt: { eq: at } });
    expect(filterOf('changedAt', [at, null])).toEqual({ changedAt: { gte: at } });
  });

  it('shows columns with the names of members of all objects where it says so', () => {
    const allowed = ['constructor', 'toString', 'name'];
    const named = { ...description, fields: { allowed, default: ['name'] } };
    const shown = (columnVisibility: Record<string, boolean>) =>
      requestOfTable(named, { columnVisibility }).fields;
    expect(shown({})).toEqual(['name']);
    expect(shown({ constructor: true })).toEqual(['constructor', 'name']);
  });

  it('is refused where two columns are filters of one path', () => {
    const columnFilters = [
      { id: 'maker_name', value: 'x' },
      { id: 'maker.name', value: 'y' },
    ];
    expect(() => requestOf({ columnFilters })).toThrow('"maker.name" must not be filtered twice');
    expect(
      requestOf({ columnFilters: [{ id: 'maker.name', value: '' }, ...columnFilters.slice(0, 1)] }),
    ).toHaveProperty('filter');
  });

  it('is refused where the endpoint cannot answer it', () => {
    expect(() => filterOf('secret', 'x')).toThrow('Column "secret" must have the id of one path');
    expect(() => filterOf('maker_name', ['a', 'b'])).toThrow('takes none of in');
    expect(() => requestOf({ sorting: [{ id: 'code', desc: true }] })).toThrow('sorts');
    const [name] = description.filters;
    const twice = {
      ...description,
      filters: ['maker_name', 'maker.name'].map((path) => ({ ...name, path }) as never),
    };
    const columnFilters = [{ id: 'maker_name', value: 'x' }];
    expect(() => requestOfTable(twice, { columnFilters })).toThrow('one path');
  });
});
