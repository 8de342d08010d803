/** Connects a datastore, again and again until it answers, and then keeps its queues on the board. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isNetworkError } from '../../lib/index.ts';
import { describeError } from './describe-error.ts';
import type { QueueSync } from './queue-sync.ts';
import { MissingPackages } from './sources/packages.ts';
import type { ConnectedSource, Source } from './sources/source.ts';

/** Milliseconds between two attempts to connect. */
const retryDelay = 3_000;

/**
 * `connecting`: cannot be reached. `degraded`: answers, and refuses what the board needs. `ready`: has answered; what
 * comes later is told by the board itself.
 */
export type SourceState = 'connecting' | 'degraded' | 'ready';

/** The state of a datastore. */
export interface SourceStatus {
  readonly name: string;
  readonly address: string;
  readonly board: 'kvq' | 'pgq';
  /** Redis or PostgreSQL. */
  readonly datastore: 'kv' | 'sql';
  readonly state: SourceState;
  /** Why the last attempt failed. */
  readonly error?: string;
  /** Number of attempts so far. */
  readonly attempts: number;
}

/** Where a source tells its news. */
export interface BootLog {
  info(line: string): void;
  warn(line: string): void;
}

interface BootOptions {
  /** The queues of the board; undefined for pg-boss. */
  readonly sync: QueueSync | undefined;
  readonly retry: boolean;
  /** Seconds between two discoveries; 0 for one only. */
  readonly scanInterval: number;
  readonly log: BootLog;
  readonly signal: AbortSignal;
  /** Called once, when the datastore has answered. */
  onReady(connected: ConnectedSource): void;
}

export class Boot {
  readonly #source: Source;
  readonly #options: BootOptions;
  #status: Pick<SourceStatus, 'state' | 'error' | 'attempts'> = {
    state: 'connecting',
    attempts: 0,
  };
  #connected: ConnectedSource | undefined;

  constructor(source: Source, options: BootOptions) {
    this.#source = source;
    this.#options = options;
  }

  get status(): SourceStatus {
    const { name, address, board, datastore } = this.#source;
    return { name, address, board, datastore, ...this.#status };
  }

  /**
   * Connects, then looks for queues until the signal.
   *
   * @throws {Error} when the datastore cannot be used and there is no retry
   */
  async run(): Promise<void> {
    const { retry, signal } = this.#options;
    while (!signal.aborted && !(await this.#attempt())) {
      if (!retry) throw new Error(this.#told(this.#status.error ?? ''));
      await pause(retryDelay, signal);
    }
    await this.#rescan();
  }

  /** One attempt; true when the source is ready. */
  async #attempt(): Promise<boolean> {
    const attempts = this.#status.attempts + 1;
    try {
      this.#connected ??= await this.#source.connect();
      await this.#discover(false);
      this.#options.onReady(this.#connected);
      this.#status = { state: 'ready', attempts };
      this.#tellReady();
      return true;
    } catch (error) {
      if (error instanceof MissingPackages) throw error;
      if (this.#options.signal.aborted) return false;
      await this.#disconnect();
      const reason = describeError(error);
      const state = isUnreachable(error) ? 'connecting' : 'degraded';
      if (this.#options.retry && (this.#status.error !== reason || this.#status.state !== state)) {
        this.#options.log.warn(`${this.#told(reason)}; trying again every ${retryDelay / 1000} s`);
      }
      this.#status = { state, error: reason, attempts };
      return false;
    }
  }

  /** The next attempt begins anew, with queues of a new connection. */
  async #disconnect(): Promise<void> {
    await this.#options.sync?.update(this.#source.name, []);
    await this.#connected?.close().catch(() => undefined);
    this.#connected = undefined;
  }

  #told(reason: string): string {
    const { name, address } = this.#source;
    return `${name} at ${address}: ${reason}`;
  }

  #tellReady(): void {
    const { name, address, place } = this.#source;
    const { sync, log } = this.#options;
    const size = sync?.sizeOf(name) ?? 0;
    const count = size === 0 ? 'no queues yet' : size === 1 ? '1 queue' : `${size} queues`;
    log.info(`  ${name} at ${address}${place === undefined ? '' : `: ${count} ${place}`}`);
  }

  async #discover(isTold: boolean): Promise<void> {
    const { sync, log } = this.#options;
    if (!sync || !this.#connected) return;
    const { name } = this.#source;
    const { added, removed } = await sync.update(name, await this.#connected.discover());
    if (!isTold) return;
    for (const queue of added) log.info(`${name}: new queue "${queue}"`);
    for (const queue of removed) log.info(`${name}: queue "${queue}" is gone`);
  }

  async #rescan(): Promise<void> {
    const { sync, scanInterval, log, signal } = this.#options;
    if (!sync || scanInterval === 0) return;
    let failure: string | undefined;
    for (;;) {
      await pause(scanInterval * 1_000, signal);
      if (signal.aborted) return;
      try {
        await this.#discover(true);
        if (failure !== undefined) log.info(`${this.#source.name} answers again`);
        failure = undefined;
      } catch (error) {
        if (signal.aborted) return;
        // The board itself tells clients that the datastore is away.
        const reason = describeError(error);
        if (failure === undefined) log.warn(this.#told(`queues cannot be looked for: ${reason}`));
        failure = reason;
      }
    }
  }

  async close(): Promise<void> {
    await this.#connected?.close();
  }
}

/** Whether nothing answers, so that waiting helps. */
function isUnreachable(error: unknown): boolean {
  return isNetworkError(error) || unreachable.test(describeError(error));
}

/** Messages of drivers without a code, and of servers that are starting. */
const unreachable =
  /^(?:Connection is closed|Connection terminated|timeout expired|connect ETIMEDOUT|LOADING |the database system is |All sentinels are unreachable|None of startup nodes|Failed to refresh slots|CLUSTERDOWN )/;

/** Waits, at most until the signal. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
