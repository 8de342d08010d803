/** `ETag`, 304 and `Cache-Control` of lists and items whose handlers return what `runQuery` and `runOne` return. */

import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { type Observable, map } from 'rxjs';
import type { CompiledQueryRules } from '../../rules/index.ts';
import { isFresh, isScoped, tellCaches } from '../endpoint/cache-headers.ts';
import { noBody } from '../endpoint/no-body.ts';
import { askedBy, etagOfJson } from '../endpoint/node-etag.ts';

/** The part of the responses of Express and Fastify that both have. */
interface AnyResponse {
  getHeader(name: string): unknown;
  header(name: string, value: string): unknown;
  /** Of Fastify; Express makes ETags itself, unless the application has switched them off. */
  code?(status: number): unknown;
  serializer?(write: (body: unknown) => unknown): unknown;
}

class CachingInterceptor implements NestInterceptor {
  readonly #scoped: boolean;

  constructor(scoped: boolean) {
    this.#scoped = scoped;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const response: AnyResponse = http.getResponse();
    const headers = {
      get: (name: string) => response.getHeader(name),
      set: (name: string, value: string) => response.header(name, value),
    };
    const tell = (result: unknown): unknown => {
      // A handler that sends its answer itself returns nothing.
      if (typeof result !== 'object' || result === null) return result;
      if (!response.serializer) {
        tellCaches(headers, this.#scoped);
      } else if (isFresh(headers, askedBy(http.getRequest()), etagOfJson(result), this.#scoped)) {
        // NestJS sets the status behind the interceptors, and those of the host may wrap the result.
        response.serializer(() => {
          response.code?.(304);
          return noBody();
        });
      }
      return result;
    };
    return next.handle().pipe(map(tell));
  }
}

/** Makes a handler of the rules tell caches about its answers. */
export function withCaching(target: object, key: string | symbol, rules: CompiledQueryRules): void {
  const method = Object.getOwnPropertyDescriptor(target, key);
  if (method) UseInterceptors(new CachingInterceptor(isScoped({ rules })))(target, key, method);
}
