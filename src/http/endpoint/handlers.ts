/**
 * The handlers of list and item endpoints: options checked at boot, then each request from its arrival to its answer. They
 * are the same in every framework but for its port.
 */

import * as option from '../../lib/option-rows.ts';
import { isThenable, type OptionTableOf } from '../../lib/index.ts';
import {
  assertPair,
  compiledRules,
  listAnswer,
  queryOptionTable,
  querySource,
  itemOptionTable,
  runOne,
  type CompiledQueryRules,
  type KeyValue,
  type QueryOptions,
  type QuerySource,
  type QueryTimings,
  type Row,
  type ListRequestInput,
} from '../../rules/index.ts';
import { checkConfiguration, configurationError } from '../../schema/index.ts';
import type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from './config.ts';
import { isScoped, type AnswerHeaders } from './cache-headers.ts';

/** The part that a framework supplies: how its requests are read, and how they are answered. */
export interface Port<Request, Reply extends readonly unknown[], Sent> {
  /** The query string as the client sent it. */
  queryOf(request: Request): string;
  /** The list request: the query string, with the parameters of a body. */
  listRequestOf(
    request: Request,
    rules: CompiledQueryRules,
  ): ListRequestInput | Promise<ListRequestInput>;
  /** The parameters of the route. */
  paramsOf(request: Request): object | Promise<object>;
  /** Begins to answer a request. */
  open(request: Request, ...reply: Reply): Exchange<Sent>;
}

/** A request that is being answered. */
interface Exchange<Sent> {
  /** The disconnect of the client. */
  readonly gone: ClientGone | AbortSignal;
  /** The headers of the answer. */
  readonly headers: AnswerHeaders;
  /** Sends the answer. `scoped` tells whether it depends on who asks. */
  send(answer: unknown, scoped: boolean): Sent | Promise<Sent>;
  /** Answers, passes on or throws an error of the read or of `send`, and ends the request of a client that has gone. */
  fail(error: unknown): Sent;
}

/** The handler of a route. */
type Handler<Request, Reply extends readonly unknown[], Sent> = (
  request: Request,
  ...reply: Reply
) => Promise<Sent>;

/** The handler that sends what `read` returns. */
function handler<Request, Reply extends readonly unknown[], Sent>(
  port: Port<Request, Reply, Sent>,
  scoped: boolean,
  read: (request: Request, exchange: Exchange<Sent>) => Promise<unknown>,
): Handler<Request, Reply, Sent> {
  return async (request, ...reply) => {
    const exchange = port.open(request, ...reply);
    try {
      return await exchange.send(await read(request, exchange), scoped);
    } catch (error) {
      return exchange.fail(error);
    } finally {
      if (exchange.gone instanceof ClientGone) exchange.gone.end();
    }
  };
}

const shared = {
  source: option.required(option.either(querySource, option.func)),
  rules: option.required(compiledRules),
  scope: option.either(option.plainObject, option.func),
  serverTiming: option.boolean,
};

const listTable = {
  ...shared,
  options: option.either(option.objectOf(queryOptionTable), option.func),
} satisfies OptionTableOf<ListEndpointConfig<Row, unknown, unknown>>;

const itemTable = {
  ...shared,
  key: option.func,
  options: option.either(option.objectOf(itemOptionTable), option.func),
} satisfies OptionTableOf<ItemEndpointConfig<Row, unknown, unknown>>;

/** The handler of a list endpoint, whose options are checked at once. */
export function listHandler<
  R,
  Customize,
  Request,
  Listed,
  Rules extends CompiledQueryRules,
  Reply extends readonly unknown[],
  Sent,
>(
  config: ListEndpointConfig<R, Customize, Request, Listed, Rules>,
  port: Port<Request, Reply, Sent>,
): Handler<Request, Reply, Sent> {
  checkConfiguration('listEndpoint', config, listTable);
  const { rules } = config;
  if (typeof config.source !== 'function') assertPair(config.source, rules);
  // Nothing is left to check where the host's functions take no part.
  const isChecked = ![config.source, config.options, config.scope].some(isFunction);
  return handler(port, isScoped(config), async (request, exchange) => {
    const given = port.listRequestOf(request, rules);
    const input = given instanceof Promise ? await given : given;
    const settings = settingsOf(config, request, exchange);
    const { source, options } = isThenable(settings) ? await settings : settings;
    if (!isChecked) {
      checkConfiguration('runQuery', options, queryOptionTable);
      assertPair(source, rules);
    }
    return listAnswer(source, input, rules, options);
  });
}

const isFunction = (value: unknown): boolean => typeof value === 'function';

/** The handler of an endpoint of one row, whose options are checked at once. */
export function itemHandler<
  R,
  Customize,
  Request,
  Listed,
  Rules extends CompiledQueryRules,
  Reply extends readonly unknown[],
  Sent,
>(
  config: ItemEndpointConfig<R, Customize, Request, Listed, Rules>,
  port: Port<Request, Reply, Sent>,
): Handler<Request, Reply, Sent> {
  checkConfiguration('itemEndpoint', config, itemTable);
  const { rules, key } = config;
  if (typeof config.source !== 'function') assertPair(config.source, rules);
  const keyOf = key ?? (async (request: Request) => keyAmong(await port.paramsOf(request), rules));
  return handler(port, isScoped(config), async (request, exchange) => {
    const query = port.queryOf(request);
    const settings = settingsOf(config, request, exchange);
    const { source, options } = isThenable(settings) ? await settings : settings;
    return runOne(source, await keyOf(request), query, rules, options);
  });
}

/** The key among the parameters of a route. */
function keyAmong(
  params: object,
  { model, schema }: CompiledQueryRules,
): { readonly [part: string]: KeyValue } {
  const values = new Map<string, KeyValue>(Object.entries(params));
  const missing = schema.primaryKey.find((part) => values.get(part) === undefined);
  if (missing !== undefined) {
    throw configurationError(
      `The route of itemEndpoint has no parameter "${missing}"; name it so, or give the option "key".`,
      { model, option: 'key' },
    );
  }
  return Object.fromEntries(schema.primaryKey.map((part) => [part, values.get(part) as KeyValue]));
}

/** The settings that may depend on the request. */
interface Settings<R, Options extends QueryOptions, Request> {
  readonly source: PerRequest<Request, QuerySource<R>>;
  readonly scope?: PerRequest<Request, object> | undefined;
  readonly options?: PerRequest<Request, Options> | undefined;
  readonly serverTiming?: boolean | undefined;
}

/** The source and options of a request; a promise only where a function of the host returns one. */
function settingsOf<R, Options extends QueryOptions, Request>(
  config: Settings<R, Options, Request>,
  request: Request,
  { gone, headers }: Exchange<unknown>,
): Resolved<R, Options> | Promise<Resolved<R, Options>> {
  const source = resolve(config.source, request);
  const options = resolve(config.options ?? ({} as Options), request);
  const scope = config.scope && resolve(config.scope, request);
  const made = (
    from: QuerySource<R>,
    given: Options,
    values: object | undefined,
  ): Resolved<R, Options> => {
    const { signal = signalFor(from, gone), onTimings } = given;
    const settings = { ...given, scope: values ?? given.scope, signal };
    if (!config.serverTiming) return { source: from, options: settings };
    const tell = (timings: QueryTimings): void => {
      onTimings?.(timings);
      addTimings(headers, timings);
    };
    return { source: from, options: { ...settings, onTimings: tell } };
  };
  if (isThenable(source) || isThenable(options) || isThenable(scope)) {
    return Promise.all([source, options, scope]).then((given) => made(...given));
  }
  return made(source, options, scope);
}

interface Resolved<R, Options> {
  readonly source: QuerySource<R>;
  readonly options: Options;
}

function resolve<Request, Value extends object>(
  value: PerRequest<Request, Value>,
  request: Request,
): Value | Promise<Value> {
  if (typeof value !== 'function') return value;
  try {
    return value(request);
  } catch (error) {
    // Thrown at once, it would leave a promise of another function without anybody who awaits it.
    return Promise.reject(error);
  }
}

const header = 'server-timing';
const millisecondDigits = 2;

/** Adds the parts of a request in the order in which they happen. */
function addTimings(headers: AnswerHeaders, { plan, database, present }: QueryTimings): void {
  const timings = Object.entries({ plan, database, present }).map(
    ([name, duration]) => `${name};dur=${duration.toFixed(millisecondDigits)}`,
  );
  headers.set(header, [headers.get(header) ?? [], timings].flat().join(', '));
}

/** The part of a response that tells of a disconnect. */
export interface ClosableResponse {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/**
 * The disconnect of a client, with the members of an `AbortSignal` that reads use. It costs a listener, where a signal
 * costs several times as much at every request.
 */
export class ClientGone {
  readonly #response: ClosableResponse;
  readonly #leave: () => void;
  #listeners: readonly (() => void)[] = none;
  /** Made for a source that needs a signal, and when the client leaves. */
  #controller: AbortController | undefined;

  /** Watches the response until `end`. */
  constructor(response: ClosableResponse) {
    this.#response = response;
    // An engine may create a function that is written into a property where old objects are, and keep all that it refers
    // to, such as the response, until a full collection of garbage.
    const leave = (): void => this.#left();
    this.#leave = leave;
    response.once('close', leave);
    // A client that disconnected before this point causes no further event.
    if (response.closed) this.#left();
  }

  /** Whether the client has left. */
  get aborted(): boolean {
    return this.#controller?.signal.aborted ?? false;
  }

  /** The reason of `signal`. */
  get reason(): unknown {
    return this.#controller?.signal.reason;
  }

  /** A signal that is aborted when the client leaves. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** @throws {unknown} the reason when the client has left */
  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(_event: 'abort', listener: () => void): void {
    this.#listeners = [...this.#listeners, listener];
  }

  removeEventListener(_event: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners.filter((each) => each !== listener);
  }

  /** Ends the watch. */
  end(): void {
    this.#response.off('close', this.#leave);
  }

  #left(): void {
    this.#controller ??= new AbortController();
    this.#controller.abort();
    for (const listener of this.#listeners) listener();
  }
}

const none: readonly (() => void)[] = [];

/** The signal for a read: the disconnect itself where the source needs no more of a signal than it has. */
export function signalFor(
  { usesBasicSignal = false }: Pick<QuerySource, 'usesBasicSignal'>,
  gone: ClientGone | AbortSignal,
): AbortSignal {
  if (gone instanceof AbortSignal) return gone;
  return usesBasicSignal ? (gone as unknown as AbortSignal) : gone.signal;
}
