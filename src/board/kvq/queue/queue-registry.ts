/** The queues on a board, by their names there. */

import { BoardQueue } from './board-queue.ts';

/** Changed by the host while the board runs. */
export class QueueRegistry {
  readonly #queues = new Map<string, BoardQueue>();
  #version = 0;

  constructor(queues: readonly BoardQueue[] = []) {
    this.set(queues);
  }

  /** Live view. */
  get byName(): ReadonlyMap<string, BoardQueue> {
    return this.#queues;
  }

  /** Another number after every change. */
  get version(): number {
    return this.#version;
  }

  /** Adds a queue, in place of one with the same name. Throws a `TypeError` when this is none. */
  add(queue: BoardQueue): void {
    assertQueue(queue);
    this.#queues.set(queue.name, queue);
    this.#version += 1;
  }

  /** Removes a queue from the board; no error when it is not there. */
  remove(queue: BoardQueue | string): void {
    this.#queues.delete(typeof queue === 'string' ? queue : queue.name);
    this.#version += 1;
  }

  /** Adds queues, each in place of one with the same name; none of them where one is not a queue. */
  set(queues: readonly BoardQueue[]): void {
    for (const queue of queues) assertQueue(queue);
    for (const queue of queues) this.add(queue);
  }

  /** Leaves exactly these queues on the board. */
  replace(queues: readonly BoardQueue[]): void {
    for (const queue of queues) assertQueue(queue);
    this.#queues.clear();
    this.#version += 1;
    this.set(queues);
  }
}

function assertQueue(queue: unknown): void {
  if (queue instanceof BoardQueue) return;
  throw new TypeError('A kvq board takes queues made by bullmqQueue, bullQueue or bullmqProQueue');
}
