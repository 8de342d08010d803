/**
 * Parses the object that the query parser of a framework has created: nested (`qs`), or with keys in brackets
 * (`node:querystring`). Where the parser has lost what the client wrote, and it shows, the request is refused.
 */

import { isObject, isRecord } from '../../lib/index.ts';
import { operators } from '../declare/operators.ts';
import type { QueryLimits } from '../declare/declaration.ts';
import { isBodyRequest } from './body-request.ts';
import { boundObject, boundQuery } from './bound-object.ts';
import { badEncoding, mayBeEncoded } from './decode-text.ts';
import type { ListRequestInput } from './list-request.ts';
import { parseQueryString } from './parse-query-string.ts';
import type { RequestBuilder } from './request-builder.ts';
import { type LengthLimit, syntaxError } from './request-error.ts';
import { isNumbered, maxParts, quantifierOf } from './group-key.ts';
import { childKey, childParams } from '../children/child-key.ts';
import {
  type Place,
  type RequestKey,
  filterKey,
  isIndex,
  isPath,
  requestKey,
} from './request-key.ts';

type Scalar = string | number | boolean | null;
type Members = { readonly [name: string]: unknown };

function isScalar(value: unknown): value is Scalar {
  if (value === null) return true;
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean';
}

const asText = (value: Scalar): string | null => (value === null ? null : String(value));

/** The items of an array, or of the object with numbers as keys that `qs` makes of a long one. */
function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return [...value];
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every(isIndex) ? Object.values(value) : undefined;
}

function addScalar(key: RequestKey, value: Scalar, builder: RequestBuilder, inArray = false) {
  const text = asText(value);
  if (key.type !== 'unknown' && text !== null && mayBeEncoded(text)) {
    return builder.fail(badEncoding);
  }
  builder.add(key, text, inArray);
}

function addValue(key: RequestKey, value: unknown, builder: RequestBuilder): void {
  if (key.type === 'child') {
    const children = builder.child(key.path);
    return children && addValue(key.key, value, children);
  }
  if (isScalar(value)) return addScalar(key, value, builder);
  const items = itemsOf(value);
  if (!items?.every(isScalar)) return addMalformed(key, builder);
  if (items.length === 0) return builder.addEmpty(key);
  for (const item of items) addScalar(key, item, builder, true);
}

function addMalformed(key: RequestKey, builder: RequestBuilder) {
  const malformed = key.type === 'single' || key.type === 'list' || key.type === 'filter';
  const param = key.type === 'filter' ? 'filter' : malformed ? key.param : '';
  builder.add(malformed ? { type: 'malformed', param } : key, '');
}

/** Makes the key of an operator on one path, within its groups. */
type KeyOf = (operatorName: string, place?: Place) => RequestKey;

/** The conditions on one path: a value that means `eq`, or values by operator. */
function addConditions(keyOf: KeyOf, value: unknown, builder: RequestBuilder) {
  if (isMerged(value)) {
    const { 0: first, 1: second, ...operatorsAfter } = value;
    for (const part of [first, second]) {
      if (isRecord(part)) addOperators(keyOf, part, builder);
      else addValue(keyOf('eq'), part, builder);
    }
    if (Object.keys(operatorsAfter).length > 0) addOperators(keyOf, operatorsAfter, builder);
  } else if (isRecord(value) && !itemsOf(value)) {
    addOperators(keyOf, value, builder);
  } else {
    addValue(keyOf('eq'), value, builder);
  }
}

/**
 * Whether `qs` has merged `filter[path]=a` and `filter[path][ne]=b`: `['a', { ne: 'b' }]`, in either order, which
 * becomes `{ 0: 'a', 1: { ne: 'b' }, gt: 'c' }` when more operators follow.
 */
function isMerged(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false;
  const first: unknown = Reflect.get(value, '0');
  const second: unknown = Reflect.get(value, '1');
  return isScalar(first) ? isRecord(second) : isRecord(first) && isScalar(second);
}

function addOperators(keyOf: KeyOf, members: Members, builder: RequestBuilder) {
  const names = Object.keys(members);
  if (names.length === 0) addMalformed(keyOf('eq'), builder);
  const hasText = names.some((name) => typeof members[name] === 'string');
  for (const name of names) {
    const value = members[name];
    if (isIndex(name)) addValue(keyOf('eq', Number(name)), value, builder);
    else if (value !== true || !hasText) addValue(keyOf(name), value, builder);
    // `qs` before 6.15 makes `{ ne: 'b', a: true }` of `filter[path][ne]=b&filter[path]=a`.
    else if (operators.has(name)) addMalformed(keyOf(name), builder);
    else addScalar(keyOf('eq'), name, builder);
  }
}

function addFilters(filters: unknown, builder: RequestBuilder, within: readonly string[] = []) {
  const paths = isRecord(filters) && within.length < maxParts ? Object.keys(filters) : [];
  // `qs` drops `__proto__`, and leaves the empty object of `filter[__proto__]=a`.
  if (!isRecord(filters) || paths.length === 0) return addMalformed(requestKey('filter'), builder);
  for (const path of paths) {
    const value = filters[path];
    if (path === '$not') addFilters(value, builder, [...within, path]);
    else if (isNumbered(path)) addMembers(path, value, builder, within);
    else addPath(path, value, builder, within);
  }
}

/** The numbered members of a group. */
function addMembers(
  group: string,
  members: unknown,
  builder: RequestBuilder,
  within: readonly string[],
) {
  const numbers = Object.keys(Object(members)).filter(isIndex);
  const isList = Array.isArray(members) || (isRecord(members) && itemsOf(members) !== undefined);
  if (!isList || numbers.length === 0) return addMalformed(requestKey('filter'), builder);
  for (const number of numbers) {
    addFilters(Reflect.get(members as object, number), builder, [...within, group, number]);
  }
}

/** The conditions on one path, and those on rows of the relation that it names. */
function addPath(path: string, value: unknown, builder: RequestBuilder, within: readonly string[]) {
  const around = within.join('][');
  const keyOf: KeyOf = (operatorName, place) => filterKey(path, operatorName, place, around);
  const names = isRecord(value) ? Object.keys(value) : [];
  if (!isRecord(value) || !names.some(quantifierOf)) return addConditions(keyOf, value, builder);
  for (const name of names) {
    if (!quantifierOf(name)) addOperators(keyOf, { [name]: value[name] }, builder);
    else if (!isPath(path)) addMalformed(requestKey('filter'), builder);
    else addFilters(value[name], builder, [...within, path, name]);
  }
}

/** The parameters about the children of includes. */
function addChildren(includes: Members, builder: RequestBuilder) {
  const paths = Object.keys(includes);
  const isNamed = paths.length > 0 && paths.every((path) => isPath(path));
  if (!isNamed) return addMalformed(childKey('include'), builder);
  for (const path of paths) {
    const members = includes[path];
    const names = isRecord(members) ? Object.keys(members) : [];
    if (!isRecord(members) || names.length === 0 || !names.every((name) => childParams.has(name))) {
      addMalformed(childKey('include'), builder);
      continue;
    }
    const children = builder.child(path);
    if (children) for (const name of names) addParam(name, members[name], children);
  }
}

/**
 * Adds every own parameter of the object, or of the body and the query string of a request, to the builder.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID when it is larger than the limit, or not an object of parameters
 */
export function parseObject(
  input: ListRequestInput,
  { maxQueryLength, maxBodyLength }: QueryLimits,
  builder: RequestBuilder,
): void {
  if (!isBodyRequest(input)) return addParams(input, { maxQueryLength }, builder);
  const { body, query } = input;
  boundQuery(query, { maxQueryLength });
  parseQueryString(query, builder);
  if (typeof body !== 'string') addParams(body, { maxBodyLength }, builder);
  else {
    boundQuery(body, { maxBodyLength });
    parseQueryString(body, builder);
  }
}

/** Parameters of a `Request`, a `URL` or a `Map` are not own properties, so that such an object would ask for everything. */
function addParams(params: unknown, limit: LengthLimit, builder: RequestBuilder) {
  if (!isObject(params) || Symbol.toStringTag in params) {
    throw syntaxError('The request is neither a query string nor an object of parameters.');
  }
  boundObject(params, limit);
  for (const param of Object.keys(params)) {
    const value: unknown = Reflect.get(params, param);
    if (value === undefined) continue;
    if (param === 'include' && builder.hasChildren && isRecord(value)) addChildren(value, builder);
    else addParam(param, value, builder);
  }
}

function addParam(param: string, value: unknown, builder: RequestBuilder) {
  if (param === 'filter' && isRecord(value)) addFilters(value, builder);
  else addValue(builder.keyOf(param), value, builder);
}
