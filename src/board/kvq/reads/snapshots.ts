/** Reads all queues at once and shares the result among concurrent requests. */

import { SingleFlight } from '../../../lib/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { heavyRead } from '../../core/index.ts';
import { GroupReader } from './group-reader.ts';
import type { JobPage } from '../model/job-record.ts';
import type { SummaryPage, SummaryQuery } from '../model/job-summary.ts';
import type { ReadLimits } from '../model/read-limits.ts';
import type { ProblemLog } from '../queue/problem-log.ts';
import type { QueueRegistry } from '../queue/queue-registry.ts';
import type { FactsRead, FactsResult } from '../model/store.ts';
import type { JobStatus } from '../model/types.ts';

/** The pages of a queue from `start` to `end`, filled up with jobs of its groups. */
async function pagesWithGroups(
  queue: BoardQueue,
  statuses: readonly JobStatus[],
  start: number,
  end: number,
  limits: ReadLimits,
): Promise<JobPage[]> {
  const { driver } = queue;
  const { store } = driver;
  const pages = await store.pages(statuses, start, end, limits);
  const size = end - start + 1;
  if (!driver.groupJobIds || pages.every(({ jobs }) => jobs.length >= size)) return pages;
  const [result] = await store.facts([store], false);
  const counts = result && 'facts' in result ? result.facts.counts : {};
  const filled: JobPage[] = [];
  for (const page of pages) {
    const status = statuses.find((known) => known === page.status);
    const missing = size - page.jobs.length;
    const from = Math.max(0, start - (status ? (counts[status] ?? 0) : 0));
    const ids =
      status && missing > 0 ? await driver.groupJobIds(status, from, from + missing - 1) : [];
    const found = ids.length === 0 ? [] : await store.flowJobs(ids, 0, limits);
    const jobs = found.flatMap((located) => (located ? [located.job] : []));
    filled.push({ status: page.status, jobs: [...page.jobs, ...jobs] });
  }
  return filled;
}

type Snapshot = ReadonlyMap<BoardQueue, FactsResult>;

/** Maximum number of cached job pages. */
const maxPages = 100;

interface SnapshotSettings {
  /** Milliseconds for which a snapshot is shared after it was read. */
  readonly keepFor: number;
  readonly withWorkers: boolean;
  readonly problems: ProblemLog;
}

export class Snapshots {
  /** How often reads have been dropped: answers made before a change are not shared after it. */
  changes = 0;
  readonly #registry: QueueRegistry;
  readonly #settings: SnapshotSettings;
  readonly #reader: GroupReader;
  readonly #snapshots: SingleFlight<Snapshot>;
  readonly #pages: SingleFlight<JobPage[]>;
  readonly #summaries: SingleFlight<SummaryPage[]>;

  constructor(registry: QueueRegistry, settings: SnapshotSettings) {
    this.#registry = registry;
    this.#settings = settings;
    this.#reader = new GroupReader(settings.withWorkers);
    this.#snapshots = new SingleFlight(settings.keepFor, 1);
    this.#pages = new SingleFlight(settings.keepFor, maxPages);
    this.#summaries = new SingleFlight(settings.keepFor, maxPages);
  }

  /** A snapshot not older than the settings allow. Queues that could not be read carry their error. */
  take(): Promise<Snapshot> {
    const queues = [...this.#registry.byName.values()];
    return this.#snapshots.run(`${this.#registry.version}`, () => this.#read(queues));
  }

  /** A page of jobs, shared in the same way. */
  pages(
    queue: BoardQueue,
    statuses: readonly JobStatus[],
    start: number,
    end: number,
    limits: ReadLimits,
  ): Promise<JobPage[]> {
    const { version } = this.#registry;
    const key = JSON.stringify([version, queue.name, statuses, start, end, limits]);
    return this.#shared(this.#pages, key, () =>
      pagesWithGroups(queue, statuses, start, end, limits),
    );
  }

  /** Pages of jobs in brief, shared in the same way. */
  summaries(queue: BoardQueue, query: SummaryQuery): Promise<SummaryPage[]> {
    const key = JSON.stringify([this.#registry.version, queue.name, query]);
    return this.#shared(this.#summaries, key, () => queue.driver.store.summaries(query));
  }

  async #shared<Value extends object>(
    flights: SingleFlight<Value>,
    key: string,
    read: () => Promise<Value>,
  ): Promise<Value> {
    const shared = await flights.run(key, read);
    return heavyRead()?.counted(shared) ?? shared;
  }

  /** Drops cached and pending reads after a change of one queue, or of all queues. */
  forget(queue?: BoardQueue): void {
    this.changes += 1;
    this.#snapshots.clear();
    this.#pages.clear();
    this.#summaries.clear();
    this.#reader.forget(queue?.driver.store.group());
  }

  async #read(queues: readonly BoardQueue[]): Promise<Snapshot> {
    const groups = Map.groupBy(
      queues.map((queue) => queue.driver.store),
      (store) => store.group(),
    );
    const facts = await this.#reader.read([...groups]);
    const results = new Map<BoardQueue, FactsResult>();
    const counted: Promise<void>[] = [];
    for (const queue of queues) {
      const result = facts.get(queue.driver.store) ?? {
        error: new Error('The queue was not read.'),
      };
      results.set(queue, result);
      this.#settings.problems.note(queue, 'counts', 'error' in result ? result.error : null);
      const groups = 'facts' in result ? queue.driver.groupCounts() : null;
      if (!groups || !('facts' in result)) continue;
      counted.push(
        groups.then((counts) => void results.set(queue, withGroups(queue, result, counts))),
      );
    }
    await Promise.all(counted);
    return results;
  }
}

/** Adds the counts of jobs that the library keeps in groups. */
function withGroups(
  queue: BoardQueue,
  result: FactsRead,
  groups: Partial<Record<JobStatus, number>>,
): FactsRead {
  const counts = { ...result.facts.counts };
  for (const status of queue.driver.statuses) {
    counts[status] = (counts[status] ?? 0) + (groups[status] ?? 0);
  }
  return { ...result, facts: { ...result.facts, counts } };
}
