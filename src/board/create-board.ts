/** `createBoard`: an engine with its options, a server adapter, and the options every board takes. */

import { openBoard } from './core/index.ts';
import type { Board, BoardOptions, ServerAdapter } from './core/index.ts';
import { pgqEngine } from './pgq/index.ts';
import type { PgqOptions } from './pgq/index.ts';

/** What a `pgq` board is made of. */
export interface PgqBoardConfig {
  readonly engine: 'pgq';
  readonly pgq: PgqOptions;
  /** What puts the board on the web, such as an `ExpressAdapter`; it serves this board only. */
  readonly serverAdapter: ServerAdapter;
  readonly options?: BoardOptions;
}

/**
 * Makes a board and hands it to the server adapter. Nothing connects before the first request, and the board runs
 * no DDL (`spec/2`).
 *
 * Throws a `TypeError` where the options cannot work.
 */
export function createBoard(config: PgqBoardConfig): Board<'pgq'> {
  // From JavaScript, and for `engine`'s default, anything may come.
  const engine: unknown = config.engine ?? 'kvq';
  if (engine === 'kvq') throw new TypeError('The engine "kvq" is not in this version of Sluice');
  if (engine !== 'pgq') throw new TypeError('The engine of a board is "pgq"');
  return openBoard(pgqEngine(config.pgq), config.serverAdapter, config.options);
}
