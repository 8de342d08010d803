/** A sealed cookie: reading, writing, removal, and a cache of decrypted values. */

import type { AuthRequest } from '../web.ts';
import type { BoardAddress } from '../address/board-address.ts';
import { cookieText, cookieValues, setCookie, type CookieAttributes } from './cookies.ts';
import type { Exchange } from '../exchange.ts';
import { ExpiringCache } from '../../lib/index.ts';
import { addLateCookie } from './late-cookie.ts';
import { joinedValues, partName, splitValue } from './cookie-parts.ts';
import { createSealer, sealedLimit } from './sealing.ts';
import type { SealedStore } from './sealed-store.ts';

/** Number of cached sessions in each of two generations. */
const remembered = 500;

/** Maximum time of a session in the cache, in milliseconds. */
const rememberedFor = 3_600_000;

interface SealedCookieSettings extends Omit<CookieAttributes, 'path'> {
  readonly secrets: readonly string[];
  /** Purpose of the sealed values: another strategy, provider or client cannot open them. */
  readonly purpose: string;
  readonly maxAgeSeconds: number;
  /** Whether the cookie is `Secure`; `null` depends on the URL of each request. */
  readonly secure: boolean | null;
  /** Maximum number of cookies that a value may be split over. */
  readonly parts: number;
  readonly address: BoardAddress;
  /** Where values lie whose cookies are ids; `null` seals them into the cookie. */
  readonly kept: SealedStore | null;
}

/** A cookie that was found and decrypted. */
export interface Opened<Content> {
  readonly sealed: string;
  readonly content: Content;
}

/** How the content is read. */
interface ContentForm<Content> {
  /** Reads the content of a decrypted value, if it has the current form. */
  read(value: unknown): Content | null;
  /** Time in seconds since 1970 after which the content is not valid without renewal. */
  goodUntil(content: Content): number;
}

export class SealedCookie<Content extends object> {
  readonly #settings: SealedCookieSettings;
  readonly #sealer: ReturnType<typeof createSealer>;
  readonly #form: ContentForm<Content>;
  readonly #limit: number;
  readonly #opened = new ExpiringCache<Opened<Content>>(remembered);

  constructor(settings: SealedCookieSettings, form: ContentForm<Content>) {
    this.#settings = settings;
    this.#form = form;
    this.#limit = sealedLimit * settings.parts;
    this.#sealer = createSealer(settings.secrets, settings.purpose, this.#limit);
  }

  /**
   * Returns the first cookie of the name that can be opened, preferring one that has not expired; `null` if none can be
   * opened, `undefined` if there is none.
   */
  async find(req: AuthRequest): Promise<Opened<Content> | null | undefined> {
    const values = joinedValues(req, this.#settings.name, this.#settings.parts);
    let expired: Opened<Content> | null = null;
    for (const sealed of values) {
      const opened = await this.open(sealed);
      if (opened === null) continue;
      if (this.#form.goodUntil(opened.content) * 1000 > Date.now()) return opened;
      expired ??= opened;
    }
    return values.length === 0 ? undefined : expired;
  }

  /** Returns all cookies of the name that can be opened: a browser may have several, for different paths. */
  async all(req: AuthRequest): Promise<readonly Opened<Content>[]> {
    const values = joinedValues(req, this.#settings.name, this.#settings.parts);
    const opened = await Promise.all(values.map((sealed) => this.open(sealed)));
    return opened.filter((one) => one !== null);
  }

  /**
   * Returns the content of a sealed value, or of one that is stored under this id; `null` if there is none.
   *
   * @throws {AuthStoreError} AUTH_STORE_UNAVAILABLE when the store is needed and does not answer
   */
  async open(sealed: string): Promise<Opened<Content> | null> {
    const known = this.#opened.get(sealed);
    if (known !== undefined) return known;
    const { kept } = this.#settings;
    const found = kept?.isId(sealed) ? await kept.open(sealed) : await this.#sealer.open(sealed);
    const content = this.#form.read(found);
    if (content === null) return null;
    const opened = { sealed, content };
    const until = Math.min(Date.now() + rememberedFor, this.#form.goodUntil(content) * 1000);
    if (until > Date.now()) this.#opened.set(sealed, opened, until);
    return opened;
  }

  /**
   * Returns the sealed value, or the id under which it is stored; `null` when it does not fit into the cookies. A value
   * that fits is sealed into them while the store is away, so that a refreshed session is not lost.
   *
   * @throws {AuthStoreError} AUTH_STORE_UNAVAILABLE when the store does not answer and the value does not fit
   */
  async seal(content: object): Promise<string | null> {
    const { kept } = this.#settings;
    if (kept === null) return this.#fitting(content);
    try {
      return await kept.seal(content);
    } catch (error) {
      const fitting = await this.#fitting(content);
      if (fitting === null) throw error;
      return fitting;
    }
  }

  async #fitting(content: object): Promise<string | null> {
    const sealed = await this.#sealer.seal(content);
    return sealed.length <= this.#limit ? sealed : null;
  }

  /** Takes the stored values of a request out of the store; they are not valid any more in any case. */
  async forget(req: AuthRequest): Promise<void> {
    const { kept, name, parts } = this.#settings;
    for (const value of joinedValues(req, name, parts)) {
      this.#opened.delete(value);
      if (kept?.isId(value)) await kept.forget(value);
    }
  }

  /** Sets the cookie on a response of the middleware. */
  write(exchange: Exchange, sealed: string): void {
    for (const text of this.#texts(exchange, sealed)) setCookie(exchange.res, text);
  }

  /** Sets the cookie on the response of the handler behind the middleware, regardless of the headers it writes. */
  writeLate(exchange: Exchange, sealed: string): void {
    this.write(exchange, sealed);
    for (const text of this.#texts(exchange, sealed)) addLateCookie(exchange.res, text);
  }

  clear(exchange: Exchange): void {
    this.write(exchange, '');
  }

  /** Creates the cookies of a value; leftover parts of an earlier, longer value are removed. */
  #texts({ req, basePath }: Exchange, sealed: string): string[] {
    const { name, sameSite, parts, maxAgeSeconds, address } = this.#settings;
    const secure = this.#settings.secure ?? address.secure(req);
    const text = (own: string, value: string): string =>
      cookieText({ name: own, sameSite, path: basePath || '/' }, value, {
        maxAgeSeconds: value === '' ? 0 : maxAgeSeconds,
        secure,
      });
    const values = splitValue(sealed);
    const texts = values.map((value, index) => text(partName(name, index), value));
    for (let index = values.length; index < parts; index += 1) {
      const own = partName(name, index);
      if (cookieValues(req, own).length > 0) texts.push(text(own, ''));
    }
    return texts;
  }
}
