/** Keeps the queues of the board those of its datastores: new ones are added, vanished ones removed and closed. */

import { setImmediate } from 'node:timers/promises';
import type { BoardQueue } from '../../board/index.ts';
import type { FoundQueue, OpenQueue } from './sources/source.ts';

/** Queues that are opened in one turn of the event loop. */
const openedAtOnce = 20;

/** The board, as the queues of the datastores change. */
interface ChangingBoard {
  replaceQueues(queues: readonly BoardQueue[]): void;
}

/** The queues that came to the board, and those that left it. */
export interface QueueChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export class QueueSync {
  readonly #board: ChangingBoard;
  readonly #warn: (line: string) => void;
  /** The queues in each source; of two queues of one name, that of the earlier source is shown. */
  readonly #found: Map<string, readonly FoundQueue[]>;
  #shown: ReadonlyMap<string, OpenQueue> = new Map();
  /** Names of queues that are not shown, each of which is told once. */
  readonly #hidden = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(board: ChangingBoard, sources: readonly string[], warn: (line: string) => void) {
    this.#board = board;
    this.#warn = warn;
    this.#found = new Map(sources.map((source) => [source, []]));
  }

  get queues(): readonly BoardQueue[] {
    return [...this.#shown.values()].map(({ queue }) => queue);
  }

  /** Number of queues of a source on the board. */
  sizeOf(source: string): number {
    return [...this.#shown.keys()].filter((key) => key.startsWith(`${source} `)).length;
  }

  /** Makes the queues of a source those that were found in it. Rejects when one of them cannot be opened. */
  update(source: string, found: readonly FoundQueue[]): Promise<QueueChanges> {
    // Sources look for their queues at the same time.
    const update = this.#last.then(() => {
      this.#found.set(source, found);
      return this.#apply();
    });
    this.#last = update.catch(() => undefined);
    return update;
  }

  async #apply(): Promise<QueueChanges> {
    const before = this.#shown;
    const shown = new Map<string, OpenQueue>();
    try {
      await this.#open(shown);
    } catch (error) {
      for (const [key, open] of shown) if (!before.has(key)) void close(open);
      throw error;
    }
    const gone = [...before].filter(([key]) => !shown.has(key));
    const fresh = [...shown].filter(([key]) => !before.has(key));
    this.#shown = shown;
    if (gone.length + fresh.length > 0) this.#board.replaceQueues(this.queues);
    for (const [, open] of gone) void close(open);
    return { added: namesOf(fresh), removed: namesOf(gone) };
  }

  /** Fills in the queues to show; those on the board already are open. */
  async #open(shown: Map<string, OpenQueue>): Promise<void> {
    const before = this.#shown;
    const names = new Set<string>();
    let opened = 0;
    for (const [source, found] of this.#found) {
      for (const each of found) {
        const key = `${source} ${each.key}`;
        const hidden = this.#hidden.get(key);
        if (hidden !== undefined && names.has(hidden)) continue;
        const known = before.get(key);
        const open = known ?? (await each.open());
        if (!open) continue;
        // Opening a queue takes no time outside of this process, which answers requests meanwhile.
        if (!known && (opened += 1) % openedAtOnce === 0) await setImmediate();
        const { name } = open.queue;
        if (names.has(name)) {
          this.#hide(key, name, each);
          if (!before.has(key)) void close(open);
          continue;
        }
        this.#hidden.delete(key);
        names.add(name);
        shown.set(key, open);
      }
    }
  }

  #hide(key: string, name: string, { place }: FoundQueue): void {
    if (!this.#hidden.has(key)) {
      this.#warn(`a second queue "${name}" ${place} is not shown: names must differ on a board.`);
    }
    this.#hidden.set(key, name);
  }

  /** Closes all queues. */
  async close(): Promise<void> {
    const all = [...this.#shown.values()];
    this.#shown = new Map();
    await Promise.all(all.map(close));
  }
}

const namesOf = (some: readonly (readonly [key: string, open: OpenQueue])[]): string[] =>
  some.map(([, { queue }]) => queue.name);

/** The datastore may be gone with its queue. */
async function close(open: OpenQueue): Promise<void> {
  await open.close().catch(() => undefined);
}
