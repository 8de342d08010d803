/** The data of a queue in BullMQ's PostgreSQL tables. */

import { TimeoutError } from '../../../lib/index.ts';
import { maxLogLines, type LogWindow, type ReadLimits } from '../model/read-limits.ts';
import type { Datastore, JobStatus, KvStats, QueueMetrics } from '../model/types.ts';
import type { QueueTimeline, TimelineBuckets } from '../../contract/index.ts';
import { type SourceReading, heavyRead } from '../../core/index.ts';
import type { JobPage } from '../model/job-record.ts';
import type { SummaryPage, SummaryQuery } from '../model/job-summary.ts';
import type { FailureQuery, StoredFailures } from '../model/failures.ts';
import type { FoundJobs, JobCriteria } from '../model/search-criteria.ts';
import { examinedRuns } from '../model/store.ts';
import type {
  FactsResult,
  FlowJob,
  LocatedJob,
  QueueStore,
  SchedulerRecord,
  VersionedJob,
  WorkerRecord,
} from '../model/store.ts';
import { minuteMs, type ActivityResult } from '../model/activity.ts';
import { activitiesOf, activityStatement } from './activity.ts';
import { readCourse, readPlace } from './course.ts';
import type { EventsOfJob, JobPlace } from '../model/course.ts';
import { isUnavailable } from '../errors/unavailable.ts';
import { fitsSessionName, parseFacts, workerMark } from './facts.ts';
import { jobFromRow, locatedFromRow, textsOfRow, schedulerFromRow } from './rows.ts';
import { readFailures } from './failures.ts';
import { loanOf } from './loan.ts';
import type { SqlPool, SqlRows } from './pool.ts';
import { parseRecording, recordingParameter, recordingStatement } from './recording.ts';
import type { SearchedQueue } from './search.ts';
import {
  boundedStatement,
  factsStatement,
  flowStatement,
  jobsStatement,
  jobStatement,
  logPageStatement,
  logsStatement,
  metricsStatement,
  pagesStatement,
  prefixedStatement,
  schedulersStatement,
  statsStatement,
  workersStatement,
} from './statements.ts';
import { readSummaries } from './summaries.ts';
import { readTimeline } from './timeline.ts';
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

function workerFromRow(row: SqlRows['rows'][number]): WorkerRecord {
  const { queue, host } = row;
  return {
    id: String(row['pid']),
    name: String(row['application_name']).slice(String(queue).length + workerMark.length) || null,
    addr: host === null ? '[local]' : `${String(host)}:${String(row['port'])}`,
    age: Math.floor(count(row['age'])),
  };
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

  async recordings(
    queues: Parameters<QueueStore['recordings']>[0],
  ): Promise<(SourceReading | Error)[]> {
    const asked = queues.map(({ store, request }) => ({ queue: store.qualifiedName, request }));
    const rows = await this.#readAlike(
      queues.map(({ store }) => store),
      recordingStatement,
      [recordingParameter(asked)],
    );
    return queues.map((_queue, index) => parseRecording(rows[index]));
  }

  async activity(
    queues: readonly QueueStore[],
    minutes: number,
    withWorkers: boolean,
  ): Promise<ActivityResult[]> {
    const names = queues.map((queue) => queue.qualifiedName);
    const values = [names, Date.now() - minuteMs, minutes + 2];
    const rows = await this.#readAlike(queues, activityStatement(withWorkers), values);
    return activitiesOf(names, rows, withWorkers);
  }

  async pages(
    statuses: readonly JobStatus[],
    start: number,
    end: number,
    { maxBytes, withData }: ReadLimits,
  ): Promise<JobPage[]> {
    const values = [this.#location.queue, start, end - start + 1, maxBytes, withData];
    const rows = await this.#read(pagesStatement(statuses), values);
    return statuses.map((status) => ({
      status,
      jobs: rows.filter((row) => row['status'] === status).map(jobFromRow),
    }));
  }

  summaries(query: SummaryQuery): Promise<SummaryPage[]> {
    const run = (text: string, values: unknown[]) => this.#read(text, values);
    return readSummaries(run, this.#location.queue, query);
  }

  timeline(buckets: TimelineBuckets): Promise<QueueTimeline> {
    const run = (text: string, values: unknown[]) => this.#read(text, values);
    return readTimeline(run, this.#location.queue, buckets);
  }

  failures(query: FailureQuery): Promise<StoredFailures> {
    const run = (text: string, values: unknown[]) => this.#read(text, values);
    return readFailures(run, this.#location.queue, query);
  }

  async job(id: string, withTexts = false): Promise<VersionedJob | null> {
    const [row] = await this.#read(jobStatement(withTexts), [this.#location.queue, id]);
    if (!row) return null;
    const texts = withTexts && textsOfRow(row);
    const digest = (name: string): string => String(row[`${name}_digest`]);
    return {
      ...locatedFromRow(row),
      revision: String(row['revision']),
      parts: {
        data: digest('data'),
        opts: digest('opts'),
        progress: digest('progress'),
        returnValue: digest('return_value'),
      },
      ...(texts && { texts }),
    };
  }

  events(id: string, from: number, to: number | null): Promise<EventsOfJob> {
    const run = (text: string, values: unknown[]) => this.#read(text, values);
    return readCourse(run, this.#location.queue, id, from, to);
  }

  place({ job }: LocatedJob): Promise<JobPlace> {
    const run = (text: string, values: unknown[]) => this.#read(text, values);
    return readPlace(run, this.#location.queue, job.id);
  }

  async flowJobs(
    ids: readonly string[],
    maxChildren: number,
    { maxBytes, withData }: ReadLimits,
  ): Promise<(FlowJob | null)[]> {
    const { queue } = this.#location;
    const rows = await this.#read(flowStatement, [queue, ids, maxChildren]);
    const whole = withData
      ? await this.#read(boundedStatement, [queue, ids, null, maxBytes, withData])
      : [];
    const byId = new Map(rows.map((row) => [String(row['id']), row]));
    for (const { status: _status, ...row } of whole) {
      byId.set(String(row['id']), { ...byId.get(String(row['id'])), ...row });
    }
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

  async logs(id: string, { maxBytes }: ReadLimits): Promise<LogWindow> {
    const values = [this.#location.queue, id, maxLogLines, maxBytes];
    const rows = await this.#read(logsStatement, values);
    return {
      lines: rows.map((row) => String(row['line'])).toReversed(),
      total: count(rows[0]?.['total']),
    };
  }

  async logPage(
    id: string,
    start: number,
    limit: number,
    { maxBytes }: ReadLimits,
  ): Promise<LogWindow> {
    const values = [this.#location.queue, id, start, limit, maxBytes];
    const rows = await this.#read(logPageStatement, values);
    return {
      lines: rows.flatMap(({ line }) => (line === null ? [] : [String(line)])),
      total: count(rows[0]?.['total']),
    };
  }

  async workers(queues: readonly QueueStore[]): Promise<(WorkerRecord[] | null)[]> {
    const names = queues.map((queue) => queue.qualifiedName);
    const fitting = names.filter(fitsSessionName);
    const rows =
      fitting.length > 0 ? await this.#readAlike(queues, workersStatement, [fitting]) : [];
    const byQueue = Map.groupBy(rows, (row) => String(row['queue']));
    return names.map((name) =>
      fitsSessionName(name) ? (byQueue.get(name) ?? []).map(workerFromRow) : null,
    );
  }

  async schedulers(limit: number): Promise<SchedulerRecord[]> {
    const rows = await this.#query(schedulersStatement, [this.#location.queue, limit, null]);
    return rows.map(schedulerFromRow);
  }

  async scheduler(id: string): Promise<SchedulerRecord | null> {
    const [row] = await this.#query(schedulersStatement, [this.#location.queue, 1, id]);
    return row ? schedulerFromRow(row) : null;
  }

  async latestWithPrefix(prefix: string): Promise<string[]> {
    const rows = await this.#query(prefixedStatement, [this.#location.queue, prefix, examinedRuns]);
    return rows.map((row) => String(row['id']));
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
    const query: SearchedQueue['query'] = (text, values) => this.#read(text, values);
    // The query pipeline behind the search is large, and most boards have their queues in Redis.
    const { searchIds } = await import('./search.ts');
    const { ids, next, counted } = await searchIds({ name: queue, pool, query }, criteria);
    const rows = await this.#read(jobsStatement, [queue, ids]);
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

  /** A query of a read that may be heavy: within the budget of the board. */
  #read(text: string, values: unknown[]): Promise<SqlRows['rows']> {
    const send = (): Promise<SqlRows['rows']> => this.#query(text, values);
    return heavyRead()?.request(send) ?? send();
  }

  async #query(text: string, values: unknown[]): Promise<SqlRows['rows']> {
    const { pool, ready } = this.#location;
    // The library looks for its tables once and, if the server was down, repeats that error forever. The pool recovers.
    const looked = ready().catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
    });
    const work = (): Promise<SqlRows> => looked.then(() => pool.query(text, values));
    return (await loanOf(pool).read(work, timeouts().statementMs)).rows;
  }
}
