/** Collects the parameters of one request, in any of its forms, and keeps the order of checks. */

import type { QueryError } from '../../schema/index.ts';
import { type ListRequest, type RequestFilter, emptyListRequest } from './list-request.ts';
import { syntaxError, unknownParam } from './request-error.ts';
import type { RequestKey } from './request-key.ts';
import { splitList } from './split-list.ts';

type FilterKey = Extract<RequestKey, { type: 'filter' }>;
type Value = string | null;

interface PendingFilter {
  readonly key: FilterKey;
  first: Value;
  /** All values, once the parameter is repeated or arrives as an array. */
  repeated: Value[] | null;
}

/**
 * Collects parameters. Unknown parameters are refused before any syntax error, so a syntax error is kept until the
 * whole request has been read.
 */
export class RequestBuilder {
  readonly #request: ListRequest = emptyListRequest();
  readonly #filters: PendingFilter[] = [];
  readonly #passthrough: ReadonlySet<string>;
  readonly #keyset: boolean;
  readonly #maxFilters: number;
  #error: QueryError | null = null;

  /** `keyset` tells whether the endpoint has cursors; without them, `cursor` is an unknown parameter. */
  constructor(passthroughParams: ReadonlySet<string>, keyset: boolean, maxFilters: number) {
    this.#passthrough = passthroughParams;
    this.#keyset = keyset;
    this.#maxFilters = maxFilters;
  }

  /** Keeps the first syntax error. Later ones, possibly thousands, are not even constructed. */
  fail(error: () => QueryError): void {
    this.#error ??= error();
  }

  /** Adds one occurrence of a parameter. `inArray` marks an item of an array, which is never split. */
  add(key: RequestKey, value: Value, inArray = false): void {
    switch (key.type) {
      case 'filter':
        return this.#addFilter(key, value, inArray);
      case 'list':
        return this.#addList(key.param, value, inArray);
      case 'single':
        if (key.param === 'cursor' && !this.#keyset) return this.#addUnknown('cursor');
        return this.#addSingle(key.param, value, inArray);
      case 'malformed':
        if (key.param === 'cursor' && !this.#keyset) return this.#addUnknown('cursor');
        return this.fail(() =>
          syntaxError(`"${key.param}" does not follow the request grammar.`, {
            param: key.param,
          }),
        );
      case 'unknown':
        return this.#addUnknown(key.param);
    }
  }

  #addUnknown(param: string) {
    if (!this.#passthrough.has(param)) throw unknownParam(param);
  }

  /** Adds an empty array: a list without members. */
  addEmpty(key: RequestKey): void {
    if (key.type === 'filter' && key.operator?.arity === 'list') {
      this.#pushFilter({ key, first: '', repeated: [] });
    } else if (key.type === 'list') {
      this.#request[key.param] ??= [];
    } else {
      this.add(key, '', true);
    }
  }

  #addSingle(
    param: Extract<RequestKey, { type: 'single' }>['param'],
    value: Value,
    inArray: boolean,
  ) {
    if (this.#request[param] !== undefined || inArray || value === null) {
      return this.fail(() => syntaxError(`"${param}" takes one value.`, { param }));
    }
    this.#request[param] = value;
  }

  #addList(param: Extract<RequestKey, { type: 'list' }>['param'], value: Value, inArray: boolean) {
    if (value === null) return this.fail(() => syntaxError(`"${param}" takes a list.`, { param }));
    const before = this.#request[param];
    if (before === undefined) this.#request[param] = inArray ? [value] : value;
    else if (typeof before === 'string') this.#request[param] = [before, value];
    else before.push(value);
  }

  #addFilter(key: FilterKey, value: Value, inArray: boolean) {
    const filters = this.#filters;
    for (const filter of filters) {
      if (filter.key.path !== key.path || filter.key.operatorName !== key.operatorName) continue;
      filter.repeated ??= [filter.first];
      filter.repeated.push(value);
      return;
    }
    this.#pushFilter({ key, first: value, repeated: inArray ? [value] : null });
  }

  /** Filters beyond the limit are dropped, because each new one is compared with all earlier ones. */
  #pushFilter(filter: PendingFilter) {
    if (this.#filters.length < this.#maxFilters) this.#filters.push(filter);
    else {
      const maxFilters = this.#maxFilters;
      this.fail(() =>
        syntaxError(`The request has more than ${maxFilters} filters.`, { maxFilters }),
      );
    }
  }

  /**
   * The finished request.
   *
   * @throws {QueryError} QUERY_SYNTAX_INVALID when the grammar is broken: the first error of the request.
   */
  finish(): ListRequest {
    if (this.#error) throw this.#error;
    for (const filter of this.#filters) this.#request.filters.push(finishFilter(filter));
    return this.#request;
  }
}

function finishFilter({ key, first, repeated }: PendingFilter): RequestFilter {
  const { path, operatorName, operator } = key;
  const isList = operator?.arity === 'list' || operator?.arity === 'pair';
  if (!isList) {
    if (repeated) {
      throw syntaxError('A filter that takes one value has several.', {
        path,
        operator: operatorName,
      });
    }
    return { path, operatorName, operator, value: first };
  }
  if (repeated) {
    // A null among the items is a value error, which is reported after authorisation.
    const items = repeated.filter((item) => item !== null);
    const value = items.length === repeated.length ? items : null;
    return { path, operatorName, operator, value };
  }
  return {
    path,
    operatorName,
    operator,
    value: first === null ? null : splitList(first, `filter[${path}][${operatorName}]`),
  };
}
