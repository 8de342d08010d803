/**
 * The queue driver for BullMQ Pro, which adds groups to BullMQ. Jobs of a group wait outside the ordinary lists, so the
 * jobs of the groups are counted and listed behind the others. Written from the documentation; not tested against the
 * library.
 */

import { withTimeout } from '../../../lib/index.ts';
import { JobState as JobStates } from '../../contract/index.ts';
import type { QueueDriver } from '../model/driver.ts';
import type { JobRecord } from '../model/job-record.ts';
import type { JobState, JobStatus } from '../model/types.ts';
import { BullMqDriver } from './bullmq-driver.ts';
import type { BullMqQueue } from './bullmq-types.ts';
import { memberOf, methodOf } from './record.ts';
import { timeouts } from '../timeouts.ts';

/** Milliseconds for which the groups are cached: counts and pages of a moment agree. */
const keepFor = 5_000;

/** Groups read per call, and at most. */
const groupsPerCall = 1_000;
const maxGroups = 100_000;

/** The status in which the jobs of a group state count. A group has one state. */
const statusOfGroups: readonly (readonly [state: string, status: JobStatus])[] = [
  ['waiting', 'waiting'],
  ['limited', 'delayed'],
  ['maxed', 'delayed'],
  ['paused', 'paused'],
];

/** A group and the number of its jobs. */
interface Group {
  readonly id: string;
  readonly jobs: number;
}

/** Groups by the status in which their jobs count. */
type Groups = Partial<Record<JobStatus, readonly Group[]>>;

/** The most groups whose jobs are counted one by one, for releases that do not tell the numbers. */
const maxCounted = 1_000;

const sum = (groups: readonly Group[]): number => groups.reduce((all, { jobs }) => all + jobs, 0);

/** See {@link BullMqDriver}. */
export class BullMqProDriver extends BullMqDriver {
  readonly #pro: BullMqQueue;
  #reading: { readonly at: number; readonly groups: Promise<Groups> } | undefined;

  constructor(queue: BullMqQueue) {
    super(queue, 'current-pro');
    this.#pro = queue;
  }

  override readonly groupCounts: QueueDriver['groupCounts'] = async () => {
    const groups = Object.entries(await this.#groups());
    return Object.fromEntries(groups.map(([status, members]) => [status, sum(members)]));
  };

  async groupJobIds(status: JobStatus, start: number, end: number): Promise<readonly string[]> {
    const members = (await this.#groups())[status] ?? [];
    const jobsOf = methodOf(this.#pro, 'getGroupJobs');
    if (!jobsOf) return [];
    const reads: Promise<unknown>[] = [];
    let before = 0;
    for (const { id, jobs } of members) {
      const [from, to] = [Math.max(0, start - before), Math.min(jobs - 1, end - before)];
      before += jobs;
      if (from <= to) reads.push(jobsOf(id, from, to));
      if (before > end) break;
    }
    const found = await withTimeout(Promise.all(reads), timeouts().libraryMs);
    return found.flatMap((jobs) =>
      (Array.isArray(jobs) ? jobs : []).map((job) => String(memberOf(job, 'id'))),
    );
  }

  async stateInGroup(id: string): Promise<JobState> {
    const state = await methodOf(await this.#pro.getJob(id), 'getState')?.();
    return JobStates.options.find((known) => known === state) ?? 'unknown';
  }

  override readonly changed: QueueDriver['changed'] = () => {
    this.#reading = undefined;
  };

  /** The name of a job with its group id. */
  nameOf({ name, opts }: JobRecord): string {
    const group = memberOf(opts['group'], 'id');
    return group === undefined || group === null ? name : `${name} (${String(group)})`;
  }

  /** The groups; none where the library does not answer in time. */
  #groups(): Promise<Groups> {
    if (!this.#reading || Date.now() - this.#reading.at > keepFor) {
      this.#reading = {
        at: Date.now(),
        groups: withTimeout(this.#read(), timeouts().othersMs).catch(() => {
          this.#reading = undefined;
          return {};
        }),
      };
    }
    return this.#reading.groups;
  }

  async #read(): Promise<Groups> {
    const groups: Partial<Record<JobStatus, Group[]>> = {};
    for (const [state, status] of statusOfGroups) {
      (groups[status] ??= []).push(...(await this.#inState(state)));
    }
    return groups;
  }

  async #inState(state: string): Promise<Group[]> {
    const groupsOf = methodOf(this.#pro, 'getGroupsByStatus');
    const all: Group[] = [];
    for (let start = 0; groupsOf && start < maxGroups; start += groupsPerCall) {
      const found = await groupsOf(state, start, start + groupsPerCall - 1);
      const some: unknown[] = Array.isArray(found) ? found : [];
      const isCounted = all.length < maxCounted;
      all.push(...(await Promise.all(some.map((entry) => this.#groupOf(entry, isCounted)))));
      if (some.length < groupsPerCall) break;
    }
    return all;
  }

  /** A group of `getGroupsByStatus`. Before BullMQ Pro 7.46.3, it does not tell the number of its jobs. */
  async #groupOf(entry: unknown, isCounted: boolean): Promise<Group> {
    const id = String(memberOf(entry, 'id'));
    const told = memberOf(entry, 'count');
    const count = methodOf(this.#pro, 'getGroupJobsCount');
    const jobs = told === undefined && isCounted && count ? await count(id) : told;
    return { id, jobs: Math.max(0, Number(jobs ?? 1) || 0) };
  }
}
