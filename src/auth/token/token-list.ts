/** The fixed tokens: compared by digest, each of them, in constant time. */

import { hash, timingSafeEqual } from 'node:crypto';

function digest(token: string): Buffer {
  return Buffer.from(hash('sha256', token, 'hex'), 'hex');
}

/** A list that follows the host's array. */
export class TokenList {
  readonly #tokens: readonly string[];
  #seen: readonly string[] = [];
  #digests: readonly Buffer[] = [];
  #version = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  /** A number that changes whenever the array does. */
  version(): number {
    if (!this.#unchanged()) {
      this.#seen = [...this.#tokens];
      // An entry that the host put there later and that is no token must not let anybody in.
      this.#digests = this.#seen
        .filter((token) => typeof token === 'string' && token !== '')
        .map(digest);
      this.#version += 1;
    }
    return this.#version;
  }

  /** Asked at every request: a loop that calls nothing. */
  #unchanged(): boolean {
    const now = this.#tokens;
    const seen = this.#seen;
    if (now.length !== seen.length) return false;
    for (let index = 0; index < now.length; index += 1) {
      if (now[index] !== seen[index]) return false;
    }
    return true;
  }

  /** Whether the token is one of the list. Takes the same time wherever the first difference is. */
  has(token: string): boolean {
    this.version();
    const presented = digest(token);
    let found = false;
    for (const known of this.#digests) found = timingSafeEqual(known, presented) || found;
    return found;
  }
}
