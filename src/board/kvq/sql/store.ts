/** The data of a queue in BullMQ's PostgreSQL tables. */

import { TimeoutError, withTimeout } from '../../../lib/index.ts';
import type { Datastore, JobStatus, KvStats, QueueMetrics } from '../model/types.ts';
import type { JobPage } from '../model/job-record.ts';
import type { FoundJobs, JobCriteria } from '../model/search-criteria.ts';
import type {
  FactsResult,
  FlowJob,
  LocatedJob,
  QueueStore,
  SchedulerRecord,
  WorkerRecord,
} from '../model/store.ts';
import { isUnavailable } from '../errors/unavailable.ts';
import { fitsSessionName, parseFacts, workerMark } from './facts.ts';
import { jobFromRow, locatedFromRow } from './job-row.ts';
import type { SqlPool, SqlRows } from './pool.ts';
import { type SearchedQueue, searchIds } from './search.ts';
import { schedulerFromRow } from './scheduler-row.ts';
import {
  countFinishedStatement,
  factsStatement,
  flowStatement,
  jobsStatement,
  jobStatement,
  metricsStatement,
  pagesStatement,
  schedulersStatement,
  statsStatement,
  workersStatement,
} from './statements.ts';
import { timeouts } from '../timeouts.ts';

/** The location of a queue's rows. */
export interface SqlLocation {
  readonly queue: string;
  readonly pool: SqlPool;
  /** Identifies the tables: equal for pools of the same tables, if known. */
  readonly address: string | undefined;
  readonly statuses: readonly JobStatus[];
  /** Resolves once the library has found its tables. */
  ready(): Promise<void>;
}

/** Number of each pool, which distinguishes queues of different pools. */
const poolNumbers = new WeakMap<SqlPool, number>();
let pools = 0;

function numberOf(pool: SqlPool): number {
  const known = poolNumbers.get(pool);
  if (known !== undefined) return known;
  poolNumbers.set(pool, (pools += 1));
  return pools;
}

const isRow = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const count = (value: unknown): number => Number(value ?? 0) || 0;

/** See {@link QueueStore}. */
export class SqlStore implements QueueStore {
  readonly datastore: Datastore = 'sql';
  readonly qualifiedName: string;
  readonly #location: SqlLocation;

  constructor(location: SqlLocation) {
    this.#location = location;
    this.qualifiedName = location.queue;
  }

  async ready(): Promise<void> {
    await this.#query('select 1', []);
  }

  group(): string {
    return this.#location.address ?? `pool ${numberOf(this.#location.pool)}`;
  }

  async facts(queues: readonly QueueStore[], withWorkers: boolean): Promise<FactsResult[]> {
    const names = queues.map((queue) => queue.qualifiedName);
    const rows = await this.#readAlike(queues, factsStatement(withWorkers), [names, Date.now()]);
    const factsOf = parseFacts(rows, this.#location.statuses);
    return names.map((name) => factsOf(name, withWorkers));
  }

  async pages(statuses: readonly JobStatus[], start: number, end: number): Promise<JobPage[]> {
    const values = [this.#location.queue, start, end - start + 1];
    const rows = await this.#query(pagesStatement(statuses), values);
    return statuses.map((status) => ({
      status,
      jobs: rows.filter((row) => row['status'] === status).map(jobFromRow),
    }));
  }

  async job(id: string): Promise<LocatedJob | null> {
    const [row] = await this.#query(jobStatement, [this.#location.queue, id]);
    return row ? locatedFromRow(row) : null;
  }

  async flowJobs(ids: readonly string[], maxChildren: number): Promise<(FlowJob | null)[]> {
    const rows = await this.#query(flowStatement, [this.#location.queue, ids, maxChildren]);
    const byId = new Map(rows.map((row) => [String(row['id']), row]));
    return ids.map((id) => {
      const row = byId.get(id);
      if (!row) return null;
      const { child_keys: keys, reasons } = row;
      const pairs = isRow(reasons) ? Object.entries(reasons) : [];
      return {
        ...locatedFromRow(row),
        dependencies: {
          processed: count(row['processed']),
          unprocessed: count(row['unprocessed']),
          ignored: count(row['ignored']),
          failed: count(row['failed']),
        },
        childKeys: Array.isArray(keys) ? keys.map(String) : [],
        ignoredReasons: Object.fromEntries(pairs.map(([key, reason]) => [key, String(reason)])),
      };
    });
  }

  async workers(): Promise<WorkerRecord[] | null> {
    const { queue } = this.#location;
    if (!fitsSessionName(queue)) return null;
    const rows = await this.#query(workersStatement, [queue]);
    return rows.map((row) => {
      const name = String(row['application_name']);
      const host = row['host'];
      return {
        id: String(row['pid']),
        name: name.slice(queue.length + workerMark.length) || null,
        addr: host === null ? '[local]' : `${String(host)}:${String(row['port'])}`,
        age: Math.floor(count(row['age'])),
      };
    });
  }

  async countFinished(status: 'completed' | 'failed', before: number): Promise<number> {
    const values = [this.#location.queue, status, before];
    return count((await this.#query(countFinishedStatement, values))[0]?.['count']);
  }

  async schedulers(limit: number): Promise<SchedulerRecord[]> {
    const rows = await this.#query(schedulersStatement, [this.#location.queue, limit, null]);
    return rows.map(schedulerFromRow);
  }

  async scheduler(id: string): Promise<SchedulerRecord | null> {
    const [row] = await this.#query(schedulersStatement, [this.#location.queue, 1, id]);
    return row ? schedulerFromRow(row) : null;
  }

  async stats(): Promise<KvStats | null> {
    const [row] = await this.#query(statsStatement, []);
    if (!row) return null;
    return {
      backend: 'sql',
      version: String(row['version']).split(' ')[0] ?? '',
      port: count(row['port']),
      uptime: Math.floor(count(row['uptime'])),
      clients: { connected: count(row['connected']), blocked: count(row['blocked']) },
    };
  }

  /** Jobs finished per minute; `null` when the library records no metrics for the queue. */
  async metrics(kind: 'completed' | 'failed'): Promise<QueueMetrics> {
    const [row] = await this.#query(metricsStatement, [this.#location.queue, kind]);
    const data = row?.['data'];
    return {
      meta: {
        count: count(row?.['count']),
        prevTS: count(row?.['prev_ts']),
        prevCount: count(row?.['prev_count']),
      },
      data: Array.isArray(data) ? data.map(count) : [],
      count: count(row?.['points']),
    };
  }

  async find(criteria: JobCriteria): Promise<FoundJobs> {
    const { pool, queue } = this.#location;
    await this.ready();
    const query: SearchedQueue['query'] = (text, values) => this.#query(text, values);
    const { ids, next, counted } = await searchIds({ name: queue, pool, query }, criteria);
    const rows = await this.#query(jobsStatement, [queue, ids]);
    const byId = new Map(rows.map((row) => [String(row['id']), row]));
    const found = ids.flatMap((id) => {
      const row = byId.get(id);
      return row ? [locatedFromRow(row)] : [];
    });
    return { found, counted, next };
  }

  /**
   * Reads over this pool or that of another queue, which all lead to the same tables: a host may close any of them
   * while the board is running.
   */
  async #readAlike(
    queues: readonly QueueStore[],
    text: string,
    values: unknown[],
  ): Promise<SqlRows['rows']> {
    try {
      return await this.#query(text, values);
    } catch (error) {
      const others = queues.filter((queue) => queue instanceof SqlStore && queue !== this);
      if (error instanceof TimeoutError || others.length === 0) throw error;
      const ready = others.map((store) => store.ready().then(() => store));
      const other = await Promise.any(ready).catch(() => null);
      if (!(other instanceof SqlStore)) throw error;
      return other.#query(text, values);
    }
  }

  async #query(text: string, values: unknown[]): Promise<SqlRows['rows']> {
    const { pool, ready } = this.#location;
    // The library looks for its tables once and, if the server was down, repeats that error forever. The pool recovers.
    const looked = ready().catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
    });
    const work = looked.then(() => pool.query(text, values));
    return (await withTimeout(work, timeouts().statementMs)).rows;
  }
}
