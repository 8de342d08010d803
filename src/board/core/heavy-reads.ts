/**
 * The budget of a board for reads that may be large: logs, data, flows and searches. They have connections of their own
 * where the library shares one with the host, run as short requests that take turns, and leave most of the event loop to
 * the host. A read that turns out to be large waits until one of few others has ended.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { BoundedCache, Semaphore, isRecord, sleep } from '../../lib/index.ts';
import { BoardError } from './board-error.ts';
import { SharedBody, jsonPieces } from './reply/shared-body.ts';

/** The cost from which on a read counts as large, in bytes; each request to the datastore costs its bytes and these. */
const [mostSmall, requestCost] = [256_000, 16_000];

/** Requests to a Redis, and large reads of the board, at a time; large reads that may wait, and milliseconds of waiting. */
const [mostRequests, mostLarge, mostWaiting, waitMs] = [2, 2, 50, 10_000];

/** Milliseconds of work after which a read rests, and how many times as long; after its end at most so many. */
const [sliceMs, restFactor, mostRestMs] = [0.5, 3, 1_000];

/** Reads of which it is known whether they are large. */
const mostKnown = 1_000;

/** Seconds after which a refused client may try again. */
const retryAfterSeconds = 3;

const refusal = (): BoardError =>
  new BoardError('READ_LIMIT', { headers: { 'retry-after': String(retryAfterSeconds) } });

/** The read that is being handled. */
const current = new AsyncLocalStorage<HeavyRead>();

/** The heavy read that this call belongs to; undefined for other requests. */
export const heavyRead = (): HeavyRead | undefined => current.getStore();

/** The costs of shared results. */
const costs = new WeakMap<object, number>();

/** The length of the texts of a reply, which is about that of its bytes. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  const parts = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  return parts.reduce((sum: number, part: unknown) => sum + sizeOf(part), 8);
}

/** One read, from its permission to its answer. */
export class HeavyRead {
  /** The reads of its board. */
  readonly board: HeavyReads;
  readonly #admit: (ended: Promise<void>) => Promise<void>;
  readonly #signal: AbortSignal | undefined;
  readonly #ended: Promise<void>;
  #cost = 0;
  #admission: Promise<void> | undefined;
  readonly #startedAt = performance.now();
  #began = this.#startedAt;
  /** Milliseconds for which the read has waited so that others could go on. */
  waited = 0;
  /** Ends the read. */
  end: () => void = () => undefined;

  constructor(
    board: HeavyReads,
    admit: (ended: Promise<void>) => Promise<void>,
    signal: AbortSignal | undefined,
  ) {
    this.board = board;
    this.#admit = admit;
    this.#signal = signal;
    this.#ended = new Promise((resolve) => (this.end = resolve));
  }

  get isLarge(): boolean {
    return this.#cost > mostSmall;
  }

  /**
   * Sends a request to the datastore. A read that its reply makes large goes on as one of few.
   *
   * @throws {BoardError} READ_LIMIT when it would have to wait too long, or the client is gone
   */
  async request<Reply>(send: () => Promise<Reply>): Promise<Reply> {
    await this.rest();
    if (this.#signal?.aborted) throw refusal();
    const reply = await send();
    this.#began = performance.now();
    this.#cost += sizeOf(reply) + requestCost;
    if (!this.isLarge) return reply;
    await this.admitted();
    // The client of the datastore has parsed the reply, which took a while too.
    await this.#pause(1);
    return reply;
  }

  /** The same for the only request of a read, which waits before it where the last one under this key was large. */
  async single<Reply>(key: string, send: () => Promise<Reply>): Promise<Reply> {
    const { wereLarge } = this.board;
    if (wereLarge.get(key)) await this.admitted();
    const reply = await this.request(send);
    wereLarge.set(key, this.isLarge);
    return reply;
  }

  /** Leaves the event loop to others after some work. */
  async rest(): Promise<void> {
    const took = performance.now() - this.#began;
    if (took < sliceMs) return;
    if (this.isLarge) await this.#pause(took * restFactor);
    else await new Promise(setImmediate);
    this.#began = performance.now();
  }

  async #pause(milliseconds: number): Promise<void> {
    const began = performance.now();
    await sleep(milliseconds);
    this.#began = performance.now();
    this.waited += this.#began - began;
  }

  /** A result that several reads share costs each of them as much as the first. */
  counted<Value extends object>(shared: Value): Value {
    const cost = costs.get(shared);
    if (cost === undefined) costs.set(shared, this.#cost);
    else this.#cost = Math.max(this.#cost, cost);
    return shared;
  }

  /** The answer, as a body that is made in pieces if it is large. */
  async body<Value>(value: Value | SharedBody<Value>): Promise<Value | SharedBody<Value>> {
    if (!this.isLarge || value instanceof SharedBody) return value;
    return this.text(jsonPieces(value));
  }

  /** The answer of a JSON text in pieces. */
  async text<Value>(pieces: Iterable<string>): Promise<SharedBody<Value>> {
    if (!this.isLarge) return new SharedBody([...pieces].join(''));
    await this.admitted();
    return SharedBody.of<Value>(pieces, () => this.rest());
  }

  /** Resolves when the read may go on as a large one. */
  async admitted(): Promise<void> {
    if (this.#admission) return this.#admission;
    const began = performance.now();
    await (this.#admission = this.#admit(this.#rested()));
    this.waited += performance.now() - began;
  }

  /** Resolves some time after the end, so that large reads one after another leave the datastore to others as well. */
  async #rested(): Promise<void> {
    await this.#ended;
    const took = performance.now() - this.#startedAt - this.waited;
    await sleep(Math.min(took * restFactor, mostRestMs));
  }
}

/** A read that several clients wait for. */
interface SharedRead {
  readonly result: Promise<unknown>;
  readonly gone: AbortController;
  readers: number;
}

/** Sends a request when it has its turn. */
export type InTurn = (send: () => Promise<unknown>) => Promise<unknown>;

/** The heavy reads of one board. */
export class HeavyReads {
  readonly #large = new Semaphore(mostLarge);
  readonly #shared = new Map<string, SharedRead>();
  /** Whether reads of one request were large, by what they read. */
  readonly wereLarge = new BoundedCache<string, boolean>(mostKnown);
  readonly #ends: (() => void)[] = [];
  #waiting = 0;

  /** Runs a read within the budget. It stops at its next request when the signal is aborted. */
  async run<Value>(
    read: (heavy: HeavyRead) => Promise<Value | SharedBody<Value>>,
    signal?: AbortSignal,
  ): Promise<Value | SharedBody<Value>> {
    const admit = (ended: Promise<void>): Promise<void> => this.#admitted(ended);
    const heavy = new HeavyRead(this, admit, signal);
    try {
      return await current.run(heavy, async () => heavy.body<Value>(await read(heavy)));
    } finally {
      heavy.end();
    }
  }

  /**
   * Runs a read once for all who ask for the same at a time. It stops when all of them have gone; without a signal, it
   * goes on, because others may use a part of it.
   */
  async shared<Value>(
    key: string,
    read: (heavy: HeavyRead) => Promise<Value | SharedBody<Value>>,
    signal?: AbortSignal,
  ): Promise<Value | SharedBody<Value>> {
    let shared = this.#shared.get(key);
    if (!shared) {
      const gone = new AbortController();
      shared = { result: this.run(read, gone.signal), gone, readers: 0 };
      this.#shared.set(key, shared);
    }
    const { result, gone } = shared;
    const joined = shared;
    const forget = (): void => {
      if (this.#shared.get(key) === joined) this.#shared.delete(key);
    };
    const leave = (): void => {
      joined.readers -= 1;
      if (joined.readers > 0) return;
      forget();
      gone.abort();
    };
    joined.readers += 1;
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    try {
      return (await result) as Value | SharedBody<Value>;
    } finally {
      signal?.removeEventListener('abort', leave);
      forget();
    }
  }

  /** Turns of the requests to one Redis, so that one that is slow delays no other. */
  turns(): InTurn {
    const turns = new Semaphore(mostRequests);
    return (send) => turns.run(send, waitMs, refusal, null);
  }

  /** Calls the function when the board closes. */
  onClose(end: () => void): void {
    this.#ends.push(end);
  }

  /** Closes what the reads have opened. */
  close(): void {
    for (const end of this.#ends) end();
  }

  /** Resolves when one of the large reads may go on, which lasts until it has ended. */
  async #admitted(ended: Promise<void>): Promise<void> {
    if (this.#waiting >= mostWaiting) throw refusal();
    this.#waiting += 1;
    try {
      await new Promise<void>((resolve, reject) => {
        const hold = (): Promise<void> => {
          resolve();
          return ended;
        };
        this.#large.run(hold, waitMs, refusal, null).catch(reject);
      });
    } finally {
      this.#waiting -= 1;
    }
  }
}
