/** The queues that a request may see: served by the board, existing, and allowed by the host's guard. */

import { BoundedCache } from '../../../lib/index.ts';
import { runQuery } from '../../../rules/index.ts';
import { isStorableText } from '../../../schema/index.ts';
import { type HookRequest, QueueVisibility } from '../../core/index.ts';
import type { OpenSchema } from './installation.ts';
import type { PgqSettings } from '../options.ts';

/** Milliseconds for which a queue that was found is assumed to exist. */
const knownMs = 1_000;

/** The queues of one board. */
export class VisibleQueues {
  readonly #visibility: QueueVisibility;
  readonly #known = new BoundedCache<string, number>(1_000);

  constructor({ serves, visibilityGuard }: PgqSettings) {
    this.#visibility = new QueueVisibility(
      (request, name) => serves(name) && (visibilityGuard ? visibilityGuard(request, name) : true),
    );
  }

  /** The names of the queues that the sender may see. */
  visibleAmong(request: HookRequest, names: Iterable<string>): Promise<ReadonlySet<string>> {
    return this.#visibility.visibleAmong(request, names);
  }

  /**
   * Requires a visible queue. Runs one statement, unless the queue was found within the last second. It also runs for
   * hidden queues, so that the response time does not distinguish them from missing ones.
   *
   * @throws {BoardError} QUEUE_NOT_FOUND when the queue is missing or hidden
   */
  async require(schema: OpenSchema, request: HookRequest, name: string): Promise<void> {
    await this.#visibility.require(request, name, await this.#exists(schema, name));
  }

  /** Forgets a queue after a statement did not find it as expected. */
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
