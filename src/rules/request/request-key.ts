/** Parses parameter names such as `filter[company.name][like]`. */

import { BoundedCache } from '../../lib/index.ts';
import { type OperatorRow, operators } from '../declare/operators.ts';
import { isUndecodable } from './decode-text.ts';
import { maxParts, partsOfGroups } from './group-key.ts';
import { ownText } from './own-text.ts';

/** Parameters with one value. */
export type SingleParam = 'search' | 'where' | 'page' | 'perPage' | 'paginate' | 'cursor';

/** Parameters that hold a list. */
export type ListParam = 'sort' | 'fields' | 'includes';

/** The place of a value in a list: `sort` is plain, `sort[]` is an item, and `sort[3]` is the item of that number. */
export type Place = 'plain' | 'item' | number;

/** A parsed parameter name. `undecodable` is a name with a percent sequence that has no meaning. */
export type RequestKey =
  | { readonly type: 'single'; readonly param: SingleParam }
  | { readonly type: 'list'; readonly param: ListParam; readonly place: Place }
  | {
      readonly type: 'filter';
      readonly path: string;
      readonly operatorName: string;
      readonly operator: OperatorRow | undefined;
      readonly place: Place;
      /** The groups and quantifiers around it, joined by `][`; absent where there are none. */
      readonly within?: string;
      /** The same in parts. */
      readonly parts?: readonly string[];
    }
  /** A parameter about the children of an include, with the key that it has for the rows of the endpoint. */
  | { readonly type: 'child'; readonly path: string; readonly key: RequestKey }
  | { readonly type: 'malformed'; readonly param: string }
  | { readonly type: 'undecodable' }
  | { readonly type: 'unknown'; readonly param: string };

const names: ReadonlyMap<string, RequestKey> = new Map<string, RequestKey>([
  ['filter', { type: 'malformed', param: 'filter' }],
  ...(['search', 'page', 'perPage', 'paginate', 'cursor'] as const).map(
    (param) => [param, { type: 'single', param }] as const,
  ),
  ...(['sort', 'fields', 'includes'] as const).map(
    (param) => [param, { type: 'list', param, place: 'plain' }] as const,
  ),
]);

const path = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;
/** The end of a path that names a value over the rows of a relation: `$count`, `$max.createdAt`, `$count.published`. */
const aggregateEnd =
  /\.\$(?:count|(?:sum|min|max)\.[A-Za-z_][A-Za-z0-9_]*)(?:\.[A-Za-z_][A-Za-z0-9_]*)?$/;
const operatorText = /^[A-Za-z]+$/;
const maxPathLength = 256;

/** The parameters of the grammar. */
export const grammarParams: ReadonlySet<string> = new Set(names.keys());

/** Whether the text is a well-formed path; with `aggregates`, also one of a value over the rows of a relation. */
export function isPath(text: string, aggregates = false): boolean {
  if (text.length > maxPathLength) return false;
  return path.test(aggregates ? text.replace(aggregateEnd, '') : text);
}

/** A filter key from its parts; malformed when they do not follow the grammar. */
export function filterKey(
  filterPath: string,
  operatorName: string,
  place: Place = 'plain',
  within = '',
): RequestKey {
  if (!isPath(filterPath, true) || operatorName.length > 64 || !operatorText.test(operatorName)) {
    return { type: 'malformed', param: 'filter' };
  }
  const operator = operators.get(operatorName);
  const key = { type: 'filter', path: filterPath, operatorName, operator, place } as const;
  return within === '' ? key : { ...key, within, parts: Object.freeze(within.split('][')) };
}

const index = /^(?:0|[1-9]\d{0,8})$/;

/** Whether the text numbers an item of a list. */
export function isIndex(text: string): boolean {
  return index.test(text);
}

/** The place that the text between the last brackets means; `undefined` when it means none. */
function placeOf(text: string): Place | undefined {
  if (text === '') return 'item';
  return isIndex(text) ? Number(text) : undefined;
}

function understandFilter(all: readonly string[]): RequestKey {
  const at = all.length > maxParts ? 0 : partsOfGroups(all, isIndex, (part) => isPath(part));
  const parts = at === 0 ? all : all.slice(at);
  const within = all.slice(0, at).join('][');
  const [path = '', operator = 'eq', last] = parts;
  // `filter[path][]` is an item of `filter[path]`.
  const short = parts.length === 2 ? placeOf(operator) : undefined;
  if (short !== undefined) return filterKey(path, 'eq', short, within);
  const place = last === undefined ? 'plain' : placeOf(last);
  if (place === undefined || parts.length > 3) return { type: 'malformed', param: 'filter' };
  return filterKey(path, operator, place, within);
}

function understand(key: string): RequestKey {
  const bracket = key.indexOf('[');
  const base = bracket < 0 ? key : key.slice(0, bracket);
  const closed = key.endsWith(']');
  if (base === 'filter') {
    if (closed) return understandFilter(key.slice(bracket + 1, -1).split(']['));
    return { type: 'malformed', param: 'filter' };
  }
  const known = names.get(base);
  if (known?.type === 'list' && closed) {
    const place = placeOf(key.slice(bracket + 1, -1));
    if (place !== undefined) return { ...known, place };
  }
  if (known) return { type: 'malformed', param: base };
  return isUndecodable(key) ? { type: 'undecodable' } : { type: 'unknown', param: base };
}

const cache = new BoundedCache<string, RequestKey>(1000);
/** Names with groups are as many as a client likes, and displace each other only. */
const grouped = new BoundedCache<string, RequestKey>(1000);
/** Longest name with groups that is kept. */
const maxGrouped = 128;

/** Parses a decoded key. The same keys recur in every request, so results are cached. */
export function requestKey(key: string): RequestKey {
  const simple = names.get(key);
  if (simple) return simple;
  const cached = cache.get(key) ?? (key.includes('$') ? grouped.get(key) : undefined);
  if (cached) return cached;
  const own = ownText(key);
  const understood = Object.freeze(understand(own));
  const recurs = understood.type === 'filter' && understood.operator;
  if (!recurs || typeof understood.place !== 'string') return understood;
  if (understood.within === undefined) cache.set(own, understood);
  else if (own.length <= maxGrouped) grouped.set(own, understood);
  return understood;
}
