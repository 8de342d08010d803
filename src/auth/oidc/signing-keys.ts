/** Cache of the provider's signing keys, revalidated in the background, with a version number. */

import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { AuthProviderError } from '../auth-error.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { reasonOf } from './provider-failure.ts';

/** Milliseconds after which the keys are revalidated in the background, while requests use the cached keys. */
const revalidateAfter = 30_000;

/** Milliseconds after which requests wait for revalidation: the maximum time that a withdrawn key is accepted. */
const freshFor = 60_000;

/** Milliseconds for which cached keys are used while the provider is unavailable. */
const staleFor = 600_000;

/** Milliseconds that a request waits for newer keys when there are cached ones. */
const longestWait = 1_000;

/** Milliseconds between two requests after an unknown key or a failed request. */
const cooldown = 1_000;

const timeout = 5_000;

interface KeySet {
  readonly text: string;
  readonly find: JWTVerifyGetKey;
  /** Time of the request to the provider, in milliseconds since 1970. */
  readonly at: number;
}

export class SigningKeys {
  readonly #address: URL;
  #last: KeySet | null = null;
  #generation = 0;
  #asking: Promise<KeySet> | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(address: URL) {
    this.#address = address;
  }

  /** Version of the keys for tokens verified now; `null` when they must be revalidated first. */
  get generation(): number | null {
    return this.#age() <= freshFor ? this.#generation : null;
  }

  /**
   * Returns the key of a token, for `jwtVerify`.
   *
   * @throws {AuthProviderError} AUTH_PROVIDER_UNAVAILABLE when the keys cannot be had
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const known = await this.#usable();
    try {
      return await known.find(header, token);
    } catch (error) {
      // An unknown key may be new.
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.#isCoolingDown()) throw error;
      const newer = await this.#ask().catch(() => known);
      return newer.find(header, token);
    }
  };

  /**
   * Ensures that tokens can be verified before a single-use refresh token is spent.
   *
   * @throws {AuthProviderError} AUTH_PROVIDER_UNAVAILABLE when the keys cannot be had
   */
  async ready(): Promise<void> {
    await this.#usable();
  }

  /** Milliseconds since the keys were requested. */
  #age(): number {
    return this.#last === null ? Number.POSITIVE_INFINITY : since(this.#last.at);
  }

  #isCoolingDown(): boolean {
    return since(this.#askedAt) < cooldown;
  }

  async #usable(): Promise<KeySet> {
    const known = this.#last;
    const age = this.#age();
    if (known === null || age > staleFor) return this.#ask();
    if (age <= revalidateAfter || (this.#asking === null && this.#isCoolingDown())) return known;
    const asked = this.#ask().catch(() => known);
    return age <= freshFor ? known : Promise.race([asked, after(longestWait, known)]);
  }

  #ask(): Promise<KeySet> {
    if (this.#asking !== null) return this.#asking;
    this.#askedAt = Date.now();
    this.#asking = this.#fetch().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #fetch(): Promise<KeySet> {
    const at = Date.now();
    try {
      const response = await boundedFetch(this.#address.href, {
        headers: { accept: 'application/json, application/jwk-set+json' },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      });
      if (response.status !== 200) throw new AuthProviderError('keys', `status ${response.status}`);
      const text = await response.text();
      // A maintenance page with status 200 is not a key set and must not replace the keys.
      const find = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
      if (text !== this.#last?.text) this.#generation += 1;
      this.#last = { text, find, at };
      return this.#last;
    } catch (error) {
      throw error instanceof AuthProviderError
        ? error
        : new AuthProviderError('keys', reasonOf(error));
    }
  }
}

/** Milliseconds since a time; infinite when the clock was set back behind it. */
function since(time: number): number {
  const passed = Date.now() - time;
  return passed < 0 ? Number.POSITIVE_INFINITY : passed;
}

/** Resolves to a value after a delay in milliseconds, without keeping the process alive. */
function after<Value>(milliseconds: number, value: Value): Promise<Value> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds, value).unref();
  });
}
