/**
 * BullMQ Pro, by its documented surface: BullMQ with groups. Jobs of a group wait outside the ordinary lists, so
 * what the library says of its groups is added to the counts. No copy of it was at hand to test this with.
 */

import { withTimeout } from '../../../lib/index.ts';
import type { JobStatus } from '../model/types.ts';
import { BullMqDriver } from './bullmq-driver.ts';
import type { BullMqQueue } from './bullmq-types.ts';
import { memberOf, methodOf } from './record.ts';
import { timeouts } from '../timeouts.ts';

/** Milliseconds that readings of groups are kept. */
const keepFor = 5_000;

/** Which status the jobs of groups in a state count for. */
const statusOfGroups: readonly (readonly [state: string, status: JobStatus])[] = [
  ['waiting', 'waiting'],
  ['limited', 'delayed'],
  ['maxed', 'delayed'],
  ['paused', 'paused'],
];

/** Jobs of groups by the status they count for. */
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

  /** The name of a job with the id of its group. */
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
