/** A cookie whose value is sealed: read, written, removed, and remembered once it was opened. */

import type { IncomingMessage } from 'node:http';
import type { BoardAddress } from './board-address.ts';
import { cookieText, cookieValues, setCookie } from './cookies.ts';
import type { CookieAttributes } from './cookies.ts';
import type { Exchange } from './exchange.ts';
import { ExpiringCache } from '../lib/index.ts';
import { addLateCookie } from './late-cookie.ts';
import { createSealer, sealedLimit } from './sealing.ts';

/** How many opened sessions are remembered, in each of two generations. */
const remembered = 500;

/** Milliseconds that an opened session is remembered at most. */
const rememberedFor = 3_600_000;

export interface SealedCookieSettings extends Omit<CookieAttributes, 'path'> {
  readonly secret: string;
  /** What is sealed and for whom: another strategy, provider or client opens nothing. */
  readonly purpose: string;
  readonly maxAgeSeconds: number;
  /** Whether only https carries the cookie; `null` decides by the address of each request. */
  readonly secure: boolean | null;
  readonly address: BoardAddress;
}

/** A cookie that was found and opened. */
export interface Opened<Content> {
  readonly sealed: string;
  readonly content: Content;
}

/** What every sealed cookie says of itself. */
export interface Expiring {
  /** Seconds since 1970 after which the content is not good as it is. */
  readonly exp: number;
}

export class SealedCookie<Content extends Expiring> {
  readonly #settings: SealedCookieSettings;
  readonly #attributes: Omit<CookieAttributes, 'path'>;
  readonly #sealer: ReturnType<typeof createSealer>;
  readonly #read: (value: unknown) => Content | null;
  readonly #opened = new ExpiringCache<Opened<Content>>(remembered);

  /** `read` holds what was opened against the present form of the content. */
  constructor(settings: SealedCookieSettings, read: (value: unknown) => Content | null) {
    const { name, sameSite } = settings;
    this.#settings = settings;
    this.#attributes = { name, sameSite };
    this.#sealer = createSealer(settings.secret, settings.purpose);
    this.#read = read;
  }

  /**
   * The first cookie of the name that opens, one that has not expired before others; `null` where none opens,
   * `undefined` where there is none.
   */
  async find(req: IncomingMessage): Promise<Opened<Content> | null | undefined> {
    const values = cookieValues(req, this.#attributes.name);
    let expired: Opened<Content> | null = null;
    for (const sealed of values) {
      const opened = this.#opened.get(sealed) ?? (await this.#open(sealed));
      if (opened === null) continue;
      if (opened.content.exp * 1000 > Date.now()) return opened;
      expired ??= opened;
    }
    return values.length === 0 ? undefined : expired;
  }

  async #open(sealed: string): Promise<Opened<Content> | null> {
    const content = this.#read(await this.#sealer.open(sealed));
    if (content === null) return null;
    const opened = { sealed, content };
    const until = Math.min(Date.now() + rememberedFor, content.exp * 1000);
    if (until > Date.now()) this.#opened.set(sealed, opened, until);
    return opened;
  }

  /** The sealed value, or `null` when a cookie cannot hold it. */
  async seal(content: Content): Promise<string | null> {
    const sealed = await this.#sealer.seal(content);
    return sealed.length <= sealedLimit ? sealed : null;
  }

  /** Sets the cookie on an answer of the middleware. */
  write(exchange: Exchange, sealed: string): void {
    setCookie(exchange.res, this.#text(exchange, sealed, this.#settings.maxAgeSeconds));
  }

  /** Sets the cookie on the answer that the handler behind the middleware gives, whatever headers it writes. */
  writeLate(exchange: Exchange, sealed: string): void {
    this.write(exchange, sealed);
    addLateCookie(exchange.res, this.#text(exchange, sealed, this.#settings.maxAgeSeconds));
  }

  clear(exchange: Exchange): void {
    setCookie(exchange.res, this.#text(exchange, '', 0));
  }

  #text({ req, basePath }: Exchange, value: string, maxAgeSeconds: number): string {
    const secure = this.#settings.secure ?? this.#settings.address.secure(req);
    const attributes = { ...this.#attributes, path: basePath || '/' };
    return cookieText(attributes, value, { maxAgeSeconds, secure });
  }
}
