/** An exception filter that answers a `QueryError` with its status and JSON body, on Express and Fastify, and its module. */

import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  type DynamicModule,
  Module,
} from '@nestjs/common';
import { QueryError, checkConfiguration } from '../../schema/index.ts';
import { ClientGoneError, clientClosedRequest } from '../client-gone.ts';
import { queryErrorAnswer, queryErrorHandlerTable } from '../query-error-options.ts';
import type { QueryErrorHandlerOptions } from '../query-error-options.ts';
import { APP_FILTER } from '@nestjs/core';

/** The part of the responses of Express and Fastify that both have. */
interface FilteredResponse {
  header(name: string, value: string): unknown;
  status(code: number): { send(body: object | string): unknown };
}

/**
 * Answers a `QueryError` with its status and `{statusCode, code, message, details}`, and `SOURCE_UNAVAILABLE` with a
 * `Retry-After` header as well; its `cause`, which may hold a driver's message, is not sent. `QueryModule.forRoot()`
 * installs it for the whole application; `@UseFilters(new QueryErrorFilter())` for a controller. Handlers that end because
 * the client of `@QuerySignal()` has left are not answered.
 */
@Catch(QueryError, ClientGoneError)
export class QueryErrorFilter implements ExceptionFilter<QueryError | ClientGoneError> {
  readonly #options: QueryErrorHandlerOptions;

  /** @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type */
  constructor(options: QueryErrorHandlerOptions = {}) {
    checkConfiguration('QueryErrorFilter', options, queryErrorHandlerTable);
    this.#options = options;
  }

  /** Called by NestJS with each `QueryError` that a handler throws, and with the reason of a disconnect. */
  catch(error: QueryError | ClientGoneError, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response: FilteredResponse = http.getResponse();
    if (error instanceof ClientGoneError) {
      response.status(clientClosedRequest).send('');
      return;
    }
    const { status, retryAfter, body } = queryErrorAnswer(error, http.getRequest(), this.#options);
    if (retryAfter !== undefined) response.header('Retry-After', retryAfter);
    response.status(status).send(body);
  }
}

/** Answers every `QueryError` of the application: `imports: [QueryModule.forRoot()]` in its root module. */
@Module({})
export class QueryModule {
  /**
   * The module for the root of an application.
   *
   * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
   */
  static forRoot(options: QueryErrorHandlerOptions = {}): DynamicModule {
    const filter = new QueryErrorFilter(options);
    return { module: QueryModule, providers: [{ provide: APP_FILTER, useValue: filter }] };
  }
}
