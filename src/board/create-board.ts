/** `createBoard`: an engine with its options, a server adapter, and the options every board takes. */

import { openBoard } from './core/index.ts';
import type { Board, BoardOptions, ServerAdapter } from './core/index.ts';
import { kvqEngine } from './kvq/index.ts';
import type { BoardQueue, KvqOptions } from './kvq/index.ts';
import { pgqEngine } from './pgq/index.ts';
import type { PgqOptions } from './pgq/index.ts';

/** What a board of the default engine is made of. */
export interface KvqBoardConfig {
  readonly engine?: 'kvq';
  /** Queues made by `bullmqQueue`, `bullQueue` or `bullmqProQueue`. Default none; they may be added later. */
  readonly queues?: readonly BoardQueue[];
  /** What puts the board on the web, such as an `ExpressAdapter`; it serves this board only. */
  readonly serverAdapter: ServerAdapter;
  readonly options?: BoardOptions & Pick<KvqOptions, 'snapshotMs'>;
}

/** What a `pgq` board is made of. */
export interface PgqBoardConfig {
  readonly engine: 'pgq';
  readonly pgq: PgqOptions;
  /** What puts the board on the web, such as an `ExpressAdapter`; it serves this board only. */
  readonly serverAdapter: ServerAdapter;
  readonly options?: BoardOptions;
}

/** A board whose queues may change while it is served. Queues are known by their names on the board. */
export interface KvqBoard extends Board<'kvq'> {
  /** Adds a queue, in place of one with the same name. */
  addQueue(queue: BoardQueue): void;
  /** Takes a queue off the board; its jobs stay where they are. */
  removeQueue(queue: BoardQueue | string): void;
  /** Adds queues, each in place of one with the same name. */
  setQueues(queues: readonly BoardQueue[]): void;
  /** Leaves exactly these queues on the board. */
  replaceQueues(queues: readonly BoardQueue[]): void;
}

/**
 * Makes a board and hands it to the server adapter (`spec/1`, `spec/2`). A `pgq` board connects at its first request and
 * runs no DDL.
 *
 * Throws a `TypeError` where the options cannot work.
 */
export function createBoard(config: PgqBoardConfig): Board<'pgq'>;
export function createBoard(config: KvqBoardConfig): KvqBoard;
export function createBoard(config: KvqBoardConfig | PgqBoardConfig): Board<'pgq'> | KvqBoard {
  switch (config.engine) {
    case 'pgq':
      return openBoard(pgqEngine(config.pgq), config.serverAdapter, config.options);
    case 'kvq':
    case undefined:
      return createKvqBoard(config);
    default:
      throw new TypeError('The engine of a board is "kvq" or "pgq"');
  }
}

function createKvqBoard({ queues, serverAdapter, options }: KvqBoardConfig): KvqBoard {
  const factory = kvqEngine({
    ...(queues && { queues }),
    ...(options?.snapshotMs !== undefined && { snapshotMs: options.snapshotMs }),
  });
  const { registry } = factory;
  return {
    ...openBoard(factory, serverAdapter, options),
    addQueue: (queue) => registry.add(queue),
    removeQueue: (queue) => registry.remove(queue),
    setQueues: (added) => registry.set(added),
    replaceQueues: (left) => registry.replace(left),
  };
}
