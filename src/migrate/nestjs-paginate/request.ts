/** Requests of nestjs-paginate, as Sluice writes them. */

import {
  type ClientRequest,
  type CompiledQueryRules,
  buildQuery,
  fieldNotAllowed,
} from '../../rules/index.ts';
import { type Column, embeddedIn, pathOf } from './columns.ts';
import type { NestjsPaginateConfig, NestjsPaginateSort } from './config.ts';
import { conditionsOf, isPlainSearch } from './filters.ts';

/** A request as its parser reads it. */
export interface PaginateRequest {
  readonly page: number;
  /** `undefined` where the request has none. */
  readonly limit: number | undefined;
  readonly sortBy: readonly NestjsPaginateSort[];
  readonly search: string;
  readonly searchBy: readonly string[];
  readonly select: readonly string[] | undefined;
  readonly filter: ReadonlyMap<string, readonly string[]>;
  readonly expression: string | null;
  readonly cursor: string | null;
}

/** Reads a query string; sorts and columns of a search that the configuration does not name are left out. */
export function readRequest(query: string, config: NestjsPaginateConfig): PaginateRequest {
  const params = new URLSearchParams(query);
  const filter = new Map<string, readonly string[]>();
  for (const name of new Set(params.keys())) {
    if (name.startsWith('filter.')) filter.set(name.slice('filter.'.length), params.getAll(name));
  }
  const asked = params.getAll('sortBy').flatMap((text): readonly NestjsPaginateSort[] => {
    const [column = '', direction, ...rest] = text.split(':');
    const names = column.split('~');
    if (rest.length > 0 || !names.every((name) => config.sortableColumns.includes(name))) return [];
    if (direction !== 'ASC' && direction !== 'DESC') return [];
    return [[names.length > 1 ? names : column, direction]];
  });
  const [first = ''] = config.sortableColumns;
  const usual: readonly NestjsPaginateSort[] = config.defaultSortBy ?? [[first, 'ASC']];
  const searchable = config.searchableColumns ?? [];
  const searchBy = config.ignoreSearchByInQueryParam ? [] : params.getAll('searchBy');
  const select = params.getAll('select').flatMap((text) => text.split(','));
  return {
    page: Math.max(1, whole(params.get('page')) ?? 1),
    limit: whole(params.get('limit')),
    sortBy: asked.length > 0 ? asked : usual,
    search: params.get('search') ?? '',
    searchBy:
      searchBy.length > 0 ? searchBy.filter((name) => searchable.includes(name)) : searchable,
    select: config.ignoreSelectInQueryParam ? undefined : chosenOf(select, config.select),
    filter,
    expression: params.get('filter'),
    cursor: params.get('cursor'),
  };
}

/**
 * Writes the request as a query string.
 *
 * @throws {QueryError} FIELD_NOT_ALLOWED for a column that the configuration names and the schema does not have; see
 * `conditionsOf` for filters.
 */
export function writeRequest(
  request: PaginateRequest,
  config: NestjsPaginateConfig,
  rules: CompiledQueryRules,
  find: (name: string) => Column | null,
): string {
  const { search, searchBy } = request;
  const sorts = request.sortBy.map(([name, direction]) => {
    const path = typeof name === 'string' ? find(name)?.path : undefined;
    if (path === undefined || !rules.sorts.has(path)) throw fieldNotAllowed('sort', path);
    return `${direction === 'DESC' ? '-' : ''}${path}`;
  });
  const hasSearch = search !== '' && searchBy.length > 0 && isPlainSearch(search, searchBy, config);
  const written: ClientRequest = {
    filter: conditionsOf(request, config, find),
    sort: sorts,
    ...shownBy(request, rules),
    ...(hasSearch && { search }),
    ...windowOf(request, config, rules),
  };
  return buildQuery<CompiledQueryRules>(written);
}

/** The columns that both name; `undefined` where these are all, or where neither names any. */
function chosenOf(
  names: readonly string[],
  listed: readonly string[] | undefined,
): readonly string[] | undefined {
  if (names.length === 0 || !listed) return undefined;
  if (listed.some((name) => name.endsWith('*'))) return names;
  const covers = (name: string, known: string) =>
    name.endsWith('*') ? relationOf(known) === name.slice(0, -2) : known === name;
  const chosen = listed.filter((known) => names.some((name) => covers(name, known)));
  return chosen.length === listed.length || chosen.length === 0 ? undefined : chosen;
}

/** The relation of a column, whose embedded properties stand in parentheses. */
const relationOf = (name: string): string => {
  const column = name.replace(/\(.*\)$/, '');
  return column.slice(0, Math.max(0, column.replace(/\.$/, '').lastIndexOf('.')));
};

/** The fields that the request names and the rules show, and the relations that have some. */
function shownBy(
  { select }: PaginateRequest,
  { registry, model, schema, includes, root }: CompiledQueryRules,
): ClientRequest {
  const shown = new Map([['', [...root.allowed]]]);
  for (const [path, { projection }] of includes) {
    shown.set(
      path,
      [...projection.allowed].map((field) => `${path}.${field}`),
    );
  }
  const all = new Set([...shown.values()].flat());
  const names = (select ?? []).map(pathOf).flatMap((name) => {
    if (name.endsWith('*')) {
      const relation = name.slice(0, -2);
      const paths = [relation, ...embeddedIn(registry, model, relation)];
      return paths.flatMap((path) => shown.get(path) ?? []);
    }
    return all.has(name) ? [name] : [];
  });
  if (names.length === 0) return { includes: [...includes.keys()] };
  const related = [...includes.values()].filter(({ path }) =>
    names.some((name) => name.startsWith(`${path}.`)),
  );
  const keys = related.flatMap(({ path, relation, projection }) =>
    (registry.get(relation.target)?.primaryKey ?? [])
      .filter((field) => projection.allowed.has(field))
      .map((field) => `${path}.${field}`),
  );
  const fields = [...new Set([...schema.primaryKey, ...keys, ...names])];
  return { fields, includes: related.map(({ path }) => path) };
}

/** Whether the request asks for the number of rows alone. */
export const isCounter = ({ limit }: PaginateRequest): boolean => limit === 0;

/** The page. A `limit` beyond the largest is the largest, and one of -1 all rows where there is no largest. */
function windowOf(
  request: PaginateRequest,
  { maxLimit = 100 }: NestjsPaginateConfig,
  { pagination }: CompiledQueryRules,
): ClientRequest {
  const { limit, page, cursor } = request;
  if (isCounter(request)) return { perPage: 1 };
  if (limit === -1 && maxLimit < 0) return { paginate: false };
  const perPage =
    limit === undefined || limit === -1
      ? undefined
      : maxLimit < 0
        ? limit
        : Math.min(limit, maxLimit);
  if (pagination.mode === 'keyset') return { perPage, cursor: cursor ?? '' };
  return { perPage, page };
}

/** The whole number at the start of a text, as `parseInt` reads it. */
function whole(text: string | null): number | undefined {
  const number = Number.parseInt(text ?? '', 10);
  return Number.isNaN(number) ? undefined : number;
}
