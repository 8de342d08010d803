/** The disconnect of a client, seen at Node's response. */

import type { QuerySource } from '../../rules/index.ts';

/** The part of a response that tells of a disconnect. */
export interface ClosableResponse {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/**
 * The disconnect of a client, with the members of an `AbortSignal` that reads use. It costs a listener, where a signal
 * costs several times as much at every request.
 */
export class ClientGone {
  readonly #response: ClosableResponse;
  readonly #leave: () => void;
  #listeners: readonly (() => void)[] = none;
  /** Made for a source that needs a signal, and when the client leaves. */
  #controller: AbortController | undefined;

  /** Watches the response until `end`. */
  constructor(response: ClosableResponse) {
    this.#response = response;
    // An engine may create a function that is written into a property where old objects are, and keep all that it refers
    // to, such as the response, until a full collection of garbage.
    const leave = (): void => this.#left();
    this.#leave = leave;
    response.once('close', leave);
    // A client that disconnected before this point causes no further event.
    if (response.closed) this.#left();
  }

  /** Whether the client has left. */
  get aborted(): boolean {
    return this.#controller?.signal.aborted ?? false;
  }

  /** The reason of `signal`. */
  get reason(): unknown {
    return this.#controller?.signal.reason;
  }

  /** A signal that is aborted when the client leaves. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  /** @throws {unknown} the reason when the client has left */
  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(_event: 'abort', listener: () => void): void {
    this.#listeners = [...this.#listeners, listener];
  }

  removeEventListener(_event: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners.filter((each) => each !== listener);
  }

  /** Ends the watch. */
  end(): void {
    this.#response.off('close', this.#leave);
  }

  #left(): void {
    this.#controller ??= new AbortController();
    this.#controller.abort();
    for (const listener of this.#listeners) listener();
  }
}

const none: readonly (() => void)[] = [];

/** The signal for a read: the disconnect itself where the source needs no more of a signal than it has. */
export function signalFor(
  { usesBasicSignal = false }: Pick<QuerySource, 'usesBasicSignal'>,
  gone: ClientGone | AbortSignal,
): AbortSignal {
  if (gone instanceof AbortSignal) return gone;
  return usesBasicSignal ? (gone as unknown as AbortSignal) : gone.signal;
}
