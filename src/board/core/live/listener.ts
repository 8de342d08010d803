/** One open stream: events wait here until the client takes them, and a slow client is told to begin again. */

import type { HookRequest } from '../request/request.ts';
import { LiveEvent, type LiveEncoding, eventText, heartbeat, openingOf } from './event.ts';
import type { LiveView } from './view.ts';

/** Maximum number of events that wait for a client, besides those that it begins with. */
const mostWaiting = 8;

const resync = new LiveEvent(eventText('resync', '{}'));

/** How long browsers wait before they connect again, in milliseconds. */
const retry = new LiveEvent('retry: 3000\n\n');

type Taken = IteratorResult<Uint8Array, undefined>;
const ended: Taken = { done: true, value: undefined };

export class LiveListener implements AsyncIterableIterator<Uint8Array, undefined> {
  /** The request as guards see it; another object after each new check, so that they are asked again. */
  request: HookRequest;
  /** When the sender was last checked, by `performance.now()`. */
  checkedAt = performance.now();
  view: LiveView;
  readonly #encoding: LiveEncoding;
  readonly #onEnd: () => void;
  readonly #most: number;
  #waiting: LiveEvent[];
  /** Set when events were dropped: the client gets a snapshot when it reads on. */
  #isBehind = false;
  #isEnding = false;
  #isOver = false;
  #hasBegun = false;
  #wake: (() => void) | undefined;

  constructor(
    request: HookRequest,
    view: LiveView,
    first: readonly LiveEvent[],
    encoding: LiveEncoding,
    onEnd: () => void,
  ) {
    this.request = request;
    this.view = view;
    this.#encoding = encoding;
    this.#onEnd = onEnd;
    this.#waiting = [retry, ...first];
    this.#most = first.length + mostWaiting;
  }

  /** Sends an event. Beyond the limit, the waiting ones are replaced by a resync. */
  push(event: LiveEvent): void {
    if (this.#isEnding || this.#isBehind) return;
    if (this.#waiting.length >= this.#most) {
      this.#waiting = [];
      this.#isBehind = true;
    } else this.#waiting.push(event);
    this.#wake?.();
  }

  /** Sends a comment, unless something else is about to be sent. */
  beat(): void {
    if (this.#waiting.length === 0 && !this.#isBehind) this.push(heartbeat);
  }

  /** Shows another view: its whole listing follows. */
  show(view: LiveView): void {
    this.view = view;
    this.push(view.snapshot());
  }

  /** Ends the stream after a last event, if there is one. */
  end(last?: LiveEvent): void {
    if (this.#isEnding) return;
    this.#isBehind = false;
    this.#waiting = last ? [last] : [];
    this.#isEnding = true;
    this.#onEnd();
    this.#wake?.();
  }

  async next(): Promise<Taken> {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      const [first] = this.#waiting.splice(0, 1);
      const bytes = first ? await first.in(this.#encoding) : new Uint8Array();
      return { done: false, value: Buffer.concat([openingOf(this.#encoding), bytes]) };
    }
    for (;;) {
      if (this.#isOver) return ended;
      const event = this.#take();
      if (event) return { done: false, value: await event.in(this.#encoding) };
      if (this.#isEnding) return ended;
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
  }

  /** Called when the client has disconnected, or the response is not sent at all. */
  async return(): Promise<Taken> {
    this.#isOver = true;
    this.end();
    return ended;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #take(): LiveEvent | undefined {
    if (!this.#isBehind) return this.#waiting.shift();
    this.#isBehind = false;
    // As of now: what changes from here on is sent again.
    this.#waiting = [this.view.snapshot()];
    return resync;
  }
}
