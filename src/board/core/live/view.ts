/** The queues as senders of equal permissions see them, and the latest changes of them. */

import { LiveEvent, eventText } from './event.ts';

/** A listing of queues as one sender sees it. */
export interface ShownQueues {
  readonly queues: readonly { readonly name: string }[];
  /** The actions of the sender; absent where the host restricts none. */
  readonly allowed?: readonly string[];
}

/** Maximum number of changes that are kept for clients that come back, and maximum of their bytes. */
const mostKept = 100;
const mostBytes = 4 * 1024 * 1024;

export class LiveView {
  /** Identifies the permissions of its senders. */
  #key: string;
  readonly #prefix: string;
  /** Each queue as JSON, in the order of the listing. */
  #queues: ReadonlyMap<string, string> = new Map();
  #allowed = '';
  #sequence = 0;
  #kept: LiveEvent[] = [];
  #keptBytes = 0;
  #snapshot: LiveEvent | undefined;
  #isRenamed = false;

  /** @param id Distinguishes the ids of its events from those of other views, and of other processes. */
  constructor(key: string, id: string) {
    this.#key = key;
    this.#prefix = `${id}.`;
  }

  get key(): string {
    return this.#key;
  }

  /** Whether it still holds what its senders saw before, which others who will see the same must not get. */
  get isOutdated(): boolean {
    return this.#isRenamed;
  }

  /**
   * Its senders now see something else, all of them the same. Others who will see that too must not get the changes from
   * before, so that these are forgotten with the next update.
   */
  rename(key: string): void {
    this.#key = key;
    this.#isRenamed = true;
  }

  /** Takes over a listing. The event that tells of the changes; undefined if there are none. */
  update(shown: ShownQueues): LiveEvent | undefined {
    const event = this.#take(shown);
    if (this.#isRenamed) {
      this.#isRenamed = false;
      this.#kept = [];
      this.#keptBytes = 0;
    }
    return event;
  }

  #take({ queues, allowed }: ShownQueues): LiveEvent | undefined {
    const next = new Map(queues.map((queue) => [queue.name, JSON.stringify(queue)]));
    const changed = [...next].filter(([name, text]) => this.#queues.get(name) !== text);
    const removed = [...this.#queues.keys()].filter((name) => !next.has(name));
    const allowedText = allowed ? `,"allowed":${JSON.stringify(allowed)}` : '';
    if (changed.length === 0 && removed.length === 0 && allowedText === this.#allowed) {
      return undefined;
    }
    this.#queues = next;
    this.#allowed = allowedText;
    this.#sequence += 1;
    this.#snapshot = undefined;
    const texts = changed.map(([, text]) => text).join();
    const data = `{"changed":[${texts}],"removed":${JSON.stringify(removed)}${allowedText}}`;
    const event = this.#event('diff', data);
    this.#keep(event);
    return event;
  }

  /** The whole listing, as of the last update. */
  snapshot(): LiveEvent {
    const texts = [...this.#queues.values()].join();
    this.#snapshot ??= this.#event('snapshot', `{"queues":[${texts}]${this.#allowed}}`);
    return this.#snapshot;
  }

  /** The changes since the event of an id; undefined if it is not of this view or too old. */
  since(id: string | undefined): readonly LiveEvent[] | undefined {
    if (!id?.startsWith(this.#prefix)) return undefined;
    const text = id.slice(this.#prefix.length);
    const last = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    const missed = this.#sequence - last;
    if (!(missed >= 0) || missed > this.#kept.length) return undefined;
    return missed === 0 ? [] : this.#kept.slice(-missed);
  }

  #event(name: string, data: string): LiveEvent {
    return new LiveEvent(eventText(name, data, this.#prefix + this.#sequence), this.#sequence);
  }

  #keep(event: LiveEvent): void {
    this.#kept.push(event);
    this.#keptBytes += event.bytes.byteLength;
    while (this.#kept.length > mostKept || this.#keptBytes > mostBytes) {
      this.#keptBytes -= this.#kept.shift()?.bytes.byteLength ?? 0;
    }
  }
}
