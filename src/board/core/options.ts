/** Options that every board takes, whatever its engine. */

import type { HandlerHooks } from './hooks.ts';

/** Where a board reports what it does not tell its clients. `console` is one. */
export interface BoardLogger {
  error(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
}

/** How the board looks. */
export interface BoardUi {
  /** Default `Sluice`. */
  readonly boardTitle?: string;
}

/** Options of a board. */
export interface BoardOptions {
  /** Functions around every API route: the first may refuse a request, the second reshape an answer. */
  readonly handlerHooks?: HandlerHooks;
  /**
   * Checks every answer against its schema and answers 500 where it does not fit; for developing engines and hooks.
   * Only `true` turns it on.
   */
  readonly validateResponses?: boolean;
  /**
   * Leaves the routes that write off the board: they answer 404. Default false. A single queue of a `kvq` board is made
   * read-only by an option of its own.
   */
  readonly readOnly?: boolean;
  /** Keeps the statistics of the datastore to the board: `GET /api/kv/stats` answers 403. Default false. */
  readonly hideKvDetails?: boolean;
  /** Default true. False leaves workers out of every answer. */
  readonly showWorkers?: boolean;
  readonly ui?: BoardUi;
  /** Puts text and stack of internal errors into `details`. For development; default false. */
  readonly exposeErrors?: boolean;
  /** Default `console`. */
  readonly logger?: BoardLogger;
  /** The most bytes a body may have; more answers 413. Default 8 MiB. */
  readonly maxBodyBytes?: number;
  /** Milliseconds that `close()` waits for requests under way before it aborts them. Default 3000. */
  readonly closeGraceMs?: number;
}

/** The options with their defaults. */
export type ResolvedOptions = Required<BoardOptions>;

const defaultMaxBodyBytes = 8 * 1024 * 1024;
const defaultCloseGraceMs = 3000;

/** Fills in defaults; throws a `TypeError` for values that cannot be meant. */
export function resolveOptions(options: BoardOptions = {}): ResolvedOptions {
  // Not one of the options yet: saying nothing would look as if history were served.
  if ('historyProvider' in options) {
    throw new TypeError('Board option "historyProvider" is not supported by this version');
  }
  return {
    handlerHooks: options.handlerHooks ?? {},
    validateResponses: options.validateResponses === true,
    readOnly: options.readOnly === true,
    hideKvDetails: options.hideKvDetails === true,
    showWorkers: options.showWorkers !== false,
    ui: options.ui ?? {},
    exposeErrors: options.exposeErrors === true,
    logger: options.logger ?? console,
    maxBodyBytes: wholeNumber('maxBodyBytes', options.maxBodyBytes ?? defaultMaxBodyBytes),
    closeGraceMs: wholeNumber('closeGraceMs', options.closeGraceMs ?? defaultCloseGraceMs),
  };
}

function wholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError(`Board option "${name}" must be a whole number from 0`);
}
