/** Parses parameter names such as `filter[company.name][like]`. */

import { BoundedCache } from '../../lib/index.ts';
import { type OperatorRow, operators } from '../declare/operators.ts';
import { ownText } from './own-text.ts';

/** Parameters with one value. */
export type SingleParam = 'search' | 'page' | 'perPage' | 'paginate' | 'cursor';

/** Parameters that hold a list. */
export type ListParam = 'sort' | 'fields' | 'includes';

/** A parsed parameter name. */
export type RequestKey =
  | { readonly type: 'single'; readonly param: SingleParam }
  | { readonly type: 'list'; readonly param: ListParam }
  | {
      readonly type: 'filter';
      readonly path: string;
      readonly operatorName: string;
      readonly operator: OperatorRow | undefined;
    }
  | { readonly type: 'malformed'; readonly param: string }
  | { readonly type: 'unknown'; readonly param: string };

const names: ReadonlyMap<string, RequestKey> = new Map<string, RequestKey>([
  ...(['search', 'page', 'perPage', 'paginate', 'cursor'] as const).map(
    (param) => [param, { type: 'single', param }] as const,
  ),
  ...(['sort', 'fields', 'includes'] as const).map(
    (param) => [param, { type: 'list', param }] as const,
  ),
  ['filter', { type: 'malformed', param: 'filter' }],
]);

const path = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;
const operatorText = /^[A-Za-z]+$/;
const maxPathLength = 256;

/** Whether the text is a well-formed path. */
export function isPath(text: string): boolean {
  return text.length <= maxPathLength && path.test(text);
}

/** A filter key from its parts; malformed when they do not follow the grammar. */
export function filterKey(filterPath: string, operatorName: string): RequestKey {
  if (!isPath(filterPath) || operatorName.length > 64 || !operatorText.test(operatorName)) {
    return { type: 'malformed', param: 'filter' };
  }
  const operator = operators.get(operatorName);
  return { type: 'filter', path: filterPath, operatorName, operator };
}

function understand(key: string): RequestKey {
  const bracket = key.indexOf('[');
  const base = bracket < 0 ? key : key.slice(0, bracket);
  if (base !== 'filter') {
    const known = names.get(base);
    if (!known || known.type === 'unknown') return { type: 'unknown', param: base };
    return bracket < 0 ? known : { type: 'malformed', param: base };
  }
  if (!key.endsWith(']')) return { type: 'malformed', param: 'filter' };
  const parts = key.slice(bracket + 1, -1).split('][');
  if (parts.length > 2) return { type: 'malformed', param: 'filter' };
  return filterKey(parts[0] ?? '', parts[1] ?? 'eq');
}

const cache = new BoundedCache<string, RequestKey>(1000);

/** Parses a decoded key. The same keys recur in every request, so results are cached. */
export function requestKey(key: string): RequestKey {
  const simple = names.get(key);
  if (simple) return simple;
  const cached = cache.get(key);
  if (cached) return cached;
  const own = ownText(key);
  const understood = Object.freeze(understand(own));
  if (understood.type === 'filter' && understood.operator) cache.set(own, understood);
  return understood;
}
