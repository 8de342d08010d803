/** Sessions that were ended before their time: by a logout, or by the provider. */

import { createHash, randomBytes } from 'node:crypto';
import { ExpiringCache } from '../lib/index.ts';
import type { AuthStore } from './store/store.ts';

/** What tells one session from another. */
export interface SessionMarks {
  /** Random, the same for every form that the session takes. Absent in sessions of an older version. */
  readonly id?: string | undefined;
  /** The provider's name for the user. */
  readonly sub?: string | undefined;
  /** The provider's name for its own session. */
  readonly sid?: string | undefined;
  /** Seconds since 1970 of the login. */
  readonly since: number;
}

/** Milliseconds for which an instance takes a session that it asked about for a good one. */
const trustedFor = 5_000;

/** How many sessions are remembered, in each of two generations. */
const remembered = 1_000;

/** The mark of a new session. */
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

  /** @param purpose what the sessions are for: another board in the same store has other sessions. */
  constructor(settings: {
    readonly store: AuthStore;
    /** Whether other instances end sessions in the store too. */
    readonly shared: boolean;
    readonly purpose: string;
    /** How long a session may live. */
    readonly maxAgeSeconds: number;
  }) {
    this.#store = settings.store;
    this.#shared = settings.shared;
    this.#purpose = settings.purpose;
    this.#seconds = settings.maxAgeSeconds;
  }

  /** A number that changes whenever this process ends a session: what was found before is asked again. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Seconds since 1970 until which a session that is good now is taken for one. */
  trustedUntil(exp: number): number {
    return this.#shared ? Math.min(exp, (Date.now() + trustedFor) / 1000) : exp;
  }

  /** Ends one session, in every instance. */
  async end({ id }: SessionMarks): Promise<void> {
    if (id !== undefined) await this.#set('id', id, Date.now() / 1000);
  }

  /** Ends the sessions that began before a time, in seconds since 1970, with this session of the provider. */
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
    if (id !== undefined && this.#good.get(id) === this.#epoch) return false;
    const marks = Object.entries({ id, sid, sub }).filter(([, mark]) => mark !== undefined);
    const found = await Promise.all(
      marks.map(([kind, mark]) => this.#store.get(this.#key(kind, String(mark)))),
    );
    if (found.some((before) => before !== null && Math.floor(since) <= Number(before))) return true;
    if (id !== undefined) this.#good.set(id, this.#epoch, Date.now() + trustedFor);
    return false;
  }

  async #set(kind: string, mark: string, before: number): Promise<void> {
    // At once in this process, also where the store fails.
    this.#epoch += 1;
    await this.#store.set(this.#key(kind, mark), String(before), this.#seconds);
  }

  #key(kind: string, mark: string): string {
    const digest = createHash('sha256').update(JSON.stringify([this.#purpose, kind, mark]));
    return `ended:${digest.digest('base64url')}`;
  }
}
