/** The provider's signing keys: used at once, revalidated in the background, with a number that changes when they do. */

import { createLocalJWKSet, errors } from 'jose';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { AuthProviderError } from '../auth-error.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { reasonOf } from './provider-failure.ts';

/** Milliseconds after which the keys are asked for again in the background, while requests use the known ones. */
const revalidateAfter = 30_000;

/** Milliseconds after which requests wait for the answer: as long as a key that was withdrawn may still count. */
const freshFor = 60_000;

/** Milliseconds for which the last known keys are used while the provider does not give them. */
const staleFor = 600_000;

/** Milliseconds that a request waits for newer keys where there are known ones. */
const longestWait = 1_000;

/** Milliseconds between two attempts, where a key is not known or the attempt before failed. */
const cooldown = 1_000;

const timeout = 5_000;

interface KeySet {
  readonly text: string;
  readonly find: JWTVerifyGetKey;
  /** Milliseconds since 1970 at which the provider was asked for it. */
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

  /** The state of the keys that a token was verified under; `null` where they have to be asked for again first. */
  get generation(): number | null {
    return this.#age() <= freshFor ? this.#generation : null;
  }

  /**
   * The key of a token, for `jwtVerify`.
   *
   * @throws {AuthProviderError} AUTH_PROVIDER_UNAVAILABLE when the keys cannot be had
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const known = await this.#usable();
    try {
      return await known.find(header, token);
    } catch (error) {
      // A key that is not known may be new.
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.#isCoolingDown()) throw error;
      const newer = await this.#ask().catch(() => known);
      return newer.find(header, token);
    }
  };

  /**
   * Makes sure that tokens can be verified, before a refresh token is spent that can be used once.
   *
   * @throws {AuthProviderError} AUTH_PROVIDER_UNAVAILABLE when the keys cannot be had
   */
  async ready(): Promise<void> {
    await this.#usable();
  }

  /** Milliseconds since the keys were asked for. */
  #age(): number {
    return this.#last === null ? Number.POSITIVE_INFINITY : Date.now() - this.#last.at;
  }

  #isCoolingDown(): boolean {
    return Date.now() - this.#askedAt < cooldown;
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
      // A page that says "maintenance" with status 200 must not replace the keys: it is not a key set.
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

/** A value after some milliseconds, without keeping the process alive for it. */
function after<Value>(milliseconds: number, value: Value): Promise<Value> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds, value).unref();
  });
}
