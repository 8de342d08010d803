/** Parses the object that the query parser of a framework has created: nested, or with keys in brackets. */

import { isRecord } from '../../lib/index.ts';
import type { RequestBuilder } from './request-builder.ts';
import { syntaxError } from './request-error.ts';
import { type RequestKey, filterKey, requestKey } from './request-key.ts';

type Scalar = string | number | boolean | null;

function isScalar(value: unknown): value is Scalar {
  if (value === null) return true;
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean';
}

const asText = (value: Scalar): string | null => (value === null ? null : String(value));

function addValue(key: RequestKey, value: unknown, builder: RequestBuilder) {
  if (isScalar(value)) return builder.add(key, asText(value));
  if (!Array.isArray(value) || !value.every(isScalar)) {
    return builder.add(
      key.type === 'unknown' ? key : { type: 'malformed', param: nameOf(key) },
      '',
    );
  }
  if (value.length === 0) return builder.addEmpty(key);
  for (const item of value) builder.add(key, asText(item), true);
}

function nameOf(key: RequestKey): string {
  return key.type === 'filter' ? 'filter' : key.param;
}

function addFilters(filters: { readonly [path: string]: unknown }, builder: RequestBuilder) {
  for (const path of Object.keys(filters)) {
    const value = filters[path];
    if (!isRecord(value)) {
      addValue(filterKey(path, 'eq'), value, builder);
      continue;
    }
    for (const operator of Object.keys(value)) {
      addValue(filterKey(path, operator), value[operator], builder);
    }
  }
}

/** Adds every own parameter of the object to the builder. */
export function parseObject(
  params: { readonly [param: string]: unknown },
  builder: RequestBuilder,
): void {
  for (const param of Object.keys(params)) {
    const value = params[param];
    if (value === undefined) continue;
    if (param === 'filter' && isRecord(value)) addFilters(value, builder);
    else addValue(requestKey(param), value, builder);
  }
}

/**
 * Refuses an object whose text is longer than the longest query string.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID when a value has a form that the grammar does not know.
 */
export function boundObject(value: unknown, maxLength: number): void {
  let left = maxLength;
  const spend = (length: number) => {
    left -= length;
    if (left < 0) {
      throw syntaxError(`The request is longer than ${maxLength} characters.`, {
        maxQueryLength: maxLength,
      });
    }
  };
  // No parameter of the grammar is nested deeper than filter, path, operator, item.
  const walk = (node: unknown, depth: number) => {
    if (typeof node === 'string') return spend(node.length);
    if (typeof node !== 'object' || node === null || depth > 4) return spend(1);
    for (const [key, member] of Object.entries(node)) {
      spend(Array.isArray(node) ? 1 : key.length + 1);
      walk(member, depth + 1);
    }
  };
  walk(value, 0);
}
