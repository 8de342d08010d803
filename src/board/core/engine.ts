/** The interface of an engine: a handler for each of its routes, and `close`. */

import type {
  EngineName,
  EngineRoutes,
  PathParams,
  Route,
  RouteAccepted,
  RouteBody,
  RouteQuery,
  RouteResult,
} from '../contract/index.ts';
import type { BoardError } from './board-error.ts';
import type { BoardLogger, ResolvedOptions } from './options.ts';
import type { AttentionReading } from './history/attention.ts';
import type { HistoryScope } from './history/scope.ts';
import type { ListQueues } from './live/listing.ts';
import type { BoardPermissions } from './authority/permissions.ts';
import type { Accepted } from './request/respond.ts';
import type { SharedBody } from './reply/shared-body.ts';
import type { HookRequest } from './request/request.ts';
import type { VersionOf } from './values/versions.ts';

/** The input of a handler: a request that has passed the hooks and the validation. */
export interface HandlerContext<R extends Route = Route> {
  /** Path parameters, decoded. They contain no NUL character. */
  readonly params: PathParams<R['path']>;
  readonly query: RouteQuery<R>;
  readonly body: RouteBody<R>;
  /** The query string without its question mark, after the before-hook. */
  readonly rawQuery: string;
  /** The request as hooks and visibility guards see it. */
  readonly request: HookRequest;
  /** Path prefix of the board for clients: '' or a path without a trailing slash. */
  readonly basePath: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Handles a route: returns the response body, shared or not, or nothing for a route without one. Throws a `BoardError`
 * for every other response.
 */
export type Handler<R extends Route> = (
  context: HandlerContext<R>,
) =>
  | RouteResult<R>
  | Promise<RouteResult<R> | SharedBody<RouteResult<R>> | Accepted<RouteAccepted<R>>>;

/** A handler for every route of the engine. */
export type EngineHandlers<Name extends EngineName> = {
  readonly [
    Operation in keyof EngineRoutes[Name]
  ]: EngineRoutes[Name][Operation] extends infer R extends Route ? Handler<R> : never;
};

/** A running engine. */
export interface BoardEngine<Name extends EngineName = EngineName> {
  readonly engine: Name;
  readonly handlers: EngineHandlers<Name>;
  /**
   * Translates an error of a driver or library, for a request that names a queue or does not, to a response such as
   * `datastoreUnavailable()`. Undefined means an internal error.
   */
  translateError?(error: unknown, queueName?: string): BoardError | undefined;
  /** The queues whose history the sender of a request may see. Default: all, none of them known by name. */
  historyScope?(request: HookRequest): Promise<HistoryScope>;
  /** The readings for thresholds, for all queues of the board, hidden ones too. Default: nothing is known. */
  attentionReadings?(): Promise<readonly AttentionReading[]>;
  /** Reads all queues for live updates and metrics. Default: the engine has neither. */
  readonly listQueues?: ListQueues;
  /** Closes the connections that the engine opened, but not those passed in by the host. */
  close(): Promise<void>;
}

/** The board as an engine sees it when it opens. */
export interface EngineHost {
  /** Whether the board is read-only and mounts no route that writes. */
  readonly readOnly: boolean;
  readonly logger: BoardLogger;
  /** All options of the board, with their defaults. */
  readonly options: ResolvedOptions;
  /** The actions that senders may do; dispatching has checked the action of the route. */
  readonly permissions: BoardPermissions;
  /** Makes the versions of jobs and schedules. */
  readonly versionOf: VersionOf;
  /** The name of the user who sent a request; undefined where the board does not know it. */
  readonly whoSent: (request: HookRequest) => Promise<string | undefined>;
}

/**
 * Creates an engine. Creating the factory checks the options, throws if they are invalid, and loads no driver. `open`
 * is called once, and again after each failure.
 */
export interface EngineFactory<Name extends EngineName = EngineName> {
  readonly engine: Name;
  /** Registered queues by name, as hooks see them; a live view. Default none. */
  readonly queues?: ReadonlyMap<string, unknown>;
  /** Whether every queue refuses writes at this moment. Default: they do not. */
  everyQueueIsReadOnly?(): boolean;
  open(host: EngineHost): Promise<BoardEngine<Name>>;
}
