/** A request of an endpoint, from its arrival to its answer: the same in every framework but for its port. */

import type { CompiledQueryRules, ListRequestInput } from '../../rules/index.ts';
import type { AnswerHeaders } from './cache-headers.ts';
import { ClientGone } from './gone.ts';

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
export interface Exchange<Sent> {
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
export type Handler<Request, Reply extends readonly unknown[], Sent> = (
  request: Request,
  ...reply: Reply
) => Promise<Sent>;

/** The handler that sends what `read` returns. */
export function handler<Request, Reply extends readonly unknown[], Sent>(
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
