/**
 * `fromNestjsPaginate` against the published cases of nestjs-paginate: the same rows in the same order, with the same
 * `meta` and links, but for the differences that the page on nestjs-paginate names.
 */

import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { PaginateQuery } from 'nestjs-paginate';
import { expect, it } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { QueryError, runQuery } from '../../src/index.ts';
import { fromNestjsPaginate } from '../../src/migrate/index.ts';
import { type PublishedCase, runPublishedCases } from './published-cases.ts';

const page = readFileSync(new URL('../../docs/nestjs-paginate.md', import.meta.url), 'utf8');

/** Relations with many rows in the entities of the cases. */
const many = /^(?:toys|pillows|naptimePillow\.brand\.pillows)\./;

/** The differences, as the page names them, and the cases that have them. */
const differences: { readonly [name: string]: (one: PublishedCase) => boolean } = {
  '`where`': ({ config }) => config.where !== undefined,
  '`withDeleted`': ({ config, query }) => config.withDeleted === true || query.withDeleted === true,
  '`buildCountQuery`': ({ config }) => config.buildCountQuery !== undefined,
  'Their cursors': ({ query }) => query.cursor !== undefined,
  'Polymorphic columns': ({ query, config }) =>
    [JSON.stringify(query), ...Object.keys(config.filterableColumns ?? {})].some((text) =>
      text.includes('~'),
    ) || (query.sortBy ?? []).some(([column]) => Array.isArray(column)),
  'Virtual columns': ({ query }) => JSON.stringify(query).includes('countCat'),
  'Sorts by a relation with many rows': ({ query }) =>
    (query.sortBy ?? []).some(([column]) => many.test(String(column))),
  'Searches in numbers': ({ query, config }) =>
    query.search !== undefined &&
    (config.searchableColumns ?? []).some((column) => /size|age/.test(String(column))),
  Ties: ({ query, config }) =>
    [...(query.sortBy ?? []), ...(config.defaultSortBy ?? [])].some(
      ([column, direction]) => direction === 'DESC' && column !== 'id',
    ),
  'Embedded columns of a relation alone': ({ query }) =>
    query.select?.includes('toys.(size.height)') === true,
  'Eager relations': ({ config }) => config.loadEagerRelations === true,
  'Searches through included lists': ({ query, config }) =>
    query.search !== undefined &&
    (config.searchableColumns ?? []).some((column) => String(column).includes('pillows')),
  'Wildcards in `select`': ({ query, config }) =>
    [...(query.select ?? []), ...(config.select ?? [])].some((name) => String(name).includes('*')),
  '`$all`': ({ query }) => JSON.stringify(query).includes('$all'),
};

/** The URL that the parser of nestjs-paginate reads as this query. */
function urlOf(query: PaginateQuery): string {
  const params = new URLSearchParams();
  const plain = ['page', 'limit', 'search', 'cursor', 'withDeleted'] as const;
  for (const name of plain) {
    if (query[name] !== undefined) params.set(name, String(query[name]));
  }
  for (const [column, direction] of query.sortBy ?? []) {
    params.append('sortBy', `${[column].flat().join('~')}:${direction}`);
  }
  for (const column of query.searchBy ?? []) params.append('searchBy', column);
  if (query.select) params.set('select', query.select.join(','));
  for (const [column, texts] of Object.entries(query.filter ?? {})) {
    for (const text of [texts].flat()) params.append(`filter.${column}`, text);
  }
  if (query.filterExpression !== undefined) params.set('filter', query.filterExpression);
  return `${query.path}?${params}`;
}

async function answerOf({ query, repository, config }: PublishedCase): Promise<unknown> {
  const entities = repository.manager.connection.entityMetadatas
    .filter(({ tableType }) => tableType === 'regular')
    .map(({ target, name }) => [name, target]);
  const registry = typeormRegistry(Object.fromEntries(entities), { families: ['sqlite'] });
  const endpoint = fromNestjsPaginate(config, registry, repository.metadata.name, {
    cursorKeys: 'a secret of the endpoint, for a test of cursors',
  });
  const url = urlOf(query);
  const source = typeormSource(repository);
  return endpoint.answer(await runQuery(source, endpoint.translate(url), endpoint.rules), url);
}

/**
 * An answer as JSON. Decimals are texts here and numbers there, virtual columns are none, and a filter with one text is a
 * text, as in a URL. The columns of wildcards stand in `meta.select` there.
 */
function comparable(answer: unknown): unknown {
  const { data, meta } = JSON.parse(JSON.stringify(answer), (name, value: unknown) => {
    if (name === 'weightChange') return Number(value);
    return name === 'countCat' ? undefined : value;
  }) as {
    readonly data: unknown;
    readonly meta: { readonly filter?: object; readonly select?: readonly string[] };
  };
  const filter = Object.entries(meta.filter ?? {}).map(([name, texts]) => [name, [texts].flat()]);
  return {
    data,
    meta: { ...meta, filter, select: meta.select?.filter((name) => /^\w+$/.test(name)) },
  };
}

it('answers the published cases as nestjs-paginate does, but for named differences', async () => {
  let same = 0;
  const unexpected: string[] = [];
  const seen = new Set<string>();
  const failed = await runPublishedCases(async (one) => {
    const names = Object.keys(differences).filter((name) => differences[name]?.(one));
    let found: unknown;
    try {
      found = comparable(await answerOf(one));
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      found = error.message;
    }
    const isSame = isDeepStrictEqual(found, comparable(one.result));
    if (isSame) same += 1;
    else if (names.length > 0) for (const name of names) seen.add(name);
    else
      unexpected.push(
        `${one.name} ${JSON.stringify(found)} ${JSON.stringify(comparable(one.result))}`,
      );
  });
  expect(failed).toEqual([]);
  expect(unexpected).toEqual([]);
  expect(same).toBeGreaterThan(170);
  expect([...seen].toSorted()).toEqual(Object.keys(differences).toSorted());
  for (const name of Object.keys(differences)) expect(page).toContain(`- **${name}`);
});
