/** The adapters of bull-board: queues whose formatters and guards are set after they are made. */

import {
  type BoardQueue,
  type BullMqQueue,
  type BullQueue,
  type JobFormatters,
  type QueueOptions,
  type VisibilityGuard,
  bullQueue,
  bullmqQueue,
} from '../../board/index.ts';

/** A queue for `createBullBoard`, with what is set on it until the board has it. */
export class BullBoardAdapter {
  readonly #make: (options: QueueOptions) => BoardQueue;
  #options: QueueOptions;
  #queue: BoardQueue | undefined;

  protected constructor(make: (options: QueueOptions) => BoardQueue, options: QueueOptions = {}) {
    this.#make = make;
    this.#options = options;
  }

  /**
   * Replaces a part of each job before it is shown.
   *
   * @throws {Error} when a board has the queue already
   */
  setFormatter<Field extends keyof JobFormatters>(
    field: Field,
    formatter: NonNullable<JobFormatters[Field]>,
  ): void {
    this.#set('setFormatter', { formatters: { ...this.#options.formatters, [field]: formatter } });
  }

  /**
   * Sets who may see the queue.
   *
   * @throws {Error} when a board has the queue already
   */
  setVisibilityGuard(visibilityGuard: VisibilityGuard): void {
    this.#set('setVisibilityGuard', { visibilityGuard });
  }

  #set(method: string, options: QueueOptions): void {
    if (this.#queue) throw new Error(`${method} must be called before the board has the queue.`);
    this.#options = { ...this.#options, ...options };
  }

  /** @internal The queue of the board; from then on nothing can be set. */
  boardQueue(): BoardQueue {
    this.#queue ??= this.#make(this.#options);
    return this.#queue;
  }
}

/** A queue of BullMQ. */
export class BullMQAdapter extends BullBoardAdapter {
  constructor(queue: BullMqQueue, options?: QueueOptions) {
    super((all) => bullmqQueue(queue, all), options);
  }
}

/** A queue of Bull. */
export class BullAdapter extends BullBoardAdapter {
  constructor(queue: BullQueue, options?: QueueOptions) {
    super((all) => bullQueue(queue, all), options);
  }
}
