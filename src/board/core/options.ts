/** Options of every board, independent of its engine. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import type { HandlerHooks } from './hooks.ts';

/** Receives errors and warnings that clients do not see, for example `console`. */
export interface BoardLogger {
  error(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
}

/** Appearance of the board. */
export interface BoardUi {
  /** Title of the dashboard and its window. Default `Sluice`. */
  readonly boardTitle?: string;
}

/** Options of a board. */
export interface BoardOptions {
  /** Functions around every API route: `before` may refuse a request, `after` may replace a response. Default none. */
  readonly handlerHooks?: HandlerHooks;
  /**
   * Validates every response against its schema and responds with 500 if it does not match; for developing engines and
   * hooks. Default false.
   */
  readonly validateResponses?: boolean;
  /**
   * Whether the routes that write are omitted; they respond with 404. Default false. A queue of a `kvq` board has an
   * option of the same name.
   */
  readonly readOnly?: boolean;
  /** Whether the statistics of the datastore are hidden: `GET /api/kv/stats` responds with 403. Default false. */
  readonly hideKvDetails?: boolean;
  /** Whether responses include the workers of queues. Default true. */
  readonly showWorkers?: boolean;
  /** Appearance of the board. Default: title `Sluice`. */
  readonly ui?: BoardUi;
  /**
   * Whether error responses include message and stack of internal errors in `details`. For development. Default false.
   */
  readonly exposeErrors?: boolean;
  /** Receives errors and warnings that clients do not see. Default `console`. */
  readonly logger?: BoardLogger;
  /** Maximum size of a request body in bytes; a larger one is refused with 413. Default 8388608 (8 MiB). */
  readonly maxBodyBytes?: number;
  /** Milliseconds that `close()` waits for pending requests before it aborts them. Default 3000. */
  readonly closeGraceMs?: number;
}

/** The types of the options; checked by `createBoard`. */
export const boardOptionTable = {
  handlerHooks: option.objectOf({
    before: option.func,
    after: option.func,
  } satisfies OptionTableOf<HandlerHooks>),
  validateResponses: option.boolean,
  readOnly: option.boolean,
  hideKvDetails: option.boolean,
  showWorkers: option.boolean,
  ui: option.objectOf({ boardTitle: option.string } satisfies OptionTableOf<BoardUi>),
  exposeErrors: option.boolean,
  logger: option.withMethods('a logger with the methods error and warn', 'error', 'warn'),
  maxBodyBytes: option.wholeNumber(0),
  closeGraceMs: option.wholeNumber(0, 2 ** 31 - 1),
  historyProvider: option.removed('is not supported by this version'),
} satisfies OptionTableOf<BoardOptions, 'historyProvider'>;

/** The options with their defaults. */
export type ResolvedOptions = Required<BoardOptions>;

/** Fills in defaults. */
export function resolveOptions(options: BoardOptions = {}): ResolvedOptions {
  return {
    handlerHooks: options.handlerHooks ?? {},
    validateResponses: options.validateResponses ?? false,
    readOnly: options.readOnly ?? false,
    hideKvDetails: options.hideKvDetails ?? false,
    showWorkers: options.showWorkers ?? true,
    ui: options.ui ?? {},
    exposeErrors: options.exposeErrors ?? false,
    logger: options.logger ?? console,
    maxBodyBytes: options.maxBodyBytes ?? 8 * 1024 * 1024,
    closeGraceMs: options.closeGraceMs ?? 3000,
  };
}
