/** The module that makes an application answer a `QueryError`. */

import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { QueryErrorHandlerOptions } from '../query-error-options.ts';
import { QueryErrorFilter } from './query-error-filter.ts';

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
