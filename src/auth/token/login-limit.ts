/** Counts wrong tokens of the login form by client, across all instances. */

import { createHash, randomBytes } from 'node:crypto';
import type { AuthRequest } from '../web.ts';
import type { LoginLimit } from '../options.ts';
import type { AuthStore } from '../store/store.ts';

const usual: LoginLimit = { failures: 10, seconds: 60 };

/**
 * A store has no counter, only `claim`: each attempt claims the next free slot before its token is checked, so that
 * concurrent attempts share the limit, and a failure keeps it. A client without a free slot must wait until one expires.
 * A store cannot remove a value either: a success gives its slot another name, which the next attempt finds free.
 */
export class LoginLimiter {
  readonly #store: AuthStore;
  readonly #limit: LoginLimit;
  readonly #trustProxy: boolean;

  constructor(store: AuthStore, limit: LoginLimit = usual, trustProxy = true) {
    this.#store = store;
    this.#limit = limit;
    this.#trustProxy = trustProxy;
  }

  /** Maximum wait of a client in seconds. */
  get seconds(): number {
    return this.#limit.seconds;
  }

  /** Makes an attempt, whose result is `null` where it fails; `'limited'` without an attempt for a client that must wait. */
  async attempt<Result>(
    req: AuthRequest,
    attempt: () => Promise<Result | null>,
  ): Promise<Result | null | 'limited'> {
    const slot = await this.#claim(req);
    if (slot === null) return 'limited';
    let isFailure = false;
    try {
      const result = await attempt();
      isFailure = result === null;
      return result;
    } finally {
      if (!isFailure) await this.#name(slot, randomBytes(9).toString('base64url'));
    }
  }

  async #claim(req: AuthRequest): Promise<string | null> {
    for (let place = 1; place <= this.#limit.failures; place += 1) {
      const slot = this.#place(req, place);
      const name = await this.#store.get(slot);
      if (!(await this.#store.claim(`${slot}:${name ?? ''}`, this.#limit.seconds))) continue;
      // The name must last as long as the claim.
      if (name !== null) await this.#name(slot, name);
      return slot;
    }
    return null;
  }

  #name(slot: string, name: string): Promise<void> {
    return this.#store.set(slot, name, this.#limit.seconds);
  }

  #place(req: AuthRequest, place: number): string {
    const digest = createHash('sha256').update(this.#clientOf(req)).digest('base64url');
    return `login:${digest}:${place}`;
  }

  /** Only the last item of `X-Forwarded-For` is written by the proxy; a client can forge the items before it. */
  #clientOf(req: AuthRequest): string {
    const forwarded = this.#trustProxy ? String(req.headers['x-forwarded-for'] ?? '') : '';
    return forwarded.split(',').at(-1)?.trim() || (req.socket.remoteAddress ?? '');
  }
}
