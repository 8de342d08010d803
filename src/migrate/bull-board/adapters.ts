/** The adapters of bull-board: queues whose formatters and guards are set after they are made. */

import {
  type BoardQueue,
  type BullMqQueue,
  type BullQueue,
  type JobFormatters,
  type QueueOptions,
  type QueueVisibilityGuard,
  bullQueue,
  bullmqQueue,
} from '../../board/index.ts';

/** A queue for `createBullBoard`, with what is set on it until the board has it. */
export abstract class BullBoardAdapter {
  readonly #options: QueueOptions;
  #formatters: JobFormatters = {};
  #guard: QueueVisibilityGuard | undefined;
  #queue: BoardQueue | undefined;

  /** @param options options of the queue, of the same names as in bull-board */
  constructor(options: QueueOptions = {}) {
    this.#options = options;
  }

  /** Makes the queue of the board, with all that was set. */
  protected abstract make(options: QueueOptions): BoardQueue;

  /**
   * Replaces a part of each job before it is shown.
   *
   * @throws {Error} when a board has the queue already
   */
  setFormatter<Field extends keyof JobFormatters>(
    field: Field,
    formatter: NonNullable<JobFormatters[Field]>,
  ): void {
    this.#checkOpen('setFormatter');
    this.#formatters = { ...this.#formatters, [field]: formatter };
  }

  /**
   * Sets who may see the queue.
   *
   * @throws {Error} when a board has the queue already
   */
  setVisibilityGuard(guard: QueueVisibilityGuard): void {
    this.#checkOpen('setVisibilityGuard');
    this.#guard = guard;
  }

  #checkOpen(method: string): void {
    if (this.#queue) throw new Error(`${method} must be called before the board has the queue.`);
  }

  /** @internal The queue of the board; from then on nothing can be set. */
  boardQueue(): BoardQueue {
    this.#queue ??= this.make({
      ...this.#options,
      formatters: { ...this.#options.formatters, ...this.#formatters },
      ...(this.#guard && { visibilityGuard: this.#guard }),
    });
    return this.#queue;
  }
}

/** A queue of BullMQ. */
export class BullMQAdapter extends BullBoardAdapter {
  readonly #source: BullMqQueue;

  constructor(queue: BullMqQueue, options?: QueueOptions) {
    super(options);
    this.#source = queue;
  }

  /** Makes the queue of the board, with all that was set. */
  protected make(options: QueueOptions): BoardQueue {
    return bullmqQueue(this.#source, options);
  }
}

/** A queue of Bull. */
export class BullAdapter extends BullBoardAdapter {
  readonly #source: BullQueue;

  constructor(queue: BullQueue, options?: QueueOptions) {
    super(options);
    this.#source = queue;
  }

  /** Makes the queue of the board, with all that was set. */
  protected make(options: QueueOptions): BoardQueue {
    return bullQueue(this.#source, options);
  }
}
