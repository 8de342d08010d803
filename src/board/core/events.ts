/** Events that a board tells its host. */

import type { BulkRun } from '../contract/index.ts';
import type { BoardLogger } from './options.ts';

/** An event of a board: a run of a command over many jobs has started, or has ended in whatever way. */
export interface BoardEvent {
  /** Whether the run has started or ended. */
  readonly type: 'bulk.started' | 'bulk.ended';
  /** The run as the API shows it. */
  readonly run: BulkRun;
}

/** Tells events to the host; a function that fails is logged and changes nothing. */
export class BoardEvents {
  readonly #listener: ((event: BoardEvent) => unknown) | undefined;
  readonly #logger: BoardLogger;

  constructor(listener: ((event: BoardEvent) => unknown) | undefined, logger: BoardLogger) {
    this.#listener = listener;
    this.#logger = logger;
  }

  tell(event: BoardEvent): void {
    const failed = (error: unknown): void => this.#logger.error('Board: "onEvent" failed', error);
    try {
      Promise.resolve(this.#listener?.(event)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
