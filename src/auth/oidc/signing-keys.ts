/** The provider's signing keys, kept by `jose`, with a number that changes when they do. */

import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors } from 'jose';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { AuthProviderError } from '../auth-error.ts';
import { reasonOf } from './provider-failure.ts';

/** Milliseconds after which the keys are asked for again: as long as a key that was withdrawn may still count. */
const freshFor = 60_000;

/** Milliseconds that must pass before a key that is not known makes the keys be asked for again. */
const cooldown = 1_000;

/** Milliseconds for which a provider that is down is stood in for by what it last said. */
const staleFor = 600_000;

const timeout = 5_000;

export class SigningKeys {
  readonly #set: ReturnType<typeof createRemoteJWKSet>;
  #last: { readonly text: string; readonly at: number } | null = null;
  #generation = 0;

  constructor(address: URL) {
    this.#set = createRemoteJWKSet(address, {
      cacheMaxAge: freshFor,
      cooldownDuration: cooldown,
      timeoutDuration: timeout,
      [customFetch]: (url, options) => this.#fetch(url, options),
    });
  }

  /** What a verified token was verified under; `null` where the keys have to be asked for again first. */
  get generation(): number | null {
    return this.#set.fresh ? this.#generation : null;
  }

  /** The key of a token, for `jwtVerify`. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    try {
      return await this.#set(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || isAboutToken(error)) throw error;
      throw failure(error);
    }
  };

  /**
   * Makes sure that tokens can be verified, before something is given away for them that can be given once.
   *
   * @throws AuthProviderError when the keys cannot be had
   */
  async ready(): Promise<void> {
    if (this.#set.fresh) return;
    try {
      await this.#set.reload();
    } catch (error) {
      throw failure(error);
    }
  }

  async #fetch(url: string, options: RequestInit): Promise<Response> {
    try {
      const response = await fetch(url, options);
      if (response.status !== 200) throw new AuthProviderError('keys', `status ${response.status}`);
      const text = await response.text();
      // A page that says "maintenance" with status 200 must not take the place of the keys.
      createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
      if (text !== this.#last?.text) this.#generation += 1;
      this.#last = { text, at: Date.now() };
      return new Response(text);
    } catch (error) {
      if (this.#last === null || Date.now() - this.#last.at > staleFor) throw error;
      return new Response(this.#last.text);
    }
  }
}

function failure(error: unknown): AuthProviderError {
  return error instanceof AuthProviderError
    ? error
    : new AuthProviderError('keys', reasonOf(error));
}

/** Whether an error says something of the token, not of the keys. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JWSInvalid
  );
}
