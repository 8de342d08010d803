/** Sessions ended before their expiry: by a logout, or by the provider. */

import { createHash, randomBytes } from 'node:crypto';
import { ExpiringCache, sleep } from '../../lib/index.ts';
import { memoryAuthStore } from '../store/memory.ts';
import type { AuthStore } from '../store/store.ts';

/** Identifies a session. */
interface SessionMarks {
  /** Random id that survives refresh and re-sealing. Absent in sessions of an older version. */
  readonly id?: string | undefined;
  /** The provider's id of the user (`sub`). */
  readonly sub?: string | undefined;
  /** The provider's id of its session (`sid`). */
  readonly sid?: string | undefined;
  /** Time of the login in seconds since 1970. */
  readonly since: number;
}

/** Milliseconds for which an instance caches a valid answer of the store about a session. */
const trustedFor = 5_000;

/** Number of cached sessions in each of two generations. */
const remembered = 1_000;

/** Seconds after which a comparison in the store that has not ended, as in an instance that stopped, holds up no other. */
const comparisonSeconds = 2;

export function newSessionId(): string {
  return randomBytes(16).toString('base64url');
}

export class Revocations {
  readonly #store: AuthStore;
  readonly #shared: boolean;
  readonly #purpose: string;
  readonly #seconds: number;
  readonly #good = new ExpiringCache<number>(remembered);
  #epoch = 0;

  constructor(settings: {
    /** Store in which other instances also end sessions; `null` without one. */
    readonly store: AuthStore | null;
    /** Purpose of the sessions: separates several boards in the same store. */
    readonly purpose: string;
    /** Maximum lifetime of a session. */
    readonly maxAgeSeconds: number;
  }) {
    this.#store = settings.store ?? memoryAuthStore();
    this.#shared = settings.store !== null;
    this.#purpose = settings.purpose;
    this.#seconds = settings.maxAgeSeconds;
  }

  /** Version number that changes when this process ends a session, which invalidates cached results. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Time in seconds since 1970 until which a session that is valid now is accepted without a check. */
  trustedUntil(exp: number): number {
    return this.#shared ? Math.min(exp, (Date.now() + trustedFor) / 1000) : exp;
  }

  /** Ends one session, in every instance. No other session has its id, so its beginning by another clock is irrelevant. */
  async end({ id }: SessionMarks): Promise<void> {
    if (id !== undefined) await this.#set('id', id, Number.POSITIVE_INFINITY);
  }

  /** Ends the sessions of a provider session that began before a time in seconds since 1970. */
  endProviderSession(sid: string, before: number): Promise<void> {
    return this.#set('sid', sid, before);
  }

  /** Ends all sessions of a user that began before a time, in seconds since 1970. */
  endUser(sub: string, before: number): Promise<void> {
    return this.#set('sub', sub, before);
  }

  /** Whether a session was ended. */
  async isEnded(session: SessionMarks): Promise<boolean> {
    const { id, sid, sub, since } = session;
    // As of before the reads: a session that ends during them is read again.
    const epoch = this.#epoch;
    if (id !== undefined && this.#good.get(id) === epoch) return false;
    const marks = Object.entries({ id, sid, sub }).filter(([, mark]) => mark !== undefined);
    const found = await Promise.all(
      marks.map(([kind, mark]) => this.#store.get(this.#key(kind, String(mark)))),
    );
    if (found.some((before) => before !== null && Math.floor(since) <= Number(before))) return true;
    if (id !== undefined) this.#good.set(id, epoch, Date.now() + trustedFor);
    return false;
  }

  async #set(kind: string, mark: string, before: number): Promise<void> {
    const key = this.#key(kind, mark);
    // Nothing cached counts from now on, so the store is asked; and again for what was read until the store had it.
    this.#epoch += 1;
    if (before === Number.POSITIVE_INFINITY) await this.#write(key, before);
    else await this.#raise(key, before);
    this.#epoch += 1;
  }

  #write(key: string, before: number): Promise<void> {
    return this.#store.set(key, String(before), this.#seconds);
  }

  /**
   * Keeps the latest time: an older logout may arrive after a newer one, or again. A store compares nothing, but `claim`
   * lets one of all instances compare at a time; a claim is freed within a second, since a store may know whole seconds only.
   */
  async #raise(key: string, before: number): Promise<void> {
    const claim = `${key}:claim`;
    const isKept = async (): Promise<boolean> => Number(await this.#store.get(key)) >= before;
    while (!(await isKept())) {
      if (await this.#store.claim(claim, comparisonSeconds)) {
        if (!(await isKept())) await this.#write(key, before);
        await this.#store.set(claim, '', 1);
        return;
      }
      await sleep(20);
    }
  }

  #key(kind: string, mark: string): string {
    const digest = createHash('sha256').update(JSON.stringify([this.#purpose, kind, mark]));
    return `ended:${digest.digest('base64url')}`;
  }
}
