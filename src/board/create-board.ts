/** `createBoard`: combines an engine, or both, a server adapter and the options of every board. */

import { checkOptions, refuseArguments, type OptionTableOf } from '../lib/index.ts';
import * as option from '../lib/option-rows.ts';
import { basePathRow, boardOptionTable, openBoard } from './core/index.ts';
import type {
  Board,
  BoardAuth,
  BoardLink,
  BoardOptions,
  ServedBoard,
  ServerAdapter,
} from './core/index.ts';
import { BoardQueue, kvqEngine, kvqOptionTable, type KvqOptions } from './kvq/index.ts';
import { pgqEngine, pgqOptionTable, type PgqOptions } from './pgq/index.ts';
import { combine } from './combine.ts';

/** Configuration of a board of the default engine. */
export interface KvqBoardConfig {
  /** Default `kvq`. */
  readonly engine?: 'kvq';
  /**
   * Queues made by `bullmqQueue`, `bullQueue`, `bullmqProQueue` or `customQueue`, with different names on the board.
   * Default none; they may be added later.
   */
  readonly queues?: readonly BoardQueue[];
  /**
   * Mounts the board in a web framework, such as an `ExpressAdapter`; it serves this board only. Not needed where
   * requests are passed to `board.fetch`, as `nextBoard` does.
   */
  readonly serverAdapter?: ServerAdapter;
  /**
   * Who may use the board: `createAuthMiddleware` of `sluice/auth`, asked before every request. `false` where the host
   * checks requests itself. Without it and without a before-hook the board warns at boot that it is open.
   */
  readonly auth?: BoardAuth | false;
  /** Behaviour and appearance. Default: the defaults of `BoardOptions`. */
  readonly options?: BoardOptions & Pick<KvqOptions, 'snapshotMs' | 'timeouts' | 'maxReadBytes'>;
}

/** Configuration of a `pgq` board. */
export interface PgqBoardConfig {
  /** Chooses the board of pg-boss. */
  readonly engine: 'pgq';
  /** The installation of pg-boss. */
  readonly pgq: PgqOptions;
  /**
   * Mounts the board in a web framework, such as an `ExpressAdapter`; it serves this board only. Not needed where
   * requests are passed to `board.fetch`, as `nextBoard` does.
   */
  readonly serverAdapter?: ServerAdapter;
  /**
   * Who may use the board: `createAuthMiddleware` of `sluice/auth`, asked before every request. `false` where the host
   * checks requests itself. Without it and without a before-hook the board warns at boot that it is open.
   */
  readonly auth?: BoardAuth | false;
  /** Behaviour and appearance. Default: the defaults of `BoardOptions`. */
  readonly options?: BoardOptions;
}

/** A board whose queues may change while it is served. Queues are identified by their name on the board. */
export interface KvqBoard extends Board<'kvq'> {
  /** Adds a queue or replaces the one with the same name. */
  addQueue(queue: BoardQueue): void;
  /** Removes a queue from the board; its jobs are not changed. */
  removeQueue(queue: BoardQueue | string): void;
  /** Adds queues or replaces those with the same names. Throws when two of them have one name. */
  setQueues(queues: readonly BoardQueue[]): void;
  /** Replaces all queues of the board. Throws when two of the new ones have one name. */
  replaceQueues(queues: readonly BoardQueue[]): void;
}

/** Options that one of two boards has beside those of both. */
interface BoardPart {
  /** Path of the board below the adapter's: '' or one such as `/pgq`. */
  readonly path?: string;
  /** Name of the board among the two. */
  readonly title?: string;
}

/** The board of BullMQ and Bull beside one of pg-boss. */
export interface KvqPart extends BoardPart, Pick<KvqBoardConfig, 'queues' | 'options'> {}

/** The board of pg-boss beside one of BullMQ and Bull. */
export interface PgqPart extends BoardPart, Pick<PgqBoardConfig, 'pgq' | 'options'> {}

/** Configuration of two boards, one of each engine, in one page. */
export interface BoardsConfig {
  /** `path` of `kvq` is '' by default, that of `pgq` is `/pgq`; titles are `BullMQ` and `pg-boss`. */
  readonly engines: {
    /** The board of BullMQ and Bull. */
    readonly kvq: KvqPart;
    /** The board of pg-boss. */
    readonly pgq: PgqPart;
  };
  /** Mounts both boards in a web framework; see {@link KvqBoardConfig.serverAdapter}. */
  readonly serverAdapter?: ServerAdapter;
  /** Who may use the boards; see {@link KvqBoardConfig.auth}. */
  readonly auth?: BoardAuth | false;
  /** Options of both boards; `options` of an engine replace them one by one. */
  readonly options?: BoardOptions;
}

/** Two boards that share a mount and a page. */
export interface Boards extends ServedBoard {
  /** The board of BullMQ and Bull, behind the same authentication where it is served by itself. */
  readonly kvq: KvqBoard;
  /** The board of pg-boss, behind the same authentication where it is served by itself. */
  readonly pgq: Board<'pgq'>;
  /** Closes both; see {@link Board.close}. */
  close(): Promise<void>;
}

const middleware = option.withMethods('a middleware', 'handle', 'fetch');

const configTable = {
  engine: {
    ...option.oneOf('kvq', 'pgq'),
    expected: '"kvq" (BullMQ and Bull) or "pgq" (pg-boss)',
  },
  serverAdapter: option.withMethods('a server adapter', 'attach'),
  auth: {
    expected: 'false or authentication made by createAuthMiddleware',
    fits: (value: unknown) => value === false || middleware.fits(value),
  },
};

/** Rows of the configuration by engine. Options are reported without the prefix `options.`. */
const kvqTable = {
  ...configTable,
  queues: option.listOf({
    expected: 'a queue',
    plural: 'queues made by bullmqQueue, bullQueue, bullmqProQueue or customQueue',
    fits: (value) => value instanceof BoardQueue,
  }),
  options: option.sectionOf({ ...boardOptionTable, ...kvqOptionTable }),
  pgq: option.removed('needs "engine" to be "pgq"'),
} satisfies OptionTableOf<KvqBoardConfig, 'pgq'>;
const pgqTable = {
  ...configTable,
  pgq: option.required(option.objectOf(pgqOptionTable)),
  options: option.sectionOf(boardOptionTable),
} satisfies OptionTableOf<PgqBoardConfig>;

const { engine: _engine, ...commonTable } = configTable;
const partTable = { path: basePathRow, title: option.nonEmptyString };
const boardsTable = {
  ...commonTable,
  engines: option.required(
    option.objectOf({
      kvq: option.required(
        option.objectOf({
          ...partTable,
          queues: kvqTable.queues,
          options: kvqTable.options,
        } satisfies OptionTableOf<KvqPart>),
      ),
      pgq: option.required(
        option.objectOf({
          ...partTable,
          pgq: pgqTable.pgq,
          options: pgqTable.options,
        } satisfies OptionTableOf<PgqPart>),
      ),
    }),
  ),
  options: option.sectionOf(boardOptionTable),
} satisfies OptionTableOf<BoardsConfig>;

/**
 * Creates a board, or one of each engine, and passes it to the server adapter. A `pgq` board connects at its first request and runs no DDL.
 *
 * @throws {TypeError} when an option is unknown, has a wrong type or conflicts with another option
 */
export function createBoard(config: PgqBoardConfig): Board<'pgq'>;
export function createBoard(config: KvqBoardConfig): KvqBoard;
export function createBoard(config: BoardsConfig): Boards;
export function createBoard(
  config: KvqBoardConfig | PgqBoardConfig | BoardsConfig = {},
  ...more: readonly unknown[]
): Board<'pgq'> | KvqBoard | Boards {
  refuseArguments('createBoard', 1, more);
  if (config && 'engines' in config) {
    checkOptions('createBoard', config, boardsTable);
    return createBoards(config);
  }
  checkOptions('createBoard', config, config?.engine === 'pgq' ? pgqTable : kvqTable);
  return config.engine === 'pgq'
    ? openBoard(pgqEngine(config.pgq), config.serverAdapter, config.options, config.auth)
    : createKvqBoard(config);
}

type BoardsAt = (basePath: string) => readonly BoardLink[];

function createKvqBoard(
  { queues, serverAdapter, options, auth }: KvqBoardConfig,
  boardsAt?: BoardsAt,
): KvqBoard {
  const factory = kvqEngine({ ...options, ...(queues && { queues }) });
  const { registry } = factory;
  return {
    ...openBoard(factory, serverAdapter, options, auth, boardsAt),
    addQueue: (queue) => registry.add(queue),
    removeQueue: (queue) => registry.remove(queue),
    setQueues: (added) => registry.set(added),
    replaceQueues: (left) => registry.replace(left),
  };
}

function createBoards({ engines, serverAdapter, options, auth }: BoardsConfig): Boards {
  const optionsOf = <Part extends KvqPart | PgqPart>(part: Part) => ({
    ...options,
    ...part.options,
  });
  return combine({
    ...engines,
    serverAdapter,
    auth,
    optionsOf,
    openKvq: (partAuth, boardsAt) =>
      createKvqBoard({ ...engines.kvq, options: optionsOf(engines.kvq), auth: partAuth }, boardsAt),
    openPgq: (partAuth, boardsAt) =>
      openBoard(pgqEngine(engines.pgq.pgq), undefined, optionsOf(engines.pgq), partAuth, boardsAt),
  });
}
