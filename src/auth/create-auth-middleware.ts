/** The middleware: routes of the strategy, authentication, authorization by the host, then the next handler. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { failed, forbidden, sendJson, unavailable } from './answers.ts';
import { AuthProviderError, AuthStoreError } from './auth-error.ts';
import { attachUser, holderOf, shareUser } from './auth-user.ts';
import type { BoardAddress } from './address/board-address.ts';
import { BasicStrategy } from './basic/basic-strategy.ts';
import { teller, type Tell } from './event.ts';
import { exchangeOf, isRead, targetOf, type Exchange } from './exchange.ts';
import { mountNotice, proxyNotice } from './address/notices.ts';
import { createOidcStrategy } from './oidc/create-oidc-strategy.ts';
import type { AuthMount, AuthOptions, AuthUser, RefusalReason } from './options.ts';
import { reporter, type Report } from './report.ts';
import { mayOpen, mayWrite } from './address/same-origin.ts';
import { derivedKey } from './session/sealing.ts';
import { checkStrength } from './secret-strength.ts';
import { addressOf, checkAuthOptions } from './settings.ts';
import type { DescribedAuth, Strategy, StrategyPlace } from './strategy.ts';
import { WebRequest, WebResponse, withCookies } from './web.ts';
import type { AuthRequest, AuthResponse, AuthFetchMount, ReadableRequest } from './web.ts';
import { TokenStrategy } from './token/token-strategy.ts';

/** Authentication middleware of a board, for any framework. */
export interface AuthMiddleware {
  /**
   * For Express and other frameworks with `(req, res, next)`. `next` is called without an argument, and only when
   * the request may continue; in every other case the response has been sent.
   */
  (req: IncomingMessage, res: ServerResponse, next: () => void): Promise<void>;
  /**
   * For other frameworks: resolves to true when the response has been sent, to false when the request may continue.
   * Takes Node's request and response; call it before the body is read.
   */
  handle(req: IncomingMessage, res: ServerResponse): Promise<boolean>;
  /**
   * Returns the user of a request that bypasses middleware, such as a WebSocket upgrade, or of a long-lived stream;
   * `null` when the request must be rejected. Makes the same checks as the middleware and, for a session, checks that
   * a page of the board started the request. It neither responds nor refreshes: for a session with an expired access
   * token the result is `null` until a page has made another request. A request that was let in before, such as that of a
   * stream, then goes on with the refreshed session.
   */
  authenticate(req: IncomingMessage | Request): Promise<AuthUser | null>;
  /**
   * For servers and frameworks of the Fetch API: the response of the middleware, or that of `next` when the request may
   * continue, with the middleware's cookies beside those of the handler. `getAuthUser` takes the same `Request`.
   */
  fetch(
    request: Request,
    next: () => Response | Promise<Response>,
    place?: AuthFetchMount,
  ): Promise<Response>;
  /** Path of the board in browsers, from `publicUrl` or `basePath`; `null` if it is the mount path of Express. */
  readonly publicPath: string | null;
  /**
   * A key that is derived from the secret of the cookie for a purpose: the same in all instances, and of no use for
   * sessions. `undefined` without a configured secret. The board makes the versions of jobs with it. Default: none.
   */
  keyFor?(purpose: string): string | undefined;
  /** The description of the authentication in the board's OpenAPI document. Default: nothing. */
  readonly described?: DescribedAuth;
}

/**
 * Creates the middleware that authenticates all requests of a board: pages, API and assets. Create one per board. It
 * caches signing keys and decrypted sessions in memory.
 *
 * @param options the strategy, `oidc`, `token` or `basic`, and its options
 * @param mount where the board is served; must be the path under which the middleware is mounted
 * @throws {AuthConfigurationError} AUTH_CONFIGURATION_INVALID when an option is unknown, has a wrong type or is invalid
 */
export function createAuthMiddleware(options: AuthOptions, mount: AuthMount = {}): AuthMiddleware {
  checkAuthOptions(options);
  checkStrength(options);
  const address = addressOf(options, mount);
  const report = reporter(options);
  const tell = teller(options);
  const strategy = strategyOf(options, { mount, address, report, tell });
  const notices = [mountNotice(), proxyNotice(options)];
  const guard = { options, address, strategy, report, tell, notices };
  /** Returns false synchronously for a request that is already known, which keeps repeated requests cheap. */
  const start = (req: ReadableRequest, res: AuthResponse): false | Promise<boolean> => {
    if (recognise(req, guard)) return false;
    return decide(exchangeOf(req, res, address), guard);
  };
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<boolean> =>
    start(req, res);
  const middleware = (
    req: IncomingMessage,
    res: ServerResponse,
    next: () => void,
  ): Promise<void> => {
    const answered = start(req, res);
    if (answered !== false) return answered.then((done) => (done ? undefined : next()));
    next();
    return goneOn;
  };
  const fetchGuarded: AuthMiddleware['fetch'] = async (request, next, place = {}) => {
    const req = new WebRequest(request, place);
    const res = new WebResponse();
    if (await start(req, res)) return res.toResponse(req.method === 'HEAD');
    shareUser(req, request);
    return withCookies(await next(), res.cookies);
  };
  const { publicPath } = address;
  const authenticate = authenticator(guard);
  return Object.assign(middleware, {
    handle,
    authenticate,
    fetch: fetchGuarded,
    publicPath,
    keyFor: (purpose: string) => keyFor(options, purpose),
    described: strategy.described,
  });
}

/** Not from a token or a password: a client that sees what a key has made could try weak ones without a limit. */
function keyFor(options: AuthOptions, purpose: string): string | undefined {
  if (options.strategy === 'basic') return undefined;
  const fallback = options.strategy === 'oidc' ? options.clientSecret : undefined;
  const [secret] = [options.cookie?.secret ?? fallback].flat();
  return secret && Buffer.from(derivedKey(secret, `key ${purpose}`)).toString('base64url');
}

function strategyOf(options: AuthOptions, place: StrategyPlace): Strategy {
  if (options.strategy === 'basic') return new BasicStrategy(options, place.tell);
  return options.strategy === 'oidc'
    ? createOidcStrategy(options, place)
    : new TokenStrategy(options, place);
}

/** Already settled result for a request that continued synchronously. */
const goneOn = Promise.resolve();

interface Guard {
  readonly options: AuthOptions;
  readonly address: BoardAddress;
  readonly strategy: Strategy;
  readonly report: Report;
  readonly tell: Tell;
  /** Watch every request that is not recognised. */
  readonly notices: readonly ((exchange: Exchange) => void)[];
}

/** Whether the request only reads, is not for a route of the middleware, and comes from a recognised user. */
function recognise(req: AuthRequest, { options, strategy }: Guard): boolean {
  if (options.onAuthenticated !== undefined) return false;
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  const target = targetOf(req);
  if (!target.startsWith('/') || target.includes('/auth/')) return false;
  const user = strategy.recognise(req);
  if (user === null) return false;
  attachUser(req, user);
  return true;
}

/** Resolves to true when the response was sent. On any error the request is answered and does not continue. */
async function decide(exchange: Exchange, guard: Guard): Promise<boolean> {
  try {
    for (const notice of guard.notices) notice(exchange);
    return (await guard.strategy.serve(exchange)) || (await hold(exchange, guard));
  } catch (error) {
    guard.report(error, exchange.req);
    if (exchange.res.headersSent) exchange.res.end();
    else if (error instanceof AuthProviderError || error instanceof AuthStoreError) {
      unavailable(exchange, error.code);
    } else failed(exchange);
    return true;
  }
}

async function hold(exchange: Exchange, guard: Guard): Promise<boolean> {
  const { options, address, strategy, tell } = guard;
  const { req } = exchange;
  const identity = await strategy.identify(exchange);
  if (identity === null) return true;
  const { user, by, claims } = identity;
  if (!mayWrite(exchange, address, by)) {
    tell({ type: 'refusal', reason: 'origin', user }, req);
    forbidden(exchange, null);
    return true;
  }
  const logoutUrl = by === 'session' ? `${exchange.basePath}/auth/logout` : null;
  if ((await options.onAuthenticated?.(user, req, claims)) === false) {
    tell({ type: 'refusal', reason: 'onAuthenticated', user }, req);
    forbidden(exchange, logoutUrl);
    return true;
  }
  attachUser(req, user);
  if (exchange.route !== '/auth/me' || !isRead(exchange)) return false;
  sendJson(exchange, 200, { strategy: strategy.described.strategy, user, logoutUrl });
  return true;
}

/** Authenticates a request without responding. On any error the result is `null`. */
function authenticator({
  options,
  address,
  strategy,
  report,
  tell,
}: Guard): AuthMiddleware['authenticate'] {
  const decideOn = async (req: AuthRequest, wasLetIn: boolean): Promise<AuthUser | null> => {
    const identity = await strategy.authenticate(req, wasLetIn);
    if (identity === null) return null;
    const { user, by, claims } = identity;
    const refuse = (reason: RefusalReason): null => {
      tell({ type: 'refusal', reason, user }, req);
      return null;
    };
    if (!mayOpen(req, address, by)) return refuse('origin');
    if ((await options.onAuthenticated?.(user, req, claims)) === false) {
      return refuse('onAuthenticated');
    }
    attachUser(req, user);
    return user;
  };
  return async (given) => {
    const before = holderOf(given) as typeof given | undefined;
    const request = before ?? given;
    const req = request instanceof Request ? new WebRequest(request, {}) : request;
    try {
      const user = await decideOn(req, before !== undefined);
      if (user) shareUser(req, request);
      return user;
    } catch (error) {
      report(error, req);
      return null;
    }
  };
}
