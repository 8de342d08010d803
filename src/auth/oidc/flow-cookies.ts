/** State of each pending login, checked at its callback, sealed in one cookie per login for ten minutes. */

import type { BoardAddress } from '../address/board-address.ts';
import { cookieText, cookieValues, cookiesWithPrefix, setCookie } from '../session/cookies.ts';
import type { Exchange } from '../exchange.ts';
import { boardHome } from '../address/return-to.ts';
import { createSealer, sealedLimit, type Sealer } from '../session/sealing.ts';
import type { CookieSettings } from '../settings.ts';
import type { OidcSettings } from './oidc-settings.ts';

/** Maximum duration of a login in seconds. */
export const longestLogin = 600;

/** Maximum number of pending logins per browser: each restored tab starts one. */
const mostLogins = 5;

/** Maximum total length of these cookies in characters: Node rejects requests with headers over 16 KiB. */
const mostCharacters = 6_000;

/** Number of characters of the state in the cookie name. The rest, 184 random bits, is in the value. */
const labelLength = 12;

export interface Flow {
  readonly v: 1;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  /** Redirect URI of the authorize request; the code exchange must send the same one. */
  readonly redirectUri: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

function readFlow(value: unknown): Flow | null {
  if (typeof value !== 'object' || value === null) return null;
  const found = value as Partial<Record<keyof Flow, unknown>>;
  const { v, state, nonce, verifier, returnTo, redirectUri, exp } = found;
  if (v !== 1 || typeof exp !== 'number' || exp * 1000 <= Date.now()) return null;
  const texts = [state, nonce, verifier, returnTo, redirectUri];
  return texts.every((text) => typeof text === 'string') ? (value as Flow) : null;
}

/** The cookies of pending logins. Their names contain part of the state, so that tabs do not interfere. */
export class FlowCookies {
  readonly #cookie: CookieSettings;
  readonly #address: BoardAddress;
  readonly #prefix: string;
  readonly #sealer: Sealer;

  constructor(cookie: CookieSettings, { issuer, clientId }: OidcSettings, address: BoardAddress) {
    this.#cookie = cookie;
    this.#address = address;
    this.#prefix = `${cookie.name}_flow_`;
    this.#sealer = createSealer(cookie.secrets, `oidc login ${JSON.stringify([issuer, clientId])}`);
  }

  /** Stores a login; replaces the oldest ones when there are too many. */
  async write(exchange: Exchange, flow: Flow): Promise<void> {
    let sealed = await this.#sealer.seal(flow);
    if (sealed.length > sealedLimit) {
      sealed = await this.#sealer.seal({ ...flow, returnTo: boardHome(exchange.basePath) });
    }
    const others = cookiesWithPrefix(exchange.req, this.#prefix);
    let characters = sealed.length;
    for (const { value } of others) characters += value.length;
    for (const [index, { name, value }] of others.entries()) {
      const kept = others.length - index;
      if (kept < mostLogins && characters <= mostCharacters) break;
      characters -= value.length;
      this.#set(exchange, name, '', 0);
    }
    this.#set(exchange, this.#nameOf(flow.state), sealed, longestLogin);
  }

  /** Returns the login of a state and removes its cookie; `null` if this browser has none. */
  async take(exchange: Exchange, state: string): Promise<Flow | null> {
    if (!/^[\w-]{43}$/.test(state)) return null;
    const name = this.#nameOf(state);
    for (const sealed of cookieValues(exchange.req, name)) {
      const flow = readFlow(await this.#sealer.open(sealed));
      this.#set(exchange, name, '', 0);
      if (flow?.state === state) return flow;
    }
    return null;
  }

  #nameOf(state: string): string {
    return this.#prefix + state.slice(0, labelLength);
  }

  #set({ req, res, basePath }: Exchange, name: string, value: string, maxAgeSeconds: number): void {
    const secure = this.#cookie.secure ?? this.#address.secure(req);
    const attributes = { name, path: basePath || '/', sameSite: 'Lax' } as const;
    setCookie(res, cookieText(attributes, value, { maxAgeSeconds, secure }));
  }
}
