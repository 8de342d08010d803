/** Counts wrong tokens of the login form by client, across all instances. */

import { createHash } from 'node:crypto';
import type { AuthRequest } from '../web.ts';
import type { LoginLimit } from '../options.ts';
import type { AuthStore } from '../store/store.ts';

const usual: LoginLimit = { failures: 10, seconds: 60 };

/**
 * A store has no counter, only `claim`: each failure claims the next free slot, and a client whose last slot is taken
 * must wait until the first one expires.
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

  async isLimited(req: AuthRequest): Promise<boolean> {
    return (await this.#store.get(this.#place(req, this.#limit.failures))) !== null;
  }

  /** Counts a failure. */
  async count(req: AuthRequest): Promise<void> {
    for (let place = 1; place <= this.#limit.failures; place += 1) {
      if (await this.#store.claim(this.#place(req, place), this.#limit.seconds)) return;
    }
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
