/** The boards of the configured datastores: one, or one of each engine. */

import { createBoard } from '../../board/index.ts';
import type {
  Board,
  BoardOptions,
  KvqBoard,
  PgqOptions,
  ServerAdapter,
} from '../../board/index.ts';
import type { AuthMiddleware } from '../../auth/index.ts';
import type { BoardHistory } from './history.ts';
import { QueueSync } from './queue-sync.ts';
import type { BoardSettings } from './settings/settings.ts';
import type { PgqSource } from './settings/source-settings.ts';

interface Parts {
  readonly serverAdapter: ServerAdapter;
  readonly auth: AuthMiddleware | false;
  readonly warn: (line: string) => void;
  /** Names of the datastores. */
  readonly sources: readonly string[];
  readonly histories: Readonly<Partial<Record<Board['engine'], BoardHistory>>>;
}

/** The boards that are served. */
interface OpenBoards {
  /** The queues of the board for BullMQ and Bull, if there is one. */
  readonly sync: QueueSync | undefined;
  /** The board that a path below the base path belongs to. */
  boardAt(path: string): Board['engine'];
  close(): Promise<void>;
}

/**
 * Opens the boards without a connection.
 *
 * @throws {TypeError} when an option of the config file is unknown or has the wrong type
 */
export function openBoards(settings: BoardSettings, parts: Parts): OpenBoards {
  const { sources, readOnly } = settings;
  const { serverAdapter, auth, warn, histories } = parts;
  const optionsOf = (engine: Board['engine']): BoardOptions => {
    const history = histories[engine];
    return { ...settings.options, ...(history && { historyProvider: history.provider }) };
  };
  const options = optionsOf('kvq');
  const pgqPart = sources.pgq && {
    pgq: pgqOptions(sources.pgq),
    options: { ...optionsOf('pgq'), ...(readOnly && { readOnly }) },
  };
  const syncOf = (board: KvqBoard): QueueSync => new QueueSync(board, parts.sources, warn);
  if (!pgqPart) {
    const board = createBoard({ serverAdapter, auth, options });
    return { sync: syncOf(board), boardAt: () => 'kvq', close: () => board.close() };
  }
  if (!sources.redis && !sources.postgres) {
    const board = createBoard({ engine: 'pgq', serverAdapter, auth, ...pgqPart });
    return { sync: undefined, boardAt: () => 'pgq', close: () => board.close() };
  }
  const path = sources.pgq?.path ?? '';
  const boards = createBoard({
    serverAdapter,
    auth,
    engines: { kvq: { options }, pgq: { path, ...pgqPart } },
  });
  return {
    sync: syncOf(boards.kvq),
    boardAt: (asked) => (asked === path || asked.startsWith(`${path}/`) ? 'pgq' : 'kvq'),
    close: () => boards.close(),
  };
}

/** Options of the config file are checked by `createBoard`. */
function pgqOptions({ connection, options }: PgqSource): PgqOptions {
  return { ...options, connection };
}
