/** The interface of a library and a datastore for the contract suite. */

import type { Redis } from 'ioredis';
import type { BoardQueue, QueueOptions } from '../../../src/board/kvq/index.ts';
import type { MissingService } from '../../services/index.ts';

/** The processor of a worker: returns a value, or throws. */
export type Processor = (job: {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  log(line: string): Promise<unknown>;
  progress(value: number | object): Promise<unknown>;
}) => Promise<unknown>;

/** A job of a flow and its children. */
export interface FlowSpec {
  readonly name: string;
  readonly queue: TestQueue;
  readonly data?: unknown;
  readonly children?: readonly FlowSpec[];
  readonly opts?: object;
}

/** A queue of the library. */
export interface TestQueue {
  readonly name: string;
  boardQueue(options?: QueueOptions): BoardQueue;
  add(name: string, data: unknown, opts?: object): Promise<string>;
  addBulk(jobs: readonly { name: string; data: unknown; opts?: object }[]): Promise<void>;
  state(id: string): Promise<string>;
  /** The job as the library reports it; empty when it is missing. */
  described(id: string): Promise<Readonly<Record<string, unknown>>>;
  /** Names of the jobs the library lists in a state, newest first. */
  names(status: string): Promise<string[]>;
  /** Number of workers that the library reports. */
  workers(): Promise<number>;
  /** Location of its keys; absent on PostgreSQL. */
  readonly redis?: { readonly client: Redis; key(type: string): string };
  counts(): Promise<Readonly<Record<string, number>>>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Starts a worker; the function stops it. */
  work(processor: Processor): Promise<() => Promise<void>>;
  /** Returns the id of the first run. Bull does not store options of runs. */
  schedule(
    id: string,
    schedule: {
      every?: number;
      pattern?: string;
      limit?: number;
      startDate?: number;
    },
    data?: unknown,
    opts?: object,
  ): Promise<string>;
}

/** A scratch environment for queues. */
export interface CellWorld {
  /** `defaults` are the default job options. */
  queue(name: string, defaults?: object): Promise<TestQueue>;
  /** The id of the root job; absent when the library does not support flows. */
  flow?(spec: FlowSpec): Promise<string>;
  close(): Promise<void>;
}

/** A library on a datastore. */
export interface Cell {
  readonly name: string;
  readonly library: 'current' | 'legacy';
  readonly datastore: 'kv' | 'sql';
  /** Whether the library has a list of paused jobs. */
  readonly hasPaused: boolean;
  open(): Promise<CellWorld | MissingService>;
}
