/** Collects the parameters of one request, in any of its forms, and keeps the order of checks. */

import type { QueryError } from '../../schema/index.ts';
import {
  type ListRequest,
  type RequestFilter,
  type RequestList,
  emptyListRequest,
} from './list-request.ts';
import { badEncoding } from './decode-text.ts';
import { GroupCounter, type Nesting } from './group-key.ts';
import { RepeatedValues, type Value } from './repeated-values.ts';
import { syntaxError, tooManyFilters, unknownParam, wrongForm } from './request-error.ts';
import {
  type ListParam,
  type Place,
  type RequestKey,
  type SingleParam,
  grammarParams,
  requestKey,
} from './request-key.ts';
import { splitList } from './split-list.ts';
import { childKey } from '../children/child-key.ts';
import { forChildren } from '../children/placed-error.ts';

type FilterKey = Extract<RequestKey, { type: 'filter' }>;

interface PendingFilter {
  readonly key: FilterKey;
  readonly values: RepeatedValues;
}

const none: ReadonlySet<string> = new Set();

/**
 * Collects parameters. Unknown parameters are refused before any syntax error, so a syntax error is kept until the
 * whole request has been read.
 */
export class RequestBuilder {
  readonly #request: ListRequest = emptyListRequest();
  readonly #filters: PendingFilter[] = [];
  readonly #lists = new Map<ListParam, RepeatedValues>();
  readonly #passthrough: ReadonlySet<string>;
  readonly #absent: ReadonlySet<string>;
  readonly #maxFilters: number;
  readonly #groups: GroupCounter;
  /** The requests for children that the endpoint allows, by the path of their include. */
  readonly #allowed: ReadonlyMap<string, Nesting>;
  readonly #children = new Map<string, RequestBuilder>();
  /** The filters of the whole request. */
  readonly #count: { filters: number };
  readonly #hasAggregates: boolean;
  readonly #hasWhere: boolean;
  #error: QueryError | null = null;

  /** `absent` names the parameters of the grammar that the endpoint does not have; they are unknown parameters. */
  constructor(
    passthroughParams: ReadonlySet<string>,
    absent: ReadonlySet<string>,
    maxFilters: number,
    nesting: Nesting,
    allowed: ReadonlyMap<string, Nesting> = new Map(),
    count = { filters: 0 },
  ) {
    this.#passthrough = passthroughParams;
    this.#absent = absent;
    this.#maxFilters = maxFilters;
    this.#groups = new GroupCounter(nesting);
    this.#hasAggregates = nesting.aggregates.size > 0;
    this.#hasWhere = nesting.where ?? false;
    this.#allowed = allowed;
    this.#count = count;
  }

  /** Whether the endpoint has parameters about children. */
  get hasChildren(): boolean {
    return this.#allowed.size > 0;
  }

  /** Parses a decoded name. */
  keyOf(name: string): RequestKey {
    if (this.#hasWhere && /^where(?:\[|$)/.test(name)) {
      return { type: name === 'where' ? 'single' : 'malformed', param: 'where' };
    }
    const isOfChildren = name === 'include' || name.startsWith('include[');
    return this.hasChildren && isOfChildren ? childKey(name) : requestKey(name);
  }

  /** Collects the request for the children of an include; `undefined` for one that the endpoint does not allow. */
  child(path: string): RequestBuilder | undefined {
    const known = this.#children.get(path);
    if (known) return known;
    const nesting = this.#allowed.get(path);
    if (!nesting) {
      // The first one is refused when the syntax of the request has been checked.
      this.#request.children ??= new Map([[path, emptyListRequest()]]);
      return undefined;
    }
    const made = new RequestBuilder(none, none, this.#maxFilters, nesting, undefined, this.#count);
    this.#children.set(path, made);
    return made;
  }

  /** Keeps the first syntax error. Later ones, possibly thousands, are not even constructed. */
  fail(error: () => QueryError): void {
    this.#error ??= error();
  }

  /** Adds one occurrence of a parameter. `inArray` marks an item of an array, which is never split. */
  add(key: RequestKey, value: Value, inArray = false): void {
    const param = key.type === 'filter' ? 'filter' : 'param' in key ? key.param : '';
    if (this.#absent.has(param)) return this.#addUnknown(param);
    if (this.#isForeign(key)) return this.fail(() => wrongForm(param));
    switch (key.type) {
      case 'filter':
        return this.#filter(key)?.add(value, placeIn(key, inArray));
      case 'list':
        return this.#addList(key.param, value, placeIn(key, inArray));
      case 'single':
        return this.#addSingle(key.param, value, inArray);
      case 'child':
        return this.child(key.path)?.add(key.key, value, inArray);
      case 'malformed':
        return this.fail(() => wrongForm(key.param));
      case 'undecodable':
        return this.fail(badEncoding);
      case 'unknown':
        return this.#addUnknown(key.param);
    }
  }

  /** Whether a filter names a value over a relation, which the endpoint does not have. */
  #isForeign(key: RequestKey): boolean {
    return key.type === 'filter' && !this.#hasAggregates && key.path.includes('$');
  }

  #addUnknown(param: string) {
    if (this.#passthrough.has(param)) return;
    const own = [...(this.hasChildren ? ['include'] : []), ...(this.#hasWhere ? ['where'] : [])];
    const accepted = [...grammarParams, ...own, ...this.#passthrough];
    throw unknownParam(
      param,
      accepted.filter((name) => !this.#absent.has(name)),
    );
  }

  /** Adds an empty array: a list without members. */
  addEmpty(key: RequestKey): void {
    if (key.type === 'child') return this.child(key.path)?.addEmpty(key.key);
    if (this.#isForeign(key)) return this.add(key, '', true);
    const isList = key.type === 'list' && !this.#absent.has(key.param);
    if (isList) this.#list(key.param).addNone();
    else if (key.type === 'filter' && key.operator?.arity === 'list' && !this.#absent.has('filter'))
      this.#filter(key)?.addNone();
    else this.add(key, '', true);
  }

  #addSingle(param: SingleParam, value: Value, inArray: boolean) {
    if (this.#request[param] !== undefined || inArray || value === null) {
      return this.fail(() => wrongForm(param));
    }
    this.#request[param] = value;
  }

  #addList(param: ListParam, value: Value, place: Place) {
    if (value === null) return this.fail(() => wrongForm(param));
    this.#list(param).add(value, place);
  }

  #list(param: ListParam): RepeatedValues {
    const known = this.#lists.get(param);
    if (known) return known;
    const values = new RepeatedValues();
    this.#lists.set(param, values);
    return values;
  }

  /**
   * The values of a filter; `undefined` beyond the limit. Filters beyond it are dropped, because each new one is
   * compared with all earlier ones.
   */
  #filter(key: FilterKey): RepeatedValues | undefined {
    const { path, operatorName, within, parts } = key;
    let at = this.#filters.length;
    let found: RepeatedValues | undefined;
    for (const [index, { key: known, values }] of this.#filters.entries()) {
      if (known.path !== path || known.within !== within) continue;
      at = index + 1;
      if (known.operatorName !== operatorName) continue;
      found = values;
      break;
    }
    const refusal = parts && !this.#error ? this.#groups.refusal(parts, !found) : undefined;
    if (refusal) {
      this.fail(() => refusal);
      return undefined;
    }
    if (found) return found;
    const maxFilters = this.#maxFilters;
    if (this.#count.filters >= maxFilters) {
      this.fail(() => tooManyFilters(maxFilters));
      return undefined;
    }
    this.#count.filters += 1;
    const values = new RepeatedValues();
    // The filters of one path stand together, as in an object.
    this.#filters.splice(at, 0, { key, values });
    return values;
  }

  /**
   * The finished request.
   *
   * @throws {QueryError} QUERY_SYNTAX_INVALID when the grammar is broken: the first error of the request.
   */
  finish(): ListRequest {
    if (this.#error) throw this.#error;
    for (const filter of this.#filters) this.#request.filters.push(finishFilter(filter));
    for (const [param, values] of this.#lists) {
      // No value of these parameters is null.
      this.#request[param] = (values.single() ?? itemsOf(values, param)) as RequestList;
    }
    for (const [path, builder] of this.#children) {
      const children = (this.#request.children ??= new Map());
      children.set(
        path,
        forChildren(path, undefined, () => builder.finish()),
      );
    }
    return this.#request;
  }
}

/** An item of an array stands where `sort[]` would, unless its name says more. */
function placeIn({ place }: { readonly place: Place }, inArray: boolean): Place {
  return inArray && place === 'plain' ? 'item' : place;
}

function itemsOf(values: RepeatedValues, param: string): Value[] {
  const items = values.items();
  if (items) return items;
  throw syntaxError(
    'A list has a numbered item twice, or numbered items beside others; write it as name[]=a&name[]=b.',
    { param },
  );
}

function finishFilter({ key, values }: PendingFilter): RequestFilter {
  const { path, operatorName, operator, parts } = key;
  const around = parts && { within: parts };
  const single = values.single();
  if (operator?.arity !== 'list' && operator?.arity !== 'pair') {
    if (single === undefined) {
      // The path may be any text, so only the details have it.
      throw syntaxError('A filter with this operator must have one value.', {
        path,
        operator: operatorName,
      });
    }
    return { path, operatorName, operator, value: single, ...around };
  }
  const param = `filter[${path}][${operatorName}]`;
  if (single !== undefined) {
    const value = single === null ? null : splitList(single, param);
    return { path, operatorName, operator, value, ...around };
  }
  const items = itemsOf(values, param);
  const texts = items.filter((item) => item !== null);
  // A null among the items is a value error, which is reported after authorisation.
  const value = texts.length === items.length ? texts : null;
  return { path, operatorName, operator, value, ...around };
}
