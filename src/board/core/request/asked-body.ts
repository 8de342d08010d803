/** The body of a request as functions of the host see it: it is read when one of them looks at it. */

import type { ReadBody } from './request.ts';

/** Ends a call that looks at a body that has not been read; the function is called again with it. */
class BodyAwaited extends Error {
  constructor() {
    super('The body of the request is being read; the function that looked at it is called again.');
  }
}

/** A body that is read at most once. */
export class AskedBody {
  readonly #read: () => Promise<ReadBody>;
  #reading: Promise<ReadBody> | undefined;
  #isThere = false;
  #isAsking = false;
  #isWanted = false;
  #value: unknown;

  constructor(read: (() => Promise<ReadBody>) | undefined) {
    this.#read = read ?? (async () => ({ value: undefined }));
    this.#isThere = read === undefined;
  }

  /** The value, or what the host has put in its place. Within `during`, looking at an unread body ends the call. */
  get value(): unknown {
    if (!this.#isThere && this.#isAsking) {
      this.#isWanted = true;
      throw new BodyAwaited();
    }
    return this.#value;
  }

  set value(value: unknown) {
    this.#isThere = true;
    this.#value = value;
  }

  /** Reads the body, if that has not been done. */
  read(): Promise<ReadBody> {
    this.#reading ??= this.#read().then((body) => {
      if (!this.#isThere) this.value = 'value' in body ? body.value : undefined;
      return body;
    });
    return this.#reading;
  }

  /** Calls a function of the host; once more, with the body, when it has looked at the body before that was read. */
  async during(call: () => Promise<void>): Promise<void> {
    this.#isAsking = true;
    try {
      await call();
    } catch (error) {
      if (!this.#isWanted) throw error;
    } finally {
      this.#isAsking = false;
    }
    if (!this.#isWanted) return;
    this.#isWanted = false;
    await this.read();
    await call();
  }
}
