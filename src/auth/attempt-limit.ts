/** Limits wrong tokens and passwords by client. */

import { createHash, randomBytes } from 'node:crypto';
import { ExpiringCache } from '../lib/index.ts';
import { clientOf } from './address/client-address.ts';
import type { LoginLimit } from './options.ts';
import { canBeGuessed } from './secret-strength.ts';
import { memoryAuthStore } from './store/memory.ts';
import type { AuthStore } from './store/store.ts';
import type { AuthRequest } from './web.ts';

const usual: LoginLimit = { failures: 10, seconds: 60 };

/** Number of entries that a process keeps in each of two generations: clients without credentials cause them. */
const remembered = 10_000;

/** Settings of a limit. */
interface LimitSettings {
  readonly loginLimit?: LoginLimit | undefined;
  readonly trustProxy?: number | undefined;
}

/**
 * A failure takes one of the client's places until it expires. Without a free one, a secret that can be guessed is
 * refused unseen; one that cannot be guessed is still compared, so that nobody who shares an address with a guesser is
 * locked out.
 *
 * A store has no counter, only `claim`: an attempt claims the next free place. A store cannot remove a value either: a
 * success gives its place another name, which the next attempt finds free.
 */
export class AttemptLimiter {
  readonly #store: AuthStore;
  readonly #limit: LoginLimit;
  readonly #hops: number;

  /** @param store the store of all instances; by default the memory of this process */
  constructor({ loginLimit = usual, trustProxy = 0 }: LimitSettings, store?: AuthStore) {
    this.#store = store ?? memoryAuthStore(new ExpiringCache<string>(remembered));
    this.#limit = loginLimit;
    this.#hops = trustProxy;
  }

  /** Maximum wait of a client in seconds. */
  get seconds(): number {
    return this.#limit.seconds;
  }

  /** Makes an attempt of a login form, of which concurrent ones share the limit. */
  async login<Result>(
    req: AuthRequest,
    secret: string,
    attempt: () => Promise<Result | null>,
  ): Promise<Result | null | 'limited'> {
    if (!canBeGuessed(secret)) return this.request(req, [secret], attempt);
    const place = await this.#claim(req);
    if (place === null) return 'limited';
    let isFailure = false;
    try {
      const result = await attempt();
      isFailure = result === null;
      return result;
    } finally {
      if (!isFailure) await this.#name(place, randomBytes(9).toString('base64url'));
    }
  }

  /**
   * Makes the attempt of a request with credentials in headers, many of which may be good and concurrent. The result is
   * `null` where the attempt fails, and `'limited'` for a client that must wait.
   */
  async request<Result>(
    req: AuthRequest,
    secrets: readonly string[],
    attempt: () => Promise<Result | null>,
  ): Promise<Result | null | 'limited'> {
    if (secrets.some(canBeGuessed) && (await this.#isSpent(req))) return 'limited';
    const result = await attempt();
    return result ?? ((await this.#claim(req)) === null ? 'limited' : null);
  }

  async #isSpent(req: AuthRequest): Promise<boolean> {
    for (const place of this.#places(req)) {
      const name = await this.#store.get(place);
      if ((await this.#store.get(`${place}:${name ?? ''}`)) === null) return false;
    }
    return true;
  }

  async #claim(req: AuthRequest): Promise<string | null> {
    for (const place of this.#places(req)) {
      const name = await this.#store.get(place);
      if (!(await this.#store.claim(`${place}:${name ?? ''}`, this.#limit.seconds))) continue;
      // The name must last as long as the claim.
      if (name !== null) await this.#name(place, name);
      return place;
    }
    return null;
  }

  #name(place: string, name: string): Promise<void> {
    return this.#store.set(place, name, this.#limit.seconds);
  }

  #places(req: AuthRequest): string[] {
    const digest = createHash('sha256').update(clientOf(req, this.#hops)).digest('base64url');
    return Array.from(
      { length: this.#limit.failures },
      (_, index) => `login:${digest}:${index + 1}`,
    );
  }
}
