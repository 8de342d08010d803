/** The strategy `token`: a token in a header, or a session started with one. */

import type { AuthRequest } from '../web.ts';
import {
  challenge,
  forbidden,
  redirect,
  sendPage,
  tooLargeText,
  tooManyAttempts,
  unauthorized,
} from '../answers.ts';
import { tooLarge } from '../auth-error.ts';
import { bearerToken } from '../bearer.ts';
import { header, isNavigation, isRead, type Exchange } from '../exchange.ts';
import { ExpiringMap } from '../session/expiring-map.ts';
import type { AuthClaims, AuthUser, TokenOptions } from '../options.ts';
import { RecognisedCookies } from '../session/recognised.ts';
import { boardHome, safeReturnTo } from '../address/return-to.ts';
import { askedElsewhere } from '../session/logout-check.ts';
import { newSessionId, Revocations } from '../session/revocations.ts';
import { isSameOrigin } from '../address/same-origin.ts';
import { canBeGuessed } from '../secret-strength.ts';
import { endOf, nowInSeconds, renewalOf } from '../session/session-life.ts';
import { type CookieSettings, cookieSettings } from '../settings.ts';
import type { SealedCookie } from '../session/session-cookie.ts';
import type { DescribedAuth, Identity, Strategy, StrategyPlace } from '../strategy.ts';
import { readForm } from '../form-body.ts';
import { sealedForm, tokenCookie, type TokenSession } from './session.ts';
import { TokenVerifier } from './verify.ts';
import { escapeHtml } from '../../lib/index.ts';
import { page } from '../page.ts';
import { AttemptLimiter } from '../attempt-limit.ts';
import { guardedStore } from '../store/guarded.ts';

interface LoginForm {
  /** Path that the form is posted to. */
  readonly action: string;
  /** Redirect target after the login. */
  readonly returnTo: string;
  /** Why the submitted token was not accepted; `null` if none was submitted. */
  readonly refusal: string | null;
}

/** Renders a form with one password field. It does not repeat the submitted token. */
function loginForm({ action, returnTo, refusal }: LoginForm): string {
  const refused = refusal !== null;
  const alert = refused ? `\n<p id="refused" role="alert">${escapeHtml(refusal)}</p>` : '';
  const key = refused ? '\n<small>ERRORS.UNAUTHORIZED</small>' : '';
  const state = refused ? ' aria-invalid="true" aria-describedby="refused"' : '';
  return page(
    'Sign in',
    `<h1>Sign in</h1>
<p>Enter the access token of this board.</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="returnTo" value="${escapeHtml(returnTo)}">
<label for="token">Access token</label>
<input id="token" name="token" type="password" required autofocus autocomplete="current-password" spellcheck="false"${state}>${alert}
<button type="submit">Sign in</button>
</form>${key}`,
  );
}

/**
 * Renders a page that reloads itself. A link on another site opens a page without the cookie; the reload comes from the
 * board's own origin and carries it.
 */
function reloadPage(target: string): string {
  const href = escapeHtml(target);
  return page(
    'Opening the board',
    `<h1>Opening the board</h1>\n<p>One moment.</p>\n<a href="${href}">Continue</a>`,
    `\n<meta http-equiv="refresh" content="0; url=${href}">`,
  );
}

/** A recognised session, and the version of everything that may end it. */
interface Finding {
  readonly version: number;
  readonly epoch: number;
}

/** A session that begins. */
interface Begun {
  readonly user: AuthUser;
  /** `null` if it does not fit the cookie. */
  readonly sealed: string | null;
}

const wrong = 'This token is not accepted. Check it and try again.';

/** Error messages of the form. */
const refusals = {
  200: null,
  401: wrong,
  413: wrong,
  429: 'Too many wrong tokens. Wait a minute and try again.',
} as const;

const noClaims: AuthClaims = Object.freeze({});

export class TokenStrategy implements Strategy {
  readonly described: DescribedAuth;
  readonly #place: StrategyPlace;
  readonly #verifier: TokenVerifier;
  readonly #header: string | null;
  /** `null` without a login. */
  readonly #limits: CookieSettings | null;
  readonly #cookie: SealedCookie<TokenSession> | null;
  readonly #revocations: Revocations;
  /** Of tokens in headers, in this process. */
  readonly #requests: AttemptLimiter;
  /** Of the login form, in every instance. */
  readonly #logins: AttemptLimiter;
  readonly #recognised = new RecognisedCookies<Finding>();
  /** When sessions were last renewed, by id, while their cookies may still be the ones of open streams. */
  readonly #renewed = new ExpiringMap<number>();

  constructor(options: TokenOptions, place: StrategyPlace) {
    const { publicUrl, cookie } = options;
    const { mount, address, report } = place;
    const limits =
      cookie === undefined ? null : cookieSettings(cookie, undefined, { mount, publicUrl });
    const store = options.store === undefined ? null : guardedStore(options.store);
    const name = options.header?.toLowerCase() ?? null;
    this.#place = place;
    this.#verifier = new TokenVerifier(options, report);
    this.#header = name === 'authorization' ? null : name;
    this.#limits = limits;
    this.#cookie = limits && tokenCookie(limits, address, store);
    const maxAgeSeconds = limits?.maxAgeSeconds ?? 0;
    this.#revocations = new Revocations({ store, purpose: 'token', maxAgeSeconds });
    this.#requests = new AttemptLimiter(options);
    this.#logins = store === null ? this.#requests : new AttemptLimiter(options, store);
    this.described = {
      strategy: 'token',
      header: this.#header,
      sessionCookie: limits?.name ?? null,
      openIdConnectUrl: null,
    };
  }

  async serve(exchange: Exchange): Promise<boolean> {
    const { method, route } = exchange;
    const cookie = this.#cookie;
    if (cookie === null) return false;
    if (route === '/auth/logout') {
      await this.#logout(exchange, cookie);
      return true;
    }
    if (route !== '/auth/login') return false;
    if (isRead(exchange)) {
      const returnTo = new URLSearchParams(exchange.query).get('returnTo');
      this.#sendForm(exchange, 200, returnTo);
      return true;
    }
    if (method !== 'POST') return false;
    await this.#login(exchange, cookie);
    return true;
  }

  recognise(req: AuthRequest): AuthUser | null {
    if (this.#header !== null && req.headers[this.#header] !== undefined) return null;
    const token = bearerToken(req);
    // One that can be guessed, not without the limit.
    if (token !== undefined) return canBeGuessed(token) ? null : this.#verifier.fixedUser(token);
    const found = this.#recognised.get(req);
    if (found === undefined || found.epoch !== this.#revocations.epoch) return null;
    return found.version === this.#verifier.version() ? this.#verifier.fixed : null;
  }

  async identify(exchange: Exchange): Promise<Identity | null> {
    const { req } = exchange;
    const presented = this.#presented(req);
    if (presented.length > 0) {
      const user = await this.#firstUser(presented, req);
      if (user === 'limited') tooManyAttempts(exchange, this.#requests.seconds);
      else if (user === null) unauthorized(exchange, { invalid: true });
      else return { user, by: 'header', claims: noClaims };
      return null;
    }
    const cookie = this.#cookie;
    if (cookie === null) {
      unauthorized(exchange);
      return null;
    }
    const { epoch } = this.#revocations;
    const opened = await cookie.find(req);
    const user = opened && (await this.#sessionUser(opened.content, req));
    if (user) {
      await this.#keep(exchange, opened.content, cookie, epoch);
      return { user, by: 'session', claims: noClaims };
    }
    if (opened !== undefined) cookie.clear(exchange);
    this.#askToLogIn(exchange);
    return null;
  }

  async authenticate(req: AuthRequest, wasLetIn: boolean): Promise<Identity | null> {
    const presented = this.#presented(req);
    if (presented.length > 0) {
      const user = await this.#firstUser(presented, req);
      return user === 'limited' ? null : user && { user, by: 'header', claims: noClaims };
    }
    const session = (await this.#cookie?.find(req))?.content;
    if (!session) return null;
    const seen = (wasLetIn && session.id && this.#renewed.get(session.id)) || session.seen;
    const user = await this.#sessionUser({ ...session, seen }, req);
    return user && { user, by: 'session', claims: noClaims };
  }

  async #firstUser(
    tokens: readonly string[],
    req: AuthRequest,
  ): Promise<AuthUser | null | 'limited'> {
    const { tell } = this.#place;
    const found = await this.#requests.request(req, tokens, async () => {
      for (const token of tokens) {
        const user = await this.#verifier.user(token, req);
        if (user !== null) return user;
      }
      return null;
    });
    if (found === null) tell({ type: 'refusal', reason: 'credentials' }, req);
    if (found === 'limited') tell({ type: 'refusal', reason: 'limit' }, req);
    return found;
  }

  async #sessionUser(session: TokenSession, req: AuthRequest): Promise<AuthUser | null> {
    const limits = this.#limits;
    if (limits === null || endOf(session, limits) <= nowInSeconds()) return null;
    if (await this.#revocations.isEnded(session)) return null;
    return this.#verifier.user(session.token, req);
  }

  /** Seals a session that was valid in an epoch again before its idle timeout, or caches it for the next request. */
  async #keep(
    exchange: Exchange,
    session: TokenSession,
    cookie: SealedCookie<TokenSession>,
    epoch: number,
  ): Promise<void> {
    const limits = this.#limits;
    if (limits === null) return;
    const seen = nowInSeconds();
    const renewal = renewalOf(session, limits);
    if (renewal <= seen) {
      const renewed = { ...session, seen };
      const sealed = await cookie.seal(sealedForm(renewed, limits.maxAgeSeconds));
      if (sealed === null) return;
      if (session.id) this.#renewed.set(session.id, seen, endOf(renewed, limits) * 1000);
      cookie.writeLate(exchange, sealed);
    } else if (this.#verifier.fixedUser(session.token) !== null) {
      const finding = { version: this.#verifier.version(), epoch };
      const until = Math.min(endOf(session, limits), renewal);
      this.#recognised.set(exchange.req, finding, this.#revocations.trustedUntil(until));
    }
  }

  /** Tokens of the headers, starting with the header that the option `header` names. */
  #presented(req: AuthRequest): string[] {
    const own = this.#header === null ? undefined : header({ req }, this.#header);
    return [own, bearerToken(req)].filter((token) => token !== undefined);
  }

  #askToLogIn(exchange: Exchange): void {
    if (!isNavigation(exchange)) return unauthorized(exchange);
    const returnTo = safeReturnTo(exchange.target, exchange.basePath);
    if (header(exchange, 'sec-fetch-site') === 'cross-site') {
      return sendPage(exchange, 200, reloadPage(returnTo));
    }
    const query = new URLSearchParams({ returnTo });
    return redirect(exchange, 302, `${exchange.basePath}/auth/login?${query}`);
  }

  async #login(exchange: Exchange, cookie: SealedCookie<TokenSession>): Promise<void> {
    const { address, report, tell } = this.#place;
    const logins = this.#logins;
    const { req, basePath } = exchange;
    if (!isSameOrigin(exchange, address)) return forbidden(exchange, null);
    const form = await readForm(req);
    if (form === 'too large') {
      // Do not wait for the rest of the body.
      exchange.res.shouldKeepAlive = false;
      req.resume();
      return this.#sendForm(exchange, 413, null);
    }
    const returnTo = form['returnTo'] ?? null;
    const token = form['token'] ?? '';
    const begun = await logins.login(req, token, () => this.#begin(token, req, cookie));
    if (begun === 'limited') {
      tell({ type: 'refusal', reason: 'limit' }, req);
      exchange.res.setHeader('retry-after', String(logins.seconds));
      return this.#sendForm(exchange, 429, returnTo);
    }
    if (begun === null) {
      tell({ type: 'refusal', reason: 'login' }, req);
      return this.#sendForm(exchange, 401, returnTo);
    }
    if (begun.sealed === null) {
      report(tooLarge(), req);
      tell({ type: 'refusal', reason: 'login', user: begun.user }, req);
      return this.#sendForm(exchange, 401, returnTo, tooLargeText);
    }
    cookie.write(exchange, begun.sealed);
    tell({ type: 'login', user: begun.user }, req);
    return redirect(exchange, 303, safeReturnTo(returnTo, basePath));
  }

  /** Seals a new session; `null` when the token is not valid. */
  async #begin(
    token: string,
    req: AuthRequest,
    cookie: SealedCookie<TokenSession>,
  ): Promise<Begun | null> {
    const user = await this.#verifier.user(token, req);
    if (user === null) return null;
    const now = nowInSeconds();
    const session = { id: newSessionId(), token, since: now, seen: now };
    const sealed = await cookie.seal(sealedForm(session, this.#limits?.maxAgeSeconds ?? 0));
    return { user, sealed };
  }

  async #logout(exchange: Exchange, cookie: SealedCookie<TokenSession>): Promise<void> {
    const { address, tell } = this.#place;
    if (askedElsewhere(exchange, address)) return;
    for (const { content } of await cookie.all(exchange.req)) await this.#revocations.end(content);
    await cookie.forget(exchange.req);
    // Not before: a logout that fails can be repeated.
    cookie.clear(exchange);
    tell({ type: 'logout' }, exchange.req);
    redirect(exchange, 302, `${exchange.basePath}/auth/login`);
  }

  #sendForm(
    exchange: Exchange,
    status: 200 | 401 | 413 | 429,
    returnTo: string | null,
    refusal: string | null = refusals[status],
  ): void {
    const { basePath } = exchange;
    const html = loginForm({
      action: `${basePath}/auth/login`,
      returnTo: returnTo === null ? boardHome(basePath) : safeReturnTo(returnTo, basePath),
      refusal,
    });
    if (status === 401) challenge(exchange, true);
    sendPage(exchange, status, html);
  }
}
