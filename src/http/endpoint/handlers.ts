/** The handlers of list and item endpoints: options checked at boot, then one request after the other. */

import * as option from '../../lib/option-rows.ts';
import { isThenable } from '../../lib/index.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import {
  assertPair,
  compiledRules,
  listAnswer,
  queryOptionTable,
  querySource,
  itemOptionTable,
  runOne,
} from '../../rules/index.ts';
import type {
  CompiledQueryRules,
  KeyValue,
  QueryOptions,
  QuerySource,
  QueryTimings,
  Row,
} from '../../rules/index.ts';
import { checkConfiguration, configurationError } from '../../schema/index.ts';
import type { ItemEndpointConfig, ListEndpointConfig, PerRequest } from './config.ts';
import { signalFor } from './gone.ts';
import { type Exchange, type Handler, type Port, handler } from './port.ts';
import { isScoped } from './cache-headers.ts';
import { addTimings } from './server-timing.ts';

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
