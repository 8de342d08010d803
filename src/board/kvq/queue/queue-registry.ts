/** The queues on a board, by their name on the board. */

import { BoardQueue } from './board-queue.ts';

/** The host may change it while the board runs. */
export class QueueRegistry {
  readonly #queues = new Map<string, BoardQueue>();
  #version = 0;

  constructor(queues: readonly BoardQueue[] = []) {
    this.set(queues);
  }

  /** Live view of the queues. */
  get byName(): ReadonlyMap<string, BoardQueue> {
    return this.#queues;
  }

  /** Whether there are queues, and all of them are read-only. */
  get isReadOnly(): boolean {
    return this.#queues.size > 0 && [...this.#queues.values()].every(({ readOnly }) => readOnly);
  }

  /** Changes after every modification. */
  get version(): number {
    return this.#version;
  }

  /** Adds a queue or replaces the one with the same name. Throws a `TypeError` when the value is not a queue. */
  add(queue: BoardQueue): void {
    assertQueue(queue);
    this.#queues.set(queue.name, queue);
    this.#version += 1;
  }

  /** Removes a queue from the board; ignores unknown queues. */
  remove(queue: BoardQueue | string): void {
    this.#queues.delete(typeof queue === 'string' ? queue : queue.name);
    this.#version += 1;
  }

  /**
   * Adds queues or replaces those with the same names; adds none of them if one is not a queue, or if two of them have
   * one name.
   */
  set(queues: readonly BoardQueue[]): void {
    assertQueues(queues);
    for (const queue of queues) this.add(queue);
  }

  /** Replaces all queues of the board. */
  replace(queues: readonly BoardQueue[]): void {
    assertQueues(queues);
    this.#queues.clear();
    this.#version += 1;
    this.set(queues);
  }
}

/** A second queue of a name would replace the first and its options, such as `readOnly`. */
function assertQueues(queues: readonly BoardQueue[]): void {
  const names = new Set<string>();
  for (const queue of queues) {
    assertQueue(queue);
    if (names.has(queue.name)) {
      throw new TypeError(
        `"queues" must have one queue per name; "${queue.name}" occurs more than once`,
      );
    }
    names.add(queue.name);
  }
}

function assertQueue(queue: unknown): void {
  if (queue instanceof BoardQueue) return;
  throw new TypeError(
    'A kvq board takes queues made by bullmqQueue, bullQueue, bullmqProQueue or customQueue',
  );
}
