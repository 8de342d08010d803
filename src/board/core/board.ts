/** A board: the mounted routes of one engine, the hooks around them, and an entry page. */

import type {
  EngineName,
  HistoryCapability,
  OpenApiDocument,
  RouteTable,
} from '../contract/index.ts';
import { describeRoutes, documentRoute } from '../contract/index.ts';
import { checkOpenness } from './board-auth.ts';
import type { BoardAuth } from './board-auth.ts';
import { BoardError, datastoreUnavailable } from './board-error.ts';
import { dispatch } from './dispatch.ts';
import type { AnyHandler, DispatchHost } from './dispatch.ts';
import type { EngineFactory } from './engine.ts';
import { entryPage, isEntryPath } from './page/entry-page.ts';
import { errorLog } from './error-log.ts';
import { inFlight } from './in-flight.ts';
import { mountedRoutes } from './mounted-routes.ts';
import { openEngine } from './opened-engine.ts';
import { isOwnWrite } from './own-origin.ts';
import { resolveOptions } from './options.ts';
import type { BoardOptions } from './options.ts';
import type { BoardRequest, BoardResponse } from './request/request.ts';
import { errorResponse } from './request/respond.ts';
import { createRouter } from './request/router.ts';
import { uiConfigOf } from './page/ui-config.ts';

/** A board as seen by a server adapter. */
export interface ServedBoard {
  /** Called before every request, if the board has authentication. */
  readonly auth?: BoardAuth;
  /** Handles a request; undefined when the path does not belong to the board. Never rejects. */
  handle(request: BoardRequest): Promise<BoardResponse | undefined>;
}

/** Serves a board on a web framework, for example `ExpressAdapter`. */
export interface ServerAdapter {
  /** Called once, by `createBoard`. */
  attach(board: ServedBoard): void;
}

/** A board that is being served. */
export interface Board<Name extends EngineName = EngineName> extends ServedBoard {
  readonly engine: Name;
  /** The routes that are mounted, by operation id. */
  readonly routes: RouteTable;
  /**
   * Refuses new requests, waits for pending ones (`closeGraceMs`), and closes the resources that the board opened;
   * those passed in by the host stay open. Further calls return the same promise.
   */
  close(): Promise<void>;
}

/** Creates a board for an engine and passes it to the server adapter. The options have been checked. */
export function openBoard<Name extends EngineName>(
  factory: EngineFactory<Name>,
  serverAdapter: ServerAdapter,
  boardOptions?: BoardOptions,
  auth?: BoardAuth | false,
): Board<Name> {
  const options = resolveOptions(boardOptions);
  checkOpenness({ ...options, auth });
  const history: ReadonlySet<HistoryCapability> = new Set();
  const routes = mountedRoutes({ engine: factory.engine, readOnly: options.readOnly, history });
  const route = createRouter({ ...routes, getOpenApiDocument: documentRoute });
  const uiConfig = uiConfigOf(factory.engine, options, history);
  const engine = openEngine(factory, {
    readOnly: options.readOnly,
    logger: options.logger,
    options,
  });
  let document: OpenApiDocument | undefined;
  const own: Readonly<Record<string, AnyHandler>> = {
    getOpenApiDocument({ basePath }) {
      document ??= describeRoutes(routes);
      return { ...document, servers: [{ url: basePath === '' ? '/' : basePath }] };
    },
  };
  const host: DispatchHost = {
    options,
    uiConfig,
    queues: factory.queues ?? new Map(),
    handlerOf: async (operation) => own[operation] ?? engine.handlerOf(operation),
    translateError: engine.translateError,
    report: errorLog(options.logger),
  };
  const underWay = inFlight();
  let closing: Promise<void> | undefined;

  const answer = async (request: BoardRequest): Promise<BoardResponse | undefined> => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (method === 'GET' && isEntryPath(request.path)) return entryPage(uiConfig, request.basePath);
    if (!request.path.startsWith('/api/')) return undefined;
    const match = route(method, request.path);
    if (!match) return errorResponse(notMounted());
    if (method !== 'GET' && !isOwnWrite(request.headers)) {
      return errorResponse(new BoardError('FORBIDDEN'));
    }
    if (closing) return errorResponse(datastoreUnavailable());
    return underWay.run(() => dispatch(host, match, request));
  };

  const board: Board<Name> = {
    engine: factory.engine,
    routes,
    handle: answer,
    ...(auth && { auth }),
    close() {
      closing ??= underWay.idle(options.closeGraceMs).then(() => engine.close());
      return closing;
    },
  };
  serverAdapter.attach(board);
  return board;
}

/** The contract has no specific key for a route that is not mounted. */
function notMounted(): BoardError {
  return new BoardError('FORBIDDEN', { status: 404, code: 'ROUTE_NOT_FOUND' });
}
