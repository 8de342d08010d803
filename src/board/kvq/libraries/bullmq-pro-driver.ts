/**
 * The queue driver for BullMQ Pro, which adds groups to BullMQ. Jobs of a group wait outside the ordinary lists, so the
 * group counts of the library are added. Written from the documentation; not tested against the library.
 */

import { withTimeout } from '../../../lib/index.ts';
import type { JobStatus } from '../model/types.ts';
import { BullMqDriver } from './bullmq-driver.ts';
import type { BullMqQueue } from './bullmq-types.ts';
import { memberOf, methodOf } from './record.ts';
import { timeouts } from '../timeouts.ts';

/** Milliseconds for which group counts are cached. */
const keepFor = 5_000;

/** The status in which the jobs of a group state count. */
const statusOfGroups: readonly (readonly [state: string, status: JobStatus])[] = [
  ['waiting', 'waiting'],
  ['limited', 'delayed'],
  ['maxed', 'delayed'],
  ['paused', 'paused'],
];

/** Group jobs by the status in which they count. */
export type GroupCounts = Partial<Record<JobStatus, number>>;

/** See {@link BullMqDriver}. */
export class BullMqProDriver extends BullMqDriver {
  readonly #pro: BullMqQueue;
  #reading: { readonly at: number; readonly counts: Promise<GroupCounts> } | undefined;

  constructor(queue: BullMqQueue) {
    super(queue, 'current-pro');
    this.#pro = queue;
  }

  override groupCounts(): Promise<GroupCounts> {
    if (!this.#reading || Date.now() - this.#reading.at > keepFor) {
      this.#reading = {
        at: Date.now(),
        counts: withTimeout(this.#read(), timeouts().othersMs).catch(() => ({})),
      };
    }
    return this.#reading.counts;
  }

  override changed(): void {
    this.#reading = undefined;
  }

  /** The name of a job with its group id. */
  nameWithGroup(job: Readonly<Record<string, unknown>>): string {
    const group = memberOf(memberOf(job['opts'], 'group'), 'id');
    const name = String(job['name'] ?? '');
    return group === undefined || group === null ? name : `${name} (${String(group)})`;
  }

  async #read(): Promise<GroupCounts> {
    const counts = await methodOf(this.#pro, 'getGroupsCountByStatus')?.();
    const jobs: GroupCounts = {};
    for (const [state, status] of statusOfGroups) {
      jobs[status] = (jobs[status] ?? 0) + (Number(memberOf(counts, state)) || 0);
    }
    return jobs;
  }
}
