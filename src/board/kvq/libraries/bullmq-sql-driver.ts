/** The queue driver for BullMQ on PostgreSQL; it locks jobs against workers while it changes them. */

import { bulkSize, DriverRefusal } from '../model/driver.ts';
import type { BulkStep, CleanableStatus } from '../model/driver.ts';
import { SqlChanges } from '../sql/changes.ts';
import type { SqlChangeLocation } from '../sql/changes.ts';
import { BullMqDriver } from './bullmq-driver.ts';
import type { BullMqQueue } from './bullmq-types.ts';
import { memberOf } from './record.ts';

/** Error codes of the library: job not found, and job not in the state. */
const [missing, notInState] = [-1, -3];

/** See {@link BullMqDriver}. */
export class BullMqSqlDriver extends BullMqDriver {
  readonly #changes: SqlChanges;

  constructor(queue: BullMqQueue, location: SqlChangeLocation) {
    super(queue);
    this.#changes = new SqlChanges(location);
  }

  override async remove(id: string): Promise<void> {
    const removed = await this.#changes.remove(id).catch((error: unknown) => {
      // The database function raises these codes, for example for the next run of a scheduler.
      throw memberOf(error, 'code') === 'BM001' ? new DriverRefusal('scheduled', error) : error;
    });
    if (removed === 0) throw new DriverRefusal('active');
  }

  override async promote(id: string): Promise<void> {
    const code = await this.#changes.promote(id);
    if (code === missing) throw new DriverRefusal('missing');
    if (code === notInState) throw new DriverRefusal('state');
  }

  override removeUnprocessedChildren(id: string): Promise<void> {
    return this.#changes.removeUnprocessedChildren(id);
  }

  override retryStep(state: 'failed' | 'completed', before: number): BulkStep {
    return async () => (await this.#changes.retryAll(state, before, bulkSize)) > 0;
  }

  override promoteStep(): BulkStep {
    return async () => (await this.#changes.promoteAll(bulkSize)) === bulkSize;
  }

  override cleanStep(status: CleanableStatus, until: number): BulkStep {
    if (status === 'active') return this.#cleanStalled(until);
    return async () => (await this.#changes.clean(status, until, bulkSize)) > 0;
  }

  override drain(): Promise<void> {
    return this.#changes.drain();
  }

  /** Removes stalled jobs only: the library would also remove active jobs that workers are processing. */
  #cleanStalled(until: number): BulkStep {
    return async () => {
      const ids = await this.#changes.stalled(until, bulkSize);
      let removed = 0;
      for (const id of ids) removed += await this.#changes.remove(id);
      return removed > 0;
    };
  }
}
