/** Parameter decorators of a list endpoint: the request of the client, and its disconnect. */

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CompiledQueryRules } from '../../rules/index.ts';
import { type OpenApiOperation, openApiOperation } from '../../rules/open-api/index.ts';
import { ClientGoneError } from '../client-gone.ts';
import { listRequest, rawQuery, type TargetedRequest } from '../list-request.ts';
import { withCaching } from './caching.ts';
import { documentOperation } from './foreign.ts';

/** The request of Express, or that of Fastify with the request of Node.js inside. */
interface PlatformRequest extends TargetedRequest {
  readonly raw?: object;
  readonly body?: unknown;
}

const requestFor = createParamDecorator((rules: CompiledQueryRules, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<PlatformRequest>();
  return listRequest(request.raw ?? request, rawQuery(request), rules, request.body);
});

/**
 * The list request of a client, for `runQuery`: the raw query string, so that no query parser of the application has an
 * effect on it; in handlers of POST requests, with the parameters of the body as well. The type of the parameter is
 * `ListRequestInput`. With `@nestjs/swagger`, the endpoint is documented with the parameters, the answer and the errors that
 * follow from the rules; decorators such as `@ApiOkResponse` take precedence.
 *
 *     @Get()
 *     list(@ListQuery(userRules) query: ListRequestInput) {
 *       return runQuery(this.users, query, userRules);
 *     }
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the argument is not the result of `defineQueryRules`
 */
export function ListQuery(rules: CompiledQueryRules): ParameterDecorator {
  return documented(requestFor(rules), rules, openApiOperation(rules));
}

const itemRequest = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  rawQuery(context.switchToHttp().getRequest<TargetedRequest>()),
);

/**
 * The request for one row of a client, for `runOne`: the raw query string, which may have `fields` and `includes`. With
 * `@nestjs/swagger`, the endpoint is documented with these parameters, the row and the errors; the key is documented by
 * `@Param`.
 *
 *     @Get(':id')
 *     one(@Param('id') id: string, @ItemQuery(userRules) query: string) {
 *       return runOne(this.users, id, query, userRules);
 *     }
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the argument is not the result of `defineQueryRules`
 */
export function ItemQuery(rules: CompiledQueryRules): ParameterDecorator {
  return documented(itemRequest(), rules, openApiOperation(rules, { of: 'item' }));
}

/** A parameter decorator that also documents the endpoint, and tells caches about its answers. */
function documented(
  inject: ParameterDecorator,
  rules: CompiledQueryRules,
  operation: OpenApiOperation,
): ParameterDecorator {
  return (target, key, index) => {
    inject(target, key, index);
    if (key === undefined) return;
    documentOperation(target, key, operation);
    withCaching(target, key, rules);
  };
}

/** A response that can be watched for a disconnect: that of Express, or the one inside Fastify's reply. */
interface WatchedResponse {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

const disconnect = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const answer = context.switchToHttp().getResponse<WatchedResponse | { raw: WatchedResponse }>();
  const response = 'raw' in answer ? answer.raw : answer;
  const gone = new AbortController();
  const abort = (): void => gone.abort(new ClientGoneError());
  response.once('close', abort);
  if (response.closed) abort();
  return gone.signal;
});

/**
 * An `AbortSignal` that is aborted when the client disconnects. As the option `signal` of `runQuery` it ends statements
 * whose answer nobody waits for. `QueryErrorFilter`, which `QueryModule` installs, ends a handler that rejects with its reason.
 */
export const QuerySignal = (): ParameterDecorator => disconnect();
