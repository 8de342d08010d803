/** Which queues a request may see: those the board serves, that exist, and that the host's guard shows. */

import { BoundedCache } from '../../../lib/index.ts';
import { runQuery } from '../../../rules/index.ts';
import { isStorableText } from '../../../schema/index.ts';
import {
  BoardError,
  type HookRequest,
  type VisibilityGuard,
  visibility,
} from '../../core/index.ts';
import type { OpenSchema } from './installation.ts';
import type { PgqSettings } from '../options.ts';

/** Milliseconds that a queue which was there is taken to be there still. */
const knownMs = 1_000;

/** The queues of one board. */
export class VisibleQueues {
  readonly #settings: PgqSettings;
  readonly #guard: VisibilityGuard;
  readonly #known = new BoundedCache<string, number>(1_000);

  constructor(settings: PgqSettings) {
    this.#settings = settings;
    this.#guard = visibility(settings.visibilityGuard);
  }

  /** Whether the request may see a queue of that name, should there be one. */
  async mayShow(request: HookRequest, name: string): Promise<boolean> {
    return this.#settings.serves(name) && (await this.#guard(request, name));
  }

  /** A test for names, with the guard asked once for each. */
  async shownAmong(request: HookRequest, names: Iterable<string>): Promise<ReadonlySet<string>> {
    const asked = [...new Set(names)];
    const answers = await Promise.all(asked.map((name) => this.mayShow(request, name)));
    return new Set(asked.filter((_name, index) => answers[index]));
  }

  /**
   * Makes sure of a queue. One statement, unless the queue was met a moment ago; it runs for hidden queues
   * too, so that time does not tell them from missing ones.
   *
   * @throws {BoardError} QUEUE_NOT_FOUND when the queue is missing or hidden
   */
  async require(schema: OpenSchema, request: HookRequest, name: string): Promise<void> {
    const exists = await this.#exists(schema, name);
    if (!exists || !(await this.mayShow(request, name))) throw new BoardError('QUEUE_NOT_FOUND');
  }

  /** Looks again for a queue that turned out not to be what it was a moment ago. */
  forget(name: string): void {
    this.#known.set(name, -Infinity);
  }

  /** Names of all queues of the schema. */
  async names({ listings, read }: OpenSchema): Promise<string[]> {
    const { data } = await read((session) =>
      runQuery(listings.source(session, 'queue'), { paginate: 'false' }, listings.rules.queueNames),
    );
    return data.map((row) => row.name ?? '');
  }

  async #exists({ listings, read }: OpenSchema, name: string): Promise<boolean> {
    if (!isStorableText(name)) return false;
    const now = performance.now();
    const met = this.#known.get(name);
    if (met !== undefined && now - met < knownMs) return true;
    const { data } = await read((session) =>
      runQuery(
        listings.source(session, 'queue'),
        { filter: { name: { eq: name } }, perPage: '1' },
        listings.rules.queueNames,
      ),
    );
    if (data.length > 0) this.#known.set(name, now);
    return data.length > 0;
  }
}
