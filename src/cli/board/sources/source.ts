/** A datastore of the board: connected once it answers, then asked for its queues again and again. */

import type { BoardQueue } from '../../../board/index.ts';
import type { HistoryPart, KeepHistory } from '../history.ts';

/** A queue that a discovery found. */
export interface FoundQueue {
  /** Identifies the queue among those of its source: its place in the datastore and its library. */
  readonly key: string;
  readonly name: string;
  /** Where it is, such as `under prefix "bull"`, for the warning about a second queue of the same name. */
  readonly place: string;
  open(): Promise<OpenQueue | undefined>;
}

/** A queue on the board. */
export interface OpenQueue {
  readonly queue: BoardQueue;
  close(): Promise<unknown>;
}

/** A connected datastore. */
export interface ConnectedSource {
  /** The queues of BullMQ and Bull in it; none for pg-boss, whose board reads them itself. */
  discover(): Promise<readonly FoundQueue[]>;
  /** Opens the history of the queues in this datastore; at most once. */
  openHistory(keep: KeepHistory): HistoryPart;
  close(): Promise<unknown>;
}

/** A datastore of the settings. */
export interface Source {
  /** Its name in messages, such as `Redis`. */
  readonly name: string;
  readonly address: string;
  /** Where its queues are looked for, such as `under prefix "bull"`; absent for pg-boss, whose board looks itself. */
  readonly place?: string;
  /** The board that serves it. */
  readonly board: 'kvq' | 'pgq';
  readonly datastore: 'kv' | 'sql';
  /** Loads the packages of the source. */
  load(): Promise<void>;
  /** Connects once; rejects when the datastore cannot be reached or refuses. */
  connect(): Promise<ConnectedSource>;
}
