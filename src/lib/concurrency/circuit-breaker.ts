/**
 * Stops sending to a server that does not answer. A connection answers in order, so after a request that timed out no
 * answer can arrive until that request settles; further requests would only queue up behind it.
 */

import { TimeoutError, withTimeout } from './timeout.ts';

/** The request was not sent, because an earlier one is still unanswered. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';

  constructor() {
    super('The server does not answer.');
  }
}

/** The breaker of one connection: open from a timeout until the late request settles. */
export class CircuitBreaker {
  #late: Promise<unknown> | undefined;
  #lastAnswer = -Infinity;

  /** Whether requests are refused now. */
  get isOpen(): boolean {
    return this.#late !== undefined;
  }

  /** Whether a request was answered within the last `milliseconds`. */
  answeredWithin(milliseconds: number): boolean {
    return performance.now() - this.#lastAnswer <= milliseconds;
  }

  /**
   * Sends a request and waits for its answer, up to `milliseconds`.
   *
   * @throws {TimeoutError} when the answer does not arrive in time; the breaker is then open
   * @throws {CircuitOpenError} at once, when the breaker is open
   */
  async run<Answer>(request: () => Promise<Answer>, milliseconds: number): Promise<Answer> {
    if (this.isOpen) throw new CircuitOpenError();
    const sent = request();
    try {
      const answer = await withTimeout(sent, milliseconds);
      this.#lastAnswer = performance.now();
      return answer;
    } catch (error) {
      if (error instanceof TimeoutError) this.#openUntilSettled(sent);
      throw error;
    }
  }

  #openUntilSettled(sent: Promise<unknown>): void {
    this.#late = sent;
    const close = (): void => {
      if (this.#late === sent) this.#late = undefined;
    };
    sent.then(close, close);
  }
}
