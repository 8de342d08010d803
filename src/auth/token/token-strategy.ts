/** The strategy `token`: a token in a header, or a session that was begun with one. */

import type { IncomingMessage } from 'node:http';
import { challenge, forbidden, redirect, sendPage, unauthorized } from '../answers.ts';
import { bearerToken } from '../bearer.ts';
import type { BoardAddress } from '../board-address.ts';
import { header, isNavigation, isRead } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { AuthUser, TokenOptions } from '../options.ts';
import { RecognisedCookies } from '../recognised.ts';
import { boardHome, safeReturnTo } from '../return-to.ts';
import { askedElsewhere } from '../logout-check.ts';
import { isSameOrigin } from '../same-origin.ts';
import type { CookieSettings } from '../settings.ts';
import type { SealedCookie } from '../session-cookie.ts';
import type { Identity, Strategy } from '../strategy.ts';
import { readForm } from './form-body.ts';
import { loginForm, reloadPage } from './login-form.ts';
import { tokenCookie } from './session.ts';
import type { TokenSession } from './session.ts';
import { TokenVerifier } from './verify.ts';

export class TokenStrategy implements Strategy {
  readonly name = 'token';
  readonly #address: BoardAddress;
  readonly #verifier: TokenVerifier;
  readonly #header: string | null;
  readonly #cookie: SealedCookie<TokenSession> | null;
  /** The version of the list of tokens that held the session's. */
  readonly #recognised = new RecognisedCookies<number>();
  readonly #lifetime: number;

  /** `cookie` is `null` where there is no login. */
  constructor(options: TokenOptions, cookie: CookieSettings | null, address: BoardAddress) {
    this.#address = address;
    this.#verifier = new TokenVerifier(options);
    const name = options.header?.toLowerCase() ?? null;
    this.#header = name === 'authorization' ? null : name;
    this.#cookie = cookie === null ? null : tokenCookie(cookie, address);
    this.#lifetime = cookie?.maxAgeSeconds ?? 0;
  }

  async serve(exchange: Exchange): Promise<boolean> {
    const { method, route } = exchange;
    const cookie = this.#cookie;
    if (cookie === null) return false;
    if (route === '/auth/logout') {
      if (askedElsewhere(exchange, this.#address)) return true;
      cookie.clear(exchange);
      redirect(exchange, 302, `${exchange.basePath}/auth/login`);
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

  recognise(req: IncomingMessage): AuthUser | null {
    if (this.#header !== null && req.headers[this.#header] !== undefined) return null;
    const token = bearerToken(req);
    if (token !== undefined) return this.#verifier.fixedUser(token);
    return this.#recognised.get(req) === this.#verifier.version() ? this.#verifier.fixed : null;
  }

  async identify(exchange: Exchange): Promise<Identity | null> {
    const presented = this.#presented(exchange);
    if (presented.length > 0) {
      for (const token of presented) {
        const user = await this.#verifier.user(token);
        if (user !== null) return { user, by: 'header' };
      }
      unauthorized(exchange, { invalid: true });
      return null;
    }
    const cookie = this.#cookie;
    if (cookie === null) {
      unauthorized(exchange);
      return null;
    }
    const opened = await cookie.find(exchange.req);
    if (opened) {
      const { token, exp } = opened.content;
      const version = this.#verifier.version();
      const fixed = this.#verifier.fixedUser(token);
      if (fixed !== null) this.#recognised.set(exchange.req, version, exp);
      const user = fixed ?? (await this.#verifier.user(token));
      if (user !== null) return { user, by: 'session' };
    }
    if (opened !== undefined) cookie.clear(exchange);
    this.#askToLogIn(exchange);
    return null;
  }

  /** Tokens of the headers, the one of the host's own header first. */
  #presented(exchange: Exchange): string[] {
    const own = this.#header === null ? undefined : header(exchange, this.#header);
    return [own, bearerToken(exchange.req)].filter((token) => token !== undefined);
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
    if (!isSameOrigin(exchange, this.#address)) return forbidden(exchange, null);
    const form = await readForm(exchange.req);
    if (form === 'too large') {
      // The rest of the body is not waited for.
      exchange.res.shouldKeepAlive = false;
      exchange.req.resume();
      return this.#sendForm(exchange, 413, null);
    }
    const token = form['token'] ?? '';
    const returnTo = form['returnTo'] ?? null;
    const exp = Math.floor(Date.now() / 1000) + this.#lifetime;
    const user = await this.#verifier.user(token);
    const sealed = user === null ? null : await cookie.seal({ v: 1, token, exp });
    if (sealed === null) return this.#sendForm(exchange, 401, returnTo);
    cookie.write(exchange, sealed);
    return redirect(exchange, 303, safeReturnTo(returnTo, exchange.basePath));
  }

  #sendForm(exchange: Exchange, status: 200 | 401 | 413, returnTo: string | null): void {
    const { basePath } = exchange;
    const html = loginForm({
      action: `${basePath}/auth/login`,
      returnTo: returnTo === null ? boardHome(basePath) : safeReturnTo(returnTo, basePath),
      refused: status !== 200,
    });
    if (status === 401) challenge(exchange, true);
    sendPage(exchange, status, html);
  }
}
