/** A row of the route table, and the types of its handler that follow from it. */

import type * as z from 'zod';

import type { ErrorKey } from '../error-keys.ts';

// Rows are typed by zod's core interface: comparing every schema with the whole of `ZodType` costs the compiler six
// times as much.

/** The engine a route belongs to; `shared` routes are served on both, `auth` routes by the middleware in front. */
export type RouteOwner = 'kvq' | 'pgq' | 'shared' | 'auth';

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** A method of a history provider without which a route is not mounted. */
export type HistoryCapability = 'getHistory' | 'getUsage' | 'getLatency' | 'purge';

/** A row of the route table. */
export interface Route {
  readonly owner: RouteOwner;
  readonly method: RouteMethod;
  /** Path below the base path; parameters in braces. */
  readonly path: `/${string}`;
  /** Whether it changes something; such routes are not mounted on a read-only board. */
  readonly access: 'read' | 'write';
  readonly summary: string;
  /** Schema of the query string; absent when the route takes none. */
  readonly query?: z.core.$ZodType;
  /** Fields that `filter[...]` of the list grammar may name, beside the query; none unless given. */
  readonly filters?: readonly string[];
  /** Schema of the body; absent when the route takes none. An absent body is checked as `{}`. */
  readonly body?: z.core.$ZodType;
  /** Status of success; null where it depends on the strategy of the middleware. */
  readonly success: 200 | 204 | 302 | 303 | null;
  /** Schema of the body of success; absent when there is none. */
  readonly response?: z.core.$ZodType;
  /** The capability of the history provider without which the route is not mounted. */
  readonly needs?: HistoryCapability;
  /** The keys it may answer beside those that every route may. */
  readonly errors: readonly ErrorKey[];
}

/** A table of routes by operation id. */
export type RouteTable = Readonly<Record<string, Route>>;

/** The parameters of a path, decoded. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & PathParams<Rest>
  : unknown;

/** The query a handler sees: checked, coerced, with its defaults. */
export type RouteQuery<R extends Route> = R extends {
  readonly query: infer Q extends z.core.$ZodType;
}
  ? z.output<Q>
  : Readonly<Record<string, never>>;

/** The body a handler sees: checked, with its defaults. */
export type RouteBody<R extends Route> = R extends {
  readonly body: infer B extends z.core.$ZodType;
}
  ? z.output<B>
  : undefined;

/** The result of a handler: the body of success, or nothing. */
export type RouteResult<R extends Route> = R extends {
  readonly response: infer B extends z.core.$ZodType;
}
  ? z.input<B>
  : void;
