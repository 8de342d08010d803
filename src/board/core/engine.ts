/** The interface of an engine: a handler for each of its routes, and a way to close. */

import type {
  EngineName,
  EngineRoutes,
  PathParams,
  Route,
  RouteBody,
  RouteQuery,
  RouteResult,
} from '../contract/index.ts';
import type { BoardError } from './board-error.ts';
import type { BoardLogger, ResolvedOptions } from './options.ts';
import type { HookRequest } from './request/request.ts';

/** The input of a handler: a request that has passed the hooks and whose parts fit their schemas. */
export interface HandlerContext<R extends Route = Route> {
  /** Parameters of the path, decoded. They hold no NUL. */
  readonly params: PathParams<R['path']>;
  readonly query: RouteQuery<R>;
  readonly body: RouteBody<R>;
  /** The query string without its question mark: as the client sent it, or as the before-hook has left it. */
  readonly rawQuery: string;
  /** The request as hooks and visibility guards see it. */
  readonly request: HookRequest;
  /** Where clients find the board: '' or a path without a slash at its end. */
  readonly basePath: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/**
 * Answers a route with the body of success, or nothing where the route has none. Any other answer is a
 * `BoardError` that it throws.
 */
export type Handler<R extends Route> = (
  context: HandlerContext<R>,
) => RouteResult<R> | Promise<RouteResult<R>>;

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
   * Turns an error of a driver or library into what the board answers, `datastoreUnavailable()` for instance.
   * Undefined leaves it an internal error.
   */
  translateError?(error: unknown): BoardError | undefined;
  /** Closes the connections that the engine opened, and none that the host passed in. */
  close(): Promise<void>;
}

/** The board as an engine sees it when it opens. */
export interface EngineHost {
  /** The board was made read-only: it mounts no route that writes. */
  readonly readOnly: boolean;
  readonly logger: BoardLogger;
  /** All options of the board, with their defaults. */
  readonly options: ResolvedOptions;
}

/**
 * How an engine comes to be. Making the factory checks the options and throws if they cannot work; it loads no
 * driver. `open` runs once, and once more for each failure.
 */
export interface EngineFactory<Name extends EngineName = EngineName> {
  readonly engine: Name;
  /** Registered queues by name, as hooks see them; a live view. None unless given. */
  readonly queues?: ReadonlyMap<string, unknown>;
  open(host: EngineHost): Promise<BoardEngine<Name>>;
}
