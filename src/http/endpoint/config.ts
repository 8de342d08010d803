/** Options of list and item endpoints, the same in every framework. */

import type {
  CompiledQueryRules,
  PairedRules,
  QueryOptions,
  QuerySource,
  ItemKey,
  ItemOptions,
  ScopeIn,
} from '../../rules/index.ts';

/** A value, or a function that returns it for a request. */
export type PerRequest<Request, Value> = Value | ((request: Request) => Value | Promise<Value>);

/** Options that both endpoints have. */
interface EndpointConfig<R, Customize, Request, Listed, Rules extends CompiledQueryRules> {
  /** The source of rows, or a function of the request that selects it per tenant or per transaction. */
  readonly source: PerRequest<Request, QuerySource<R, Customize, Listed>>;
  /** The result of `defineQueryRules`, for the model of the source; a list and its items usually have the same. */
  readonly rules: PairedRules<Rules, Listed> & Rules;
  /**
   * The values for the functions of `settings.scopes`, usually as a function of the request. Default: the `scope` of
   * `options`.
   */
  readonly scope?: PerRequest<Request, ScopeIn<Rules> & object>;
  /**
   * Whether answers have the header `Server-Timing` with the milliseconds of `plan`, `database` and `present`, for the
   * developer tools of browsers; a header of the host is kept beside it. It tells clients how long statements took:
   * leave it off where that must stay unknown. Default false.
   */
  readonly serverTiming?: boolean;
}

/** Options of `listEndpoint`. */
export interface ListEndpointConfig<
  R,
  Customize,
  Request,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
> extends EndpointConfig<R, Customize, Request, Listed, Rules> {
  /**
   * Options of `runQuery` other than `explain`, or a function of the request that returns them, for tenancy and the like.
   * Default: none.
   */
  readonly options?: PerRequest<Request, Omit<QueryOptions<Customize, ScopeIn<Rules>>, 'explain'>>;
}

/** Options of `itemEndpoint`. */
export interface ItemEndpointConfig<
  R,
  Customize,
  Request,
  Listed = unknown,
  Rules extends CompiledQueryRules = CompiledQueryRules,
> extends EndpointConfig<R, Customize, Request, Listed, Rules> {
  /**
   * The primary key of the row that a request asks for. Default: the parameters of the route that have the names of its
   * parts, such as `/orders/:orderId/lines/:lineNo` for a key of `orderId` and `lineNo`.
   */
  readonly key?: (request: Request) => ItemKey | Promise<ItemKey>;
  /** Options of `runOne`, or a function of the request that returns them, for tenancy and the like. Default: none. */
  readonly options?: PerRequest<Request, ItemOptions<Customize, ScopeIn<Rules>>>;
}
