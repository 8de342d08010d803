/** The queues on a board, by their names there. */

import type { BoardQueue } from './board-queue.ts';

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

  /** Adds a queue, in place of one with the same name. */
  add(queue: BoardQueue): void {
    this.#queues.set(queue.name, queue);
    this.#version += 1;
  }

  /** Takes a queue off the board; one that is not on it is no error. */
  remove(queue: BoardQueue | string): void {
    this.#queues.delete(typeof queue === 'string' ? queue : queue.name);
    this.#version += 1;
  }

  /** Adds queues, each in place of one with the same name. */
  set(queues: readonly BoardQueue[]): void {
    for (const queue of queues) this.add(queue);
  }

  /** Leaves exactly these queues on the board. */
  replace(queues: readonly BoardQueue[]): void {
    this.#queues.clear();
    this.set(queues);
  }
}
