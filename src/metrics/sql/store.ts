/** Keeps the history in PostgreSQL. */

import {
  checkOptions,
  postgresqlErrorClass,
  refuseArguments,
  withTimeout,
} from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import { isStorableText } from '../../schema/index.ts';
import { isUnavailable } from '../../board/kvq/index.ts';
import { globalQueue, HistoryUnavailableError, usageOf } from '../../board/core/index.ts';
import type { MinuteCount } from '../../board/core/index.ts';
import type { QueueAttempt } from '../model/errors.ts';
import { bucketCount } from '../model/histogram.ts';
import { encodedWrite, stateOf } from '../model/encode.ts';
import type { BucketRange, MetricsStore } from '../model/store.ts';
import { dayOf, lastDayBefore } from '../model/time.ts';
import {
  commitName,
  minutesPerHour,
  qualified,
  schemaVersion,
  type SqlNames,
  numbersOf,
  packedList,
  unpackedList,
} from './layout.ts';
import { migrationStatements } from './migration.ts';
import { usageRow, usageStatement } from './usage.ts';

/** Where the tables of a history are. */
export interface SqlMetricsTables {
  /** Schema of the tables. Default `sluice`. */
  readonly schema?: string;
  /** Prefix of the tables and functions, at most 32 characters; a history has one. Default `metrics_`. */
  readonly prefix?: string;
}

/** Options of {@link sqlMetricsStore}. */
export interface SqlMetricsStoreOptions extends SqlMetricsTables {
  /**
   * Whether the tables are created when the store is first used. Default false: they are created by the statements of
   * `metricsMigration`.
   */
  readonly migrate?: boolean;
}

/** A pool of PostgreSQL connections: a `Pool` of `pg`. */
export interface MetricsPool {
  /** Runs a statement with values, as `pg.Pool` does. */
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

const identifier = (most: number) =>
  option.matching(
    `a letter or underscore, then letters, digits and underscores, at most ${most} characters in all`,
    new RegExp(`^[A-Za-z_][A-Za-z0-9_]{0,${most - 1}}$`),
  );

const tableRows = {
  schema: identifier(63),
  prefix: identifier(32),
} satisfies OptionTableOf<SqlMetricsTables>;

const optionTable = {
  ...tableRows,
  migrate: option.boolean,
} satisfies OptionTableOf<SqlMetricsStoreOptions>;

const namesOf = ({ schema = 'sluice', prefix = 'metrics_' }: SqlMetricsTables = {}): SqlNames => ({
  schema,
  prefix,
});

/**
 * The statements that create the tables of a history, or leave them as they are, as one script for a migration.
 *
 * @throws {TypeError} when an option is unknown or has a wrong type
 */
export function metricsMigration(tables?: SqlMetricsTables, ...more: readonly unknown[]): string {
  refuseArguments('metricsMigration', 1, more);
  checkOptions('metricsMigration', tables, tableRows);
  return `${migrationStatements(namesOf(tables)).join(';\n\n')};\n`;
}

/**
 * Keeps the history in PostgreSQL, in tables of its own. The pool stays open.
 *
 * @throws {TypeError} when the pool is not one of `pg`, or an option is unknown or has a wrong type
 */
export function sqlMetricsStore(
  pool: MetricsPool,
  options?: SqlMetricsStoreOptions,
  ...more: readonly unknown[]
): MetricsStore {
  refuseArguments('sqlMetricsStore', 2, more);
  const poolRow = option.required(option.withMethods('a pool of pg', 'query'));
  checkOptions('sqlMetricsStore', { pool }, { pool: poolRow });
  checkOptions('sqlMetricsStore', options, optionTable);
  return new SqlMetricsStore(pool, namesOf(options), options?.migrate ?? false);
}

/** Milliseconds that a statement may take. */
const statementMs = 30_000;

/** Columns of counters and gauges. */
const columns = {
  completed: 'completed',
  failed: 'failed',
  queueage: 'age',
} as const;

/** Tables that are read together, with their columns. */
type Tables = readonly (readonly [table: string, ...columns: [string, ...string[]]])[];

const tablesOf = ({ granularity }: BucketRange, ...read: [string, ...string[]]): Tables =>
  granularity === 'hour'
    ? [
        ['hours', ...read],
        ['present', ...read],
      ]
    : [['days', ...read]];

class SqlMetricsStore implements MetricsStore {
  readonly #pool: MetricsPool;
  readonly #names: SqlNames;
  readonly #migrate: boolean;
  #ready: Promise<void> | undefined;

  constructor(pool: MetricsPool, names: SqlNames, migrate: boolean) {
    this.#pool = pool;
    this.#names = names;
    this.#migrate = migrate;
  }

  readonly commit: MetricsStore['commit'] = async (commit) => {
    const { holder, leaseMs, instance, retention, writes } = commit;
    const input = {
      holder,
      lease: leaseMs,
      instance: instance ?? '',
      ...retention,
      writes: writes
        .filter(({ queue }) => queue !== globalQueue && isRecordable(queue))
        .map(encodedWrite),
    };
    const [row] = await this.#query(`select ${this.#name(commitName)}($1) as answer`, [
      JSON.stringify(input),
    ]);
    const answer = row?.['answer'] as {
      readonly instance: string;
      readonly written: boolean;
      readonly states: Readonly<Record<string, readonly number[]>>;
    };
    const states = Object.entries(answer.states).map(
      ([queue, state]) => [queue, stateOf(state)] as const,
    );
    return { instance: answer.instance, written: answer.written, states: new Map(states) };
  };

  readonly release: MetricsStore['release'] = async (holder, queues) => {
    await this.#query(
      `update ${this.#name('queues')} set holder = null, held_until = null
        where holder = $1 and name = any($2)`,
      [holder, queues],
    );
  };

  readonly lastWrite: MetricsStore['lastWrite'] = async () => {
    const [row] = await this.#query(
      `select extract(epoch from written_at) * 1000 as at from ${this.#name('meta')}`,
      [],
    );
    const at = row?.['at'];
    return at === null || at === undefined ? null : Number(at);
  };

  readonly counters: MetricsStore['counters'] = async (metric, queues, range) => {
    const column = columns[metric];
    const lists = `array_agg(${column})::text as values`;
    const rows = await this.#series(lists, tablesOf(range, column), queues, range);
    return rows.map(({ buckets, values }) => {
      const numbers = numbersOf(values);
      return numbersOf(buckets).map((bucket, at) => [bucket, numbers[at] ?? 0] as const);
    });
  };

  readonly histograms: MetricsStore['histograms'] = async (metric, queues, range) => {
    const lists = `array_agg(coalesce(${metric}_ms, 0))::text as values, ${packedList(metric)}`;
    const tables = tablesOf(range, metric, `${metric}_ms`);
    const rows = await this.#series(lists, tables, queues, range);
    return rows.map(({ buckets, values, packed }) => {
      const [sums, counts] = [numbersOf(values), unpackedList(packed, bucketCount)];
      return numbersOf(buckets).map(
        (bucket, at) => [bucket, { counts: counts[at] ?? [], ms: sums[at] ?? 0 }] as const,
      );
    });
  };

  readonly minutes: MetricsStore['minutes'] = async (metric, queues, from, to) => {
    const tables = [
      ['minutes', metric],
      ['present', `${metric}_minutes as ${metric}`],
    ] as const;
    const rows = await this.#series(packedList(metric), tables, queues, {
      granularity: 'hour',
      from: from / minutesPerHour,
      to: to / minutesPerHour,
    });
    return rows.map(({ buckets, packed }) => {
      const counts = unpackedList(packed, minutesPerHour);
      return numbersOf(buckets).flatMap((hour, index) =>
        (counts[index] ?? []).flatMap((count, at): MinuteCount[] => {
          const minute = hour * minutesPerHour + at;
          return count > 0 && minute >= from && minute <= to ? [[minute, count]] : [];
        }),
      );
    });
  };

  readonly addAttempts: MetricsStore['addAttempts'] = async (attempts, perQueue) => {
    const rows = [...attempts].flatMap(([queue, some]) =>
      isRecordable(queue)
        ? some
            .slice(-perQueue)
            .map((attempt) => ({ queue, ...attempt, job: attempt.job.replaceAll('\0', '') }))
        : [],
    );
    await this.#query(
      `with added as (
        insert into ${this.#name('attempts')} (queue, job, attempt, at, ms, reason)
        select queue, job, attempt, at, ms, reason from jsonb_to_recordset($1::jsonb)
          as given(queue text, job text, attempt integer, at bigint, ms bigint, reason text)
        returning queue
      )
      delete from ${this.#name('attempts')} as old using (
        select queue, count(*) as n from added group by queue
      ) as grown
      where old.queue = grown.queue and old.id <= (
        select id from ${this.#name('attempts')} as kept where kept.queue = grown.queue
        order by id desc offset greatest(0, $2::bigint - grown.n) limit 1)`,
      [JSON.stringify(rows), perQueue],
    );
  };

  readonly attempts: MetricsStore['attempts'] = async (queues) => {
    const rows = await this.#query(
      `select queue, job, attempt, at::float8 as at, ms::float8 as ms, reason
        from ${this.#name('attempts')} where $1::text[] is null or queue = any($1) order by at, id`,
      [queues ? queues.filter(isStorableText) : null],
    );
    return rows as unknown as QueueAttempt[];
  };

  readonly usage: MetricsStore['usage'] = async () =>
    usageOf((await this.#query(usageStatement(this.#names), [])).map(usageRow));

  readonly purge: MetricsStore['purge'] = async ({ queue, before }) => {
    if (queue !== undefined && !isRecordable(queue)) return { keysDeleted: 0, fieldsDeleted: 0 };
    const latest = dayOf(Date.now()) + 2;
    const last = before === undefined ? latest : lastDayBefore(before, latest);
    const rows = await this.#query(
      `select ${this.#name('purge')}(purged, $1::bigint, $2::boolean) as answer
        from (select $3::text as purged) as chosen where purged is distinct from '${globalQueue}'`,
      [last, last === latest, queue ?? null],
    );
    const [keysDeleted, fieldsDeleted] = (rows[0]?.['answer'] ?? [0, 0]) as [number, number];
    return { keysDeleted, fieldsDeleted };
  };

  /** The buckets of each queue as a list, and lists of the columns of tables, where the first column is not null. */
  async #series(
    lists: string,
    tables: Tables,
    queues: readonly string[],
    { granularity, from, to }: BucketRange,
  ): Promise<readonly Row[]> {
    const rowsOf = ([table, first, ...others]: Tables[number]): string =>
      `select ${[granularity, first, ...others].join(', ')} from ${this.#name(table)}
            where queue_id = queue.id and ${granularity} between $2::bigint and $3::bigint and ${first.split(' ', 1)[0]} is not null`;
    return this.#query(
      `select stored.* from unnest($1::text[]) with ordinality as asked(name, place)
        left join ${this.#name('queues')} as queue on queue.name = asked.name
        left join lateral (
          select array_agg(${granularity})::text as buckets, ${lists} from (
            ${tables.map(rowsOf).join(' union all ')} order by ${granularity}
          ) as each
        ) as stored on true
        order by asked.place`,
      [storable(queues), Math.floor(from), Math.floor(to)],
    );
  }

  #name(table: string): string {
    return qualified(this.#names, table);
  }

  async #query(text: string, values: unknown[]): Promise<readonly Row[]> {
    try {
      await this.#migrated();
      const { rows } = await withTimeout(this.#pool.query(text, values), statementMs);
      return rows as readonly Row[];
    } catch (error) {
      if (postgresqlErrorClass(error) === 'misfit') {
        this.#ready = undefined;
        throw new HistoryUnavailableError(
          error,
          'The tables of the metrics history are missing, or of another version: run metricsMigration(), or set "migrate".',
          'sql',
        );
      }
      throw isUnavailable(error) ? new HistoryUnavailableError(error, undefined, 'sql') : error;
    }
  }

  /** Creates the tables once, where the host wants it; instances that do so at once wait for each other. */
  async #migrated(): Promise<void> {
    if (!this.#migrate) return;
    this.#ready ??= this.#create().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    await this.#ready;
  }

  async #create(): Promise<void> {
    try {
      // Several statements without parameters are one transaction.
      const statements = migrationStatements(this.#names).join(';\n');
      await withTimeout(this.#pool.query(statements), statementMs);
    } catch (error) {
      if (postgresqlErrorClass(error) !== 'forbidden' || !(await this.#isMigrated())) throw error;
    }
  }

  /** Whether the tables of this version are there, for an account that may not create them. */
  async #isMigrated(): Promise<boolean> {
    try {
      const { rows } = await this.#pool.query(`select version from ${this.#name('meta')}`);
      return (rows as readonly Row[])[0]?.['version'] === schemaVersion;
    } catch {
      return false;
    }
  }
}

/** Bytes of the longest name that fits into an index. */
const longestName = 2_500;

/** Whether PostgreSQL can keep the name; a queue with another one is not recorded. */
function isRecordable(queue: string): boolean {
  return isStorableText(queue) && Buffer.byteLength(queue) <= longestName;
}

/** Names for a parameter; one that PostgreSQL cannot store is the name of no queue. */
function storable(queues: readonly string[]): (string | null)[] {
  return queues.map((queue) => (isStorableText(queue) ? queue : null));
}

type Row = Readonly<Record<string, unknown>>;
