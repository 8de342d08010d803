/** The metrics history of a board: recorded while the command runs, in the datastore of its queues. */

import type { BoardOptions, BoardQueue } from '../../board/index.ts';
import type { MetricsRecorder, MetricsSource, MetricsStore } from '../../metrics/index.ts';
import type { HistoryConfig } from './settings/config-file.ts';

/** The modules of the history, loaded when the settings ask for one. */
export type Metrics = typeof import('../../metrics/index.ts');

/** The part of a connected datastore that a history uses. */
export interface HistoryPart {
  readonly store: MetricsStore;
  /** Sources besides the queues of the board. */
  readonly sources?: readonly MetricsSource[];
}

/** How a datastore keeps a history. */
export interface KeepHistory {
  readonly metrics: Metrics;
  /** Namespace of the keys, or prefix of the tables; undefined is that of the library. */
  readonly prefix: string | undefined;
  /** Whether the command records, and so creates tables. */
  readonly records: boolean;
}

export class BoardHistory {
  readonly #metrics: Metrics;
  readonly #settings: HistoryConfig;
  readonly #readOnly: boolean;
  readonly #warn: (line: string) => void;
  #store: MetricsStore | undefined;
  #recorder: MetricsRecorder | undefined;

  constructor(
    metrics: Metrics,
    settings: HistoryConfig,
    readOnly: boolean,
    warn: (line: string) => void,
  ) {
    this.#metrics = metrics;
    this.#settings = settings;
    this.#readOnly = readOnly;
    this.#warn = warn;
  }

  /** For the datastore that keeps the history. */
  get keep(): KeepHistory {
    const { record = !this.#readOnly, prefix } = this.#settings;
    return { metrics: this.#metrics, prefix, records: record };
  }

  /** The provider of the board, which is not asked before {@link start}; a read-only board cannot purge. */
  get provider(): NonNullable<BoardOptions['historyProvider']> {
    const { retention, retentionDays } = this.#settings;
    const { purge, ...reading } = this.#metrics.metricsHistoryProvider(this.#later, {
      ...(retention && { retention }),
      ...(retentionDays !== undefined && { retentionDays }),
    });
    return this.#readOnly ? reading : { ...reading, purge };
  }

  /** Serves what the store has and, unless the settings say otherwise, records into it. */
  start({ store, sources }: HistoryPart, queues: (() => readonly BoardQueue[]) | undefined): void {
    this.#store = store;
    if (!this.keep.records) return;
    const { retention, retentionDays, latency, snapshotIntervalMs } = this.#settings;
    let last: string | undefined;
    this.#recorder = new this.#metrics.MetricsRecorder({
      store,
      ...(queues && { queues }),
      ...(sources && { sources }),
      ...(retention && { retention }),
      ...(retentionDays !== undefined && { retentionDays }),
      ...(latency !== undefined && { latency }),
      ...(snapshotIntervalMs !== undefined && { snapshotIntervalMs }),
      onSnapshotError: ({ message }, queue) => {
        const line = `the history${queue === undefined ? '' : ` of "${queue}"`} is not recorded: ${message}`;
        if (line !== last) this.#warn(line);
        last = line;
      },
    }).start();
  }

  async close(): Promise<void> {
    await this.#recorder?.stop();
  }

  /** Every method of the store, once there is one. */
  get #later(): MetricsStore {
    const store = (): MetricsStore => {
      if (this.#store) return this.#store;
      throw new Error('The datastore of the history has not answered yet.');
    };
    const method =
      (name: string | symbol) =>
      async (...args: unknown[]): Promise<unknown> =>
        Reflect.apply(Reflect.get(store(), name) as () => unknown, store(), args);
    return new Proxy({} as MetricsStore, { get: (_none, name) => method(name) });
  }
}
