/** A search as a request in the list grammar, with the paths of data and output that it names and their kinds. */

import { isJsonPath, type JsonPathKind } from '../../../schema/index.ts';
import { BoardError } from '../../core/index.ts';
import { type JobPaths, jsonFields } from '../listings/search-rules.ts';
import type { JobFilter } from '../../filters/index.ts';
import { filterParams } from '../listings/raw-filters.ts';

/** Maximum number of paths per request. */
const maxPaths = 8;

/** The request without paging, and its paths. */
export interface SearchRequest {
  readonly filters: URLSearchParams;
  readonly paths: JobPaths;
  /** The filter as text. */
  readonly where?: JobFilter;
}

interface PathCondition {
  readonly path: string;
  readonly operator: string;
  readonly value: string;
}

const shorthand = new RegExp(`^(?:${jsonFields.join('|')})\\.`);
const bracketed = new RegExp(
  `^filter\\[((?:${jsonFields.join('|')})\\.[^\\]]*)\\](?:\\[(\\w+)\\])?$`,
);
const lists: ReadonlySet<string> = new Set(['in', 'notIn', 'between']);
/** Numbers as JSON writes them, without an exponent; other digits, such as `007`, are texts. */
const numeric = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

function invalid(field: string): BoardError {
  return new BoardError('INVALID_QUERY_PARAM', { code: 'INVALID_REQUEST', options: { field } });
}

/** A text in quotes is never a number or a boolean. */
const isQuoted = (value: string): boolean => /^"[^]*"$/.test(value);

function kindOf(conditions: readonly PathCondition[]): JsonPathKind {
  const values = conditions.flatMap(({ operator, value }) => {
    if (operator === 'isNull') return [];
    return lists.has(operator) ? value.split(',') : [value];
  });
  const isText = conditions.some(({ operator }) => operator === 'like' || operator === 'notLike');
  if (isText || values.length === 0) return 'string';
  if (values.every((value) => numeric.test(value))) return 'decimal';
  return values.every((value) => value === 'true' || value === 'false') ? 'boolean' : 'string';
}

/**
 * Reads `filter[...]` and the shorthand `data.customer.id=42` of a query string. The kind of a path is that of the
 * values that it is compared with: numbers, `true` and `false`, or texts; a path that is only tested for null is a text.
 *
 * @throws {BoardError} INVALID_QUERY_PARAM when a path has another form, or there are too many
 */
export function searchRequest(rawQuery: string): SearchRequest {
  const filters = new URLSearchParams();
  const byPath = new Map<string, PathCondition[]>();
  const add = (path: string, operator: string, value: string): void => {
    const [field = ''] = path.split('.', 1);
    if (!isJsonPath(path.slice(field.length + 1))) throw invalid('filter');
    const known = byPath.get(path);
    if (known) known.push({ path, operator, value });
    else if (byPath.size === maxPaths) throw invalid('filter');
    else byPath.set(path, [{ path, operator, value }]);
  };
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    if (shorthand.test(name)) add(name, 'eq', value);
  }
  for (const [name, value] of filterParams(rawQuery)) {
    const [, path, operator = 'eq'] = bracketed.exec(name) ?? [];
    if (path === undefined) filters.append(name, value);
    else add(path, operator, value);
  }
  // Members may have any name, `__proto__` among them.
  const byField = (): { [path: string]: JsonPathKind } => Object.create(null);
  const kinds = { data: byField(), output: byField() };
  for (const [path, conditions] of byPath) {
    const field = path.startsWith('data.') ? 'data' : 'output';
    kinds[field][path.slice(field.length + 1)] = kindOf(conditions);
    for (const { operator, value } of conditions) {
      const text = !lists.has(operator) && isQuoted(value) ? value.slice(1, -1) : value;
      filters.append(`filter[${path}][${operator}]`, text);
    }
  }
  return { filters, paths: kinds };
}
