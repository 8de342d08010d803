/** The data of a queue in BullMQ's PostgreSQL tables. */

import { TimeoutError } from '../../../lib/index.ts';
import { maxLogLines } from '../model/read-limits.ts';
import type { Datastore, JobStatus } from '../model/types.ts';
import { heavyRead } from '../../core/index.ts';
import { examinedRuns } from '../model/store.ts';
import type { QueueStore, WorkerRecord } from '../model/store.ts';
import { minuteMs } from '../model/activity.ts';
import { activitiesOf, activityStatement } from './activity.ts';
import { readCourse, readPlace } from './course.ts';
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

  readonly ready: QueueStore['ready'] = async () => {
    await this.#query('select 1', []);
  };

  readonly group: QueueStore['group'] = () =>
    this.#location.address ?? `pool ${numberOf(this.#location.pool)}`;

  readonly facts: QueueStore['facts'] = async (queues, withWorkers) => {
    const names = queues.map((queue) => queue.qualifiedName);
    const rows = await this.#readAlike(queues, factsStatement(withWorkers), [names, Date.now()]);
    const factsOf = parseFacts(rows, this.#location.statuses);
    return names.map((name) => factsOf(name, withWorkers));
  };

  readonly recordings: QueueStore['recordings'] = async (queues) => {
    const asked = queues.map(({ store, request }) => ({ queue: store.qualifiedName, request }));
    const rows = await this.#readAlike(
      queues.map(({ store }) => store),
      recordingStatement,
      [recordingParameter(asked)],
    );
    return queues.map((_queue, index) => parseRecording(rows[index]));
  };

  readonly activity: QueueStore['activity'] = async (queues, minutes, withWorkers) => {
    const names = queues.map((queue) => queue.qualifiedName);
    const values = [names, Date.now() - minuteMs, minutes + 2];
    const rows = await this.#readAlike(queues, activityStatement(withWorkers), values);
    return activitiesOf(names, rows, withWorkers);
  };

  readonly pages: QueueStore['pages'] = async (statuses, start, end, { maxBytes, withData }) => {
    const values = [this.#location.queue, start, end - start + 1, maxBytes, withData];
    const rows = await this.#read(pagesStatement(statuses), values);
    return statuses.map((status) => ({
      status,
      jobs: rows.filter((row) => row['status'] === status).map(jobFromRow),
    }));
  };

  readonly summaries: QueueStore['summaries'] = (query) =>
    readSummaries(this.#read, this.#location.queue, query);

  readonly timeline: QueueStore['timeline'] = (buckets) =>
    readTimeline(this.#read, this.#location.queue, buckets);

  readonly failures: QueueStore['failures'] = (query) =>
    readFailures(this.#read, this.#location.queue, query);

  readonly job: QueueStore['job'] = async (id, withTexts = false) => {
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
  };

  readonly events: QueueStore['events'] = (id, from, to) =>
    readCourse(this.#read, this.#location.queue, id, from, to);

  readonly place: QueueStore['place'] = ({ job }) =>
    readPlace(this.#read, this.#location.queue, job.id);

  readonly flowJobs: QueueStore['flowJobs'] = async (ids, maxChildren, { maxBytes, withData }) => {
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
  };

  readonly logs: QueueStore['logs'] = async (id, { maxBytes }) => {
    const values = [this.#location.queue, id, maxLogLines, maxBytes];
    const rows = await this.#read(logsStatement, values);
    return {
      lines: rows.map((row) => String(row['line'])).toReversed(),
      total: count(rows[0]?.['total']),
    };
  };

  readonly logPage: QueueStore['logPage'] = async (id, start, limit, { maxBytes }) => {
    const values = [this.#location.queue, id, start, limit, maxBytes];
    const rows = await this.#read(logPageStatement, values);
    return {
      lines: rows.flatMap(({ line }) => (line === null ? [] : [String(line)])),
      total: count(rows[0]?.['total']),
    };
  };

  readonly workers: QueueStore['workers'] = async (queues) => {
    const names = queues.map((queue) => queue.qualifiedName);
    const fitting = names.filter(fitsSessionName);
    const rows =
      fitting.length > 0 ? await this.#readAlike(queues, workersStatement, [fitting]) : [];
    const byQueue = Map.groupBy(rows, (row) => String(row['queue']));
    return names.map((name) =>
      fitsSessionName(name) ? (byQueue.get(name) ?? []).map(workerFromRow) : null,
    );
  };

  readonly schedulers: QueueStore['schedulers'] = async (limit) => {
    const rows = await this.#query(schedulersStatement, [this.#location.queue, limit, null]);
    return rows.map(schedulerFromRow);
  };

  readonly scheduler: QueueStore['scheduler'] = async (id) => {
    const [row] = await this.#query(schedulersStatement, [this.#location.queue, 1, id]);
    return row ? schedulerFromRow(row) : null;
  };

  readonly latestWithPrefix: QueueStore['latestWithPrefix'] = async (prefix) => {
    const rows = await this.#query(prefixedStatement, [this.#location.queue, prefix, examinedRuns]);
    return rows.map((row) => String(row['id']));
  };

  readonly stats: QueueStore['stats'] = async () => {
    const [row] = await this.#query(statsStatement, []);
    if (!row) return null;
    return {
      backend: 'sql',
      version: String(row['version']).split(' ')[0] ?? '',
      port: count(row['port']),
      uptime: Math.floor(count(row['uptime'])),
      clients: { connected: count(row['connected']), blocked: count(row['blocked']) },
    };
  };

  /** Jobs finished per minute; `null` when the library records no metrics for the queue. */
  readonly metrics: QueueStore['metrics'] = async (kind) => {
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
  };

  readonly find: QueueStore['find'] = async (criteria) => {
    const { pool, queue } = this.#location;
    await this.ready();
    // The query pipeline behind the search is large, and most boards have their queues in Redis.
    const { searchIds } = await import('./search.ts');
    const { ids, next, counted } = await searchIds(
      { name: queue, pool, query: this.#read },
      criteria,
    );
    const rows = await this.#read(jobsStatement, [queue, ids]);
    const byId = new Map(rows.map((row) => [String(row['id']), row]));
    const found = ids.flatMap((id) => {
      const row = byId.get(id);
      return row ? [locatedFromRow(row)] : [];
    });
    return { found, counted, next };
  };

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
  readonly #read: SearchedQueue['query'] = (text, values) => {
    const send = () => this.#query(text, values);
    return heavyRead()?.request(send) ?? send();
  };

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
