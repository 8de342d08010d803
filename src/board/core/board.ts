/** A board: the mounted routes of one engine, the hooks around them, and an entry page. */

import type { EngineName, OpenApiDocument, RouteTable } from '../contract/index.ts';
import { TimeoutError, acceptsHtml, isTraced, withTimeout } from '../../lib/index.ts';
import { documentRoute, entryRoute, routeTable } from '../contract/index.ts';
import { checkOpenness, isOwnWrite, whoSent, type BoardAuth } from './authority/board-auth.ts';
import { BoardError, datastoreUnavailable, routeNotFound } from './board-error.ts';
import { dispatch, type AnyHandler, type DispatchHost } from './dispatch.ts';
import type { EngineFactory } from './engine.ts';
import { loadDashboard } from './page/assets.ts';
import { page } from './page/page.ts';
import { createComplete } from './reply/complete.ts';
import { type FetchMount, resolveMount, webRequest, webResponse } from './reply/web.ts';
import { errorLog } from './error-log.ts';
import { Attention } from './history/attention.ts';
import type { HistoryScope } from './history/scope.ts';
import { capabilitiesOf } from './history/capabilities.ts';
import { deploymentHandlers } from './history/deployments.ts';
import { attentionHandlers, historyHandlers } from './history/handlers.ts';
import { Live, recheckOf } from './live/live.ts';
import { loggableError } from './loggable-error.ts';
import { answerMethod } from './method-answer.ts';
import { mountedRoutes } from './mounted-routes.ts';
import { type OpenedEngine, openEngine } from './opened-engine.ts';
import { exporterHandler } from './exporter/exporter.ts';
import { isClientRoute } from './own-paths.ts';
import { resolveOptions, type BoardOptions } from './options.ts';
import { BoardPermissions } from './authority/permissions.ts';
import { type BoardLink, uiConfigOf } from './page/ui-options.ts';
import type { BoardRequest, BoardResponse, HookRequest } from './request/request.ts';
import { errorResponse, internalError } from './request/respond.ts';
import { createRouter, type RouteMatch } from './request/router.ts';
import { inRouteSpan, observeJobs } from './telemetry.ts';
import { versionsWith } from './values/versions.ts';

/** The routes of all boards: one that this board does not serve is missing, whatever else its path has. */
const everyRoute = createRouter(routeTable);

/** A board as seen by a server adapter. */
export interface ServedBoard {
  /** Called before every request, if the board has authentication. */
  readonly auth?: BoardAuth;
  /**
   * Handles a request, without `auth`; undefined when the path does not belong to the board. The response is complete:
   * compressed as the client accepts it, with its length, without a body for HEAD, and 304 where the client has it.
   */
  handle(request: BoardRequest): Promise<BoardResponse | undefined>;
  /**
   * Answers a request of the Fetch API, after `auth`; 404 when the path does not belong to the board. For servers and
   * frameworks with such requests, and for programs that call the board in their own process.
   */
  fetch(request: Request, mount?: FetchMount): Promise<Response>;
}

/** Serves a board on a web framework, for example `ExpressAdapter`. */
export interface ServerAdapter {
  /** Called once, by `createBoard`. */
  attach(board: ServedBoard): void;
  /**
   * Whether the adapter listens on a server of its own, where nothing else checks requests: in production it refuses a
   * board that is open. Default false.
   */
  readonly listens?: boolean;
}

/** A board that is being served. */
export interface Board<Name extends EngineName = EngineName> extends ServedBoard {
  /** Engine of the queues. */
  readonly engine: Name;
  /** The routes that are mounted, by operation id. */
  readonly routes: RouteTable;
  /**
   * Refuses new requests, waits for pending ones (`closeGraceMs`), and closes the resources that the board opened;
   * those passed in by the host stay open. Further calls return the same promise.
   */
  close(): Promise<void>;
}

/**
 * Creates a board for an engine and passes it to the server adapter. The options have been checked.
 *
 * @param boardsAt the boards of the page, given the path of this one in browsers; default those of `ui.boards`
 */
export function openBoard<Name extends EngineName>(
  factory: EngineFactory<Name>,
  serverAdapter: ServerAdapter | undefined,
  boardOptions?: BoardOptions,
  auth?: BoardAuth | false,
  boardsAt?: (basePath: string) => readonly BoardLink[],
): Board<Name> {
  const options = resolveOptions(boardOptions);
  checkOpenness({ ...options, auth, listens: serverAdapter?.listens === true });
  if (options.onAttention && !options.attention) {
    throw new TypeError('"onAttention" requires thresholds in "attention"');
  }
  const history = capabilitiesOf(options.historyProvider, options);
  const isReadOnly = (): boolean => options.readOnly || factory.everyQueueIsReadOnly?.() === true;
  const routes = mountedRoutes({
    engine: factory.engine,
    readOnly: options.readOnly,
    history,
    keepsHistory: isReadOnly(),
    live: options.live !== false,
    exporter: options.exporter !== false,
  });
  const router = createRouter({
    ...routes,
    getEntry: entryRoute,
    getOpenApiDocument: documentRoute,
  });
  const permissions = new BoardPermissions(options.permissions, routes);
  // Pages of two boards that share a mount find no routes of the authentication below their own path.
  const uiConfig = uiConfigOf(factory.engine, options, history, Boolean(auth) && !boardsAt);
  const engine = openEngine(factory, {
    readOnly: options.readOnly,
    logger: options.logger,
    options,
    permissions,
    versionOf: versionsWith((auth && auth.keyFor?.('board versions')) || ''),
    whoSent: (request) => whoSent(auth, request),
  });
  const live = new Live(
    {
      list: engine.listQueues,
      recheck: recheckOf({ options, permissions, auth: auth || undefined }),
      answer: (error) =>
        error instanceof BoardError
          ? error
          : (engine.translateError(error) ?? internalError(error, options)),
    },
    typeof options.live === 'object' ? options.live : {},
  );
  const attention =
    options.attention &&
    new Attention({
      options: options.attention,
      provider: options.historyProvider,
      onAttention: options.onAttention,
      read: () => engine.attentionReadings(),
      onError: (error) => options.logger.error('Board: attention could not be checked', error),
    });
  const scopeOf = (request: HookRequest): Promise<HistoryScope> => engine.historyScope(request);
  const watch: AnyHandler = ({ request, signal }) => live.open(request, signal);
  let document: OpenApiDocument | undefined;
  const own: Readonly<Record<string, AnyHandler>> = {
    async getOpenApiDocument({ basePath }) {
      // Its texts are a quarter of the board, and few hosts ask for them.
      const { describeRoutes } = await import('../contract/openapi/document.ts');
      document ??= describeRoutes(routes, { auth: auth ? auth.described : undefined });
      return { ...document, servers: [{ url: basePath === '' ? '/' : basePath }] };
    },
    getEntry: ({ basePath }) => ({ openapi: `${basePath}${documentRoute.path}` }),
    // Mounted routes only; the router has none for other operations.
    ...(options.exporter !== false && {
      scrapeMetrics: exporterHandler(
        {
          list: engine.listQueues,
          activity: () => engine.handlerOf('listActivity'),
          today: options.historyProvider?.getToday?.bind(options.historyProvider),
          onError: (error) =>
            options.logger.warn('Board: the exporter could not read', loggableError(error)),
        },
        options.exporter === true ? {} : options.exporter,
      ),
    }),
    watchQueues: watch,
    watchPgqQueues: watch,
    ...(options.historyProvider && historyHandlers(options.historyProvider, scopeOf)),
    ...(attention && attentionHandlers(attention, scopeOf)),
    ...(options.deployments && deploymentHandlers(options.deployments)),
  };
  const host: DispatchHost = {
    options,
    permissions,
    uiConfig,
    queues: factory.queues ?? new Map(),
    handlerOf: async (operation) => own[operation] ?? engine.handlerOf(operation),
    translateError: engine.translateError,
    report: errorLog(options.logger),
  };
  const underWay = inFlight();
  let closing: Promise<void> | undefined;

  const pageOrAsset = async (request: BoardRequest): Promise<BoardResponse | undefined> => {
    const { path, basePath, headers } = request;
    if (!isClientRoute(path) && !path.startsWith('/assets/')) return undefined;
    const { entry, serve } = await loadDashboard();
    if (!isClientRoute(path)) return serve(path, headers);
    const canPurgeHistory = routes['purgeMetricsHistory'] !== undefined && !isReadOnly();
    const boards = boardsAt && { boards: boardsAt(basePath) };
    return page({ entry, uiConfig: { ...uiConfig, ...boards, canPurgeHistory }, basePath });
  };
  /** A browser gets the page of the same path. */
  const isScrape = ({ path, headers }: BoardRequest): boolean =>
    options.exporter !== false && path === '/metrics' && !acceptsHtml(headers['accept']);
  const routedMethod = ({ method }: BoardRequest): string => (method === 'HEAD' ? 'GET' : method);
  const isForApi = (request: BoardRequest): boolean =>
    request.path === entryRoute.path || request.path.startsWith('/api/') || isScrape(request);
  const matchOf = (request: BoardRequest): RouteMatch | undefined =>
    isForApi(request) ? router.match(routedMethod(request), request.path) : undefined;
  /** The routes of other methods; none where the board has left out the route of this one. */
  const othersOf = (request: BoardRequest): readonly RouteMatch[] =>
    everyRoute.match(routedMethod(request), request.path) ? [] : router.at(request.path);
  const answer = async (request: BoardRequest): Promise<BoardResponse | undefined> => {
    const method = routedMethod(request);
    if (!isForApi(request)) return method === 'GET' ? pageOrAsset(request) : undefined;
    if (closing)
      return errorResponse(
        datastoreUnavailable(undefined, factory.engine === 'pgq' ? 'sql' : 'kv'),
      );
    const match = matchOf(request);
    if (!match) {
      const others = othersOf(request);
      return others.length > 0
        ? underWay.run(() => answerMethod(host, others, request))
        : errorResponse(routeNotFound());
    }
    if (method !== 'GET' && !isOwnWrite(request.headers)) {
      return errorResponse(new BoardError('FORBIDDEN'));
    }
    const response = await underWay.run(() => dispatch(host, match, request));
    if (match.route.access === 'write') live.touch();
    return response;
  };

  const complete = createComplete();
  const completed = async (request: BoardRequest): Promise<BoardResponse | undefined> => {
    const response = await answer(request);
    return response && complete(request, response);
  };
  const handle = (request: BoardRequest): Promise<BoardResponse | undefined> => {
    const match = options.telemetry && isTraced() ? matchOf(request) : undefined;
    return match
      ? inRouteSpan(factory.engine, match, request, () => completed(request))
      : completed(request);
  };
  const endGauge = options.telemetry
    ? observeJobs(factory.engine, engine.listQueues, (error) =>
        options.logger.warn('Board: jobs could not be observed', loggableError(error)),
      )
    : undefined;

  const board: Board<Name> = {
    engine: factory.engine,
    routes,
    handle,
    fetch: (request, mount = {}) => fetchFrom(board, request, mount),
    ...(auth && { auth }),
    close() {
      live.close();
      endGauge?.();
      attention?.close();
      closing ??= closeWithin(options.closeGraceMs, underWay, engine);
      return closing;
    },
  };
  serverAdapter?.attach(board);
  return board;
}

/** Answers a request of the Fetch API. */
export async function fetchFrom(
  { auth, handle }: ServedBoard,
  request: Request,
  given: FetchMount,
): Promise<Response> {
  const mount = resolveMount(request, given, auth?.publicPath ?? null);
  const serve = async (): Promise<Response> => {
    const inner = webRequest(request, mount);
    const response = inner && (await handle(inner));
    if (!response && mount.notFound) return mount.notFound();
    return webResponse(response ?? errorResponse(routeNotFound()));
  };
  return auth ? auth.fetch(request, serve, mount) : serve();
}

/** The part of the grace that is kept for connections to close. */
const farewell = { share: 0.1, mostMs: 200 };

/** Waits for requests, then closes the engine. An engine that hangs goes on closing after the grace. */
async function closeWithin(
  graceMs: number,
  underWay: InFlight,
  engine: OpenedEngine,
): Promise<void> {
  const end = performance.now() + graceMs;
  await underWay.idle(graceMs - Math.min(farewell.mostMs, graceMs * farewell.share));
  const closed = engine.close();
  try {
    await withTimeout(closed, Math.max(0, end - performance.now()));
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    closed.catch(() => undefined);
  }
}

/** Pending work. */
interface InFlight {
  /** Runs work and counts it until it settles. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when nothing is pending, or after the given milliseconds. */
  idle(graceMs: number): Promise<void>;
}

function inFlight(): InFlight {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    async run(work) {
      count += 1;
      try {
        return await work();
      } finally {
        count -= 1;
        if (count === 0) for (const wake of waiting) wake();
      }
    },
    async idle(graceMs) {
      if (count === 0) return;
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          clearTimeout(timer);
          waiting.delete(finish);
          resolve();
        };
        const timer = setTimeout(finish, graceMs);
        waiting.add(finish);
      });
    },
  };
}
