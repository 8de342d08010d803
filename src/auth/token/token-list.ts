/** The fixed tokens: a token is compared with the digest of each in constant time. */

import { hash, timingSafeEqual } from 'node:crypto';

function digest(token: string): Buffer {
  return Buffer.from(hash('sha256', token, 'hex'), 'hex');
}

/** A list that follows changes of the host's array. */
export class TokenList {
  readonly #tokens: readonly string[];
  #seen: readonly string[] = [];
  #digests: readonly Buffer[] = [];
  #version = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  /** Version number of the array, which changes with its content. */
  version(): number {
    if (!this.#unchanged()) {
      this.#seen = [...this.#tokens];
      // An invalid entry that the host added later must not give access.
      this.#digests = this.#seen
        .filter((token) => typeof token === 'string' && token !== '')
        .map(digest);
      this.#version += 1;
    }
    return this.#version;
  }

  /** Runs on every request, so it is a loop without function calls. */
  #unchanged(): boolean {
    const now = this.#tokens;
    const seen = this.#seen;
    if (now.length !== seen.length) return false;
    for (let index = 0; index < now.length; index += 1) {
      if (now[index] !== seen[index]) return false;
    }
    return true;
  }

  /** Whether the token is in the list. The time does not depend on the position of the first difference. */
  has(token: string): boolean {
    this.version();
    const presented = digest(token);
    let found = false;
    for (const known of this.#digests) found = timingSafeEqual(known, presented) || found;
    return found;
  }
}
