/** A row of the route table, and the types of its handler. */

import type * as z from 'zod';

import type { BoardAction } from '../actions.ts';
import type { ErrorKey } from '../error-keys.ts';

// Rows use zod's core interface, because comparing every schema with the whole of `ZodType` takes the compiler six
// times as long.

/** The engine of a route; `shared` routes are served by both, `auth` routes by the authentication middleware. */
export type RouteOwner = 'kvq' | 'pgq' | 'shared' | 'auth';

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** A method of a history provider that a route requires; the last two are options of the board. */
export type HistoryCapability =
  | 'getHistory'
  | 'getUsage'
  | 'getLatency'
  | 'purge'
  | 'getErrors'
  | 'getAttempts'
  | 'attention'
  | 'deployments';

/** The subject of a route's action. A route with the target `board` may span queues; its answer has the allowed ones. */
export type RouteTarget = 'board' | 'queue' | 'job' | 'jobs';

/** An action of a sender on a queue. */
export interface RequestedAction {
  readonly action: BoardAction;
  readonly queueName: string;
}

/** A row of the route table. */
export interface Route {
  readonly owner: RouteOwner;
  /** The action that the sender must be allowed; `session` belongs to the authentication, which allows it to everyone. */
  readonly action: BoardAction | 'session';
  readonly target: RouteTarget;
  /** Where the body names a further action and its queue: both, or nothing if the body is invalid. */
  readonly bodyAction?: (body: unknown) => RequestedAction | undefined;
  readonly method: RouteMethod;
  /** Path below the base path; parameters in braces. */
  readonly path: `/${string}`;
  /** Whether the route writes; such routes are not mounted on a read-only board. */
  readonly access: 'read' | 'write';
  readonly summary: string;
  /** The values of path parameters that have only some. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** Schema of the query string; absent when the route takes none. */
  readonly query?: z.core.$ZodType;
  /** Fields allowed in `filter[...]` of the list grammar, besides the query. Default none. */
  readonly filters?: readonly string[];
  /** JSON fields whose paths are allowed in filters, and as parameters such as `data.customer.id`. Default none. */
  readonly jsonFilters?: readonly string[];
  /** Whether parameters that neither `query` nor `filters` name are refused. Default false: they are ignored. */
  readonly strict?: true;
  /** Whether the route takes the header `Idempotency-Key`. Default false. */
  readonly keyed?: true;
  /** Schema of the body; absent when the route takes none. A missing body is validated as `{}`. */
  readonly body?: z.core.$ZodType;
  /** Success status; null where it depends on the authentication strategy. */
  readonly success: 200 | 204 | 302 | 303 | null;
  /** Schema of the body of a 202, where the work may go on after the answer. */
  readonly accepted?: z.core.$ZodType;
  /** Schema of the response body; absent when there is none. */
  readonly response?: z.core.$ZodType;
  /** Instead of `response`: the media types of the text that the route answers with. */
  readonly texts?: readonly string[];
  /** Instead of `response`: the route answers with Server-Sent Events; the schema of their data by name. */
  readonly events?: Readonly<Record<string, z.core.$ZodType>>;
  /** The capability of the history provider that the route requires. */
  readonly needs?: HistoryCapability;
  /** The keys of its errors, besides those of every route. Default none. */
  readonly errors?: readonly ErrorKey[];
}

/** The members that routes which read have in common. */
export function reading<
  const Owner extends RouteOwner,
  const Action extends Route['action'],
  const Target extends RouteTarget,
>(owner: Owner, action: Action, target: Target) {
  return { owner, method: 'GET', access: 'read', action, target, success: 200 } as const;
}

/** A table of routes by operation id. */
export type RouteTable = Readonly<Record<string, Route>>;

/** Path parameters, decoded. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & PathParams<Rest>
  : unknown;

/** The query as the handler receives it: validated, coerced, with defaults. */
export type RouteQuery<R extends Route> = R extends {
  readonly query: infer Q extends z.core.$ZodType;
}
  ? z.output<Q>
  : Readonly<Record<string, never>>;

/** The body as the handler receives it: validated, with defaults. */
export type RouteBody<R extends Route> = R extends {
  readonly body: infer B extends z.core.$ZodType;
}
  ? z.output<B>
  : undefined;

/** The body of a 202, where the route has one. */
export type RouteAccepted<R extends Route> = R extends {
  readonly accepted: infer B extends z.core.$ZodType;
}
  ? z.input<B>
  : never;

/** The result of a handler: the response body, or nothing. */
export type RouteResult<R extends Route> = R extends {
  readonly response: infer B extends z.core.$ZodType;
}
  ? z.input<B>
  : void;
