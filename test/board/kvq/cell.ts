/** What the contract suite needs of a library and a datastore. */

import type { Redis } from 'ioredis';
import type { BoardQueue, QueueOptions } from '../../../src/board/kvq/index.ts';
import type { MissingService } from '../../services/index.ts';

/** What a worker does with a job: gives a value, or throws. */
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
  /** What the library itself says of a job; empty when it knows none. */
  described(id: string): Promise<Readonly<Record<string, unknown>>>;
  /** Names of the jobs the library lists in a state, newest first. */
  names(status: string): Promise<string[]>;
  /** How many workers the library knows. */
  workers(): Promise<number>;
  /** Where its keys are; absent where it has rows. */
  readonly redis?: { readonly client: Redis; key(type: string): string };
  counts(): Promise<Readonly<Record<string, number>>>;
  pause(): Promise<void>;
  /** Starts a worker; the function stops it. */
  work(processor: Processor): Promise<() => Promise<void>>;
  /** Gives the id of the first run. Bull keeps no options of runs. */
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

/** A scratch place for queues. */
export interface CellWorld {
  /** `defaults` are the options of jobs that bring none of their own. */
  queue(name: string, defaults?: object): Promise<TestQueue>;
  /** The id of the flow's first job; absent where the library has no flows. */
  flow?(spec: FlowSpec): Promise<string>;
  close(): Promise<void>;
}

/** A library on a datastore. */
export interface Cell {
  readonly name: string;
  readonly library: 'current' | 'legacy';
  readonly datastore: 'kv' | 'sql';
  /** The library has a list of paused jobs. */
  readonly hasPaused: boolean;
  open(): Promise<CellWorld | MissingService>;
}
