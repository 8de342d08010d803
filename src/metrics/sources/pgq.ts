/** A source over the queues of pg-boss. */

import { bossSchema, catalogSchemaOf, checkOptions, refuseArguments } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import { sampleOf } from '../../board/core/index.ts';
import type { CountReading, SourceReading, SourceRequest } from '../../board/core/index.ts';
import type { MetricsSource } from '../model/source.ts';
import type { MetricsPool } from '../sql/store.ts';

/** Where the queues of pg-boss are, for a recorder or a provider. */
export interface PgqMetricsOptions {
  /** A pool of `pg` on the database of pg-boss, which stays open. It only reads. */
  readonly pool: MetricsPool;
  /** Schema of pg-boss. Default `pgboss`. */
  readonly schema?: string;
  /** Names of the queues, or a predicate. Default: all except the internal ones of pg-boss. */
  readonly queues?: readonly string[] | ((name: string) => boolean);
  /** Receives a warning when the counts of a queue need an index. Default `console.warn`. */
  readonly onWarning?: (message: string) => void;
}

export const pgqMetricsTable = {
  pool: option.required(option.withMethods('a pool of pg', 'query')),
  schema: bossSchema,
  queues: option.either(option.listOf(option.string), option.func),
  onWarning: option.func,
} satisfies OptionTableOf<PgqMetricsOptions>;

/** Milliseconds for which the indexes and columns of the library are taken for granted. */
const shapeMs = 300_000;

/** Minutes that are read again, because a transaction may commit a finished job late. */
const lateMinutes = 10;

type Row = Readonly<Record<string, unknown>>;

/** The columns that the library stores in this version. */
interface Shape {
  readonly at: number;
  readonly blocked: boolean;
  readonly deltas: boolean;
  /** Job tables without an index on the name and the time of completion. */
  readonly unindexed: ReadonlySet<string>;
}

/** Whether a queue is recorded: chosen by the host, and not one of the library's own. */
export function chosenBy(queues: PgqMetricsOptions['queues']): (name: string) => boolean {
  if (typeof queues === 'function') return (name) => Boolean(queues(name));
  if (queues) return (name) => queues.includes(name);
  return (name) => !name.startsWith('__pgboss__');
}

/**
 * Sources for the `sources` of a `MetricsRecorder`: the queues of pg-boss 12.24 and later. Jobs are counted by the time
 * of their completion, which needs an index on `(name, completed_on)`; pg-boss 12.38 has it. Without it, the counts of
 * pg-boss itself are used where it keeps them (`persistQueueStats`), and durations are not measured.
 *
 * @throws {TypeError} when an option is unknown or has a wrong type
 */
export function pgqMetricsSources(
  options: PgqMetricsOptions,
  ...more: readonly unknown[]
): MetricsSource[] {
  refuseArguments('pgqMetricsSources', 1, more);
  checkOptions('pgqMetricsSources', options, pgqMetricsTable);
  return [new PgqSource(options)];
}

class PgqSource implements MetricsSource {
  readonly #pool: MetricsPool;
  readonly #schema: string;
  readonly #chosen: (name: string) => boolean;
  readonly #warn: (message: string) => void;
  /** The job table of each queue. */
  #tables = new Map<string, string>();
  #shape: Shape | undefined;
  #warned = '';

  constructor({ pool, schema = 'pgboss', queues, onWarning }: PgqMetricsOptions) {
    this.#pool = pool;
    this.#schema = catalogSchemaOf(schema);
    this.#chosen = chosenBy(queues);
    this.#warn = onWarning ?? ((message) => console.warn(message));
  }

  async queues(): Promise<string[]> {
    const rows = await this.#query(
      `select name, table_name from "${this.#schema}".queue order by name`,
    );
    this.#tables = new Map(
      rows.map(({ name, table_name: table }) => [String(name), String(table)]),
    );
    return [...this.#tables.keys()].filter((name) => this.#chosen(name));
  }

  async read(
    requests: ReadonlyMap<string, SourceRequest>,
  ): Promise<Map<string, SourceReading | Error>> {
    const shape = await this.#shapeNow();
    const asked = [...requests].map(([name, request], place) => ({
      place,
      name,
      indexed: !shape.unindexed.has(this.#tables.get(name) ?? ''),
      first: Math.min(request.completedFrom, request.failedFrom),
      most: request.maxMinutes,
      sampled: request.samples !== undefined,
      ...(request.samples && {
        after: request.samples.after,
        margin: request.samples.marginMs,
        tick: request.samples.tickMs,
        sample_limit: request.samples.limit,
      }),
    }));
    const counted = asked.some(({ indexed }) => !indexed);
    const rows = await this.#query(readingStatement(this.#schema, shape, counted), [
      JSON.stringify(asked),
    ]);
    return new Map(
      asked.map(({ name, indexed }, index) => {
        const row = rows[index];
        return [name, row ? readingOf(row, indexed || shape.deltas) : new Error('Not read.')];
      }),
    );
  }

  /** The indexes and columns, read again every few minutes; warns when they change. */
  async #shapeNow(): Promise<Shape> {
    const now = performance.now();
    if (this.#shape && now - this.#shape.at < shapeMs) return this.#shape;
    const [row] = await this.#query(shapeStatement, [this.#schema]);
    const unindexed = new Set((row?.['unindexed'] as string[] | null) ?? []);
    const shape = {
      at: now,
      blocked: row?.['blocked'] === true,
      deltas: row?.['deltas'] === true,
      unindexed,
    };
    const advice = [...unindexed]
      .map(
        (table) =>
          `CREATE INDEX CONCURRENTLY ON "${this.#schema}"."${table}" (name, completed_on);`,
      )
      .join(' ');
    if (advice !== '' && advice !== this.#warned) {
      const effect = shape.deltas
        ? 'are those of pg-boss (persistQueueStats), and durations are not measured'
        : 'and durations are not recorded';
      this.#warn(
        `Metrics recorder: counts of queues without an index ${effect}. Create it: ${advice}`,
      );
    }
    this.#warned = advice;
    this.#shape = shape;
    return shape;
  }

  async #query(text: string, values: unknown[] = []): Promise<readonly Row[]> {
    return (await this.#pool.query(text, values)).rows as readonly Row[];
  }
}

const shapeStatement = `
  select exists (select from information_schema.columns
      where table_schema = $1 and table_name = 'job' and column_name = 'blocked') as blocked,
    exists (select from information_schema.columns
      where table_schema = $1 and table_name = 'queue_stats' and column_name = 'completed_delta') as deltas,
    array(
      select t.relname::text from pg_catalog.pg_class p
      join pg_catalog.pg_namespace n on n.oid = p.relnamespace
      join pg_catalog.pg_inherits h on h.inhparent = p.oid
      join pg_catalog.pg_class t on t.oid = h.inhrelid
      where n.nspname = $1 and p.relname = 'job' and not exists (
        select from pg_catalog.pg_index i
        join pg_catalog.pg_class x on x.oid = i.indexrelid
        join pg_catalog.pg_am m on m.oid = x.relam and m.amname = 'btree'
        join pg_catalog.pg_attribute f on f.attrelid = t.oid and f.attnum = i.indkey[0] and f.attname = 'name'
        join pg_catalog.pg_attribute s on s.attrelid = t.oid and s.attnum = i.indkey[1] and s.attname = 'completed_on'
        where i.indrelid = t.oid and i.indisvalid
          and (i.indpred is null or pg_get_expr(i.indpred, t.oid) = '(completed_on IS NOT NULL)')
      ) order by 1
    ) as unindexed`;

/** Facts of the queues in `$1`, one row each, in order. Only minutes that are over count. */
function readingStatement(schema: string, { blocked, deltas }: Shape, counted: boolean): string {
  const finished = `
      select floor(extract(epoch from completed_on) / 60)::bigint as minute, state::text as kind, count(*) as n
      from "${schema}".job
      where asked.indexed and job.name = asked.name and state in ('completed', 'failed')
        and completed_on >= to_timestamp(span.first * 60) and completed_on < to_timestamp(span.stop * 60)
      group by 1, 2`;
  // The window of a snapshot ends at `delta_on`.
  const snapshots = (kind: string): string => `
      select floor((extract(epoch from delta_on) - 0.001) / 60)::bigint, '${kind}', sum(${kind}_delta)
      from "${schema}".queue_stats as stats
      where not asked.indexed and stats.name = asked.name and delta_on > to_timestamp(span.first * 60)
        and delta_on <= to_timestamp(span.stop * 60)
      group by 1 having sum(${kind}_delta) > 0`;
  const counts = [
    finished,
    ...(counted && deltas ? [snapshots('completed'), snapshots('failed')] : []),
  ].join(' union all ');
  const next = (time: string, from: string): string => `(
      select floor(extract(epoch from min(${time}) - interval '1 millisecond') / 60)::bigint from ${from}.name = asked.name
        and ${time} >= to_timestamp(asked.first * 60))`;
  const ofJobs = next('completed_on', `"${schema}".job where job`);
  const ofSnapshots = next('delta_on', `"${schema}".queue_stats as stats where stats`);
  const earliest = `case when asked.indexed then ${ofJobs}${
    counted && deltas ? ` else ${ofSnapshots}` : ''
  } end`;
  const list = (kind: string): string =>
    `coalesce(json_agg(json_build_array(minute, n) order by minute) filter (where kind = '${kind}'), '[]')`;
  return `
  with clock as materialized (
    select now, floor(extract(epoch from now) * 1000)::bigint as ms,
      floor((extract(epoch from now) - 5) / 60)::bigint as over
    from (select clock_timestamp() as now) as read
  )
  select clock.ms::text as now, span.stop::text as stop, span.stop < clock.over as more, clock.over::text as over,
    counted.completed, counted.failed, waiting.age::text as age, samples.read as samples
  from jsonb_to_recordset($1::jsonb) as asked(
    place integer, name text, indexed boolean, first bigint, most bigint,
    sampled boolean, after bigint, margin bigint, tick bigint, sample_limit bigint
  ) cross join clock
  cross join lateral (
    -- A recorder that is behind goes on where the next job finished: most queues have none for days.
    select case when clock.over - asked.first <= asked.most then asked.first
      else greatest(asked.first, least(clock.over, ${earliest})) end as first
  ) as behind
  cross join lateral (select behind.first, least(clock.over, behind.first + asked.most) as stop) as span
  cross join lateral (
    select ${list('completed')} as completed, ${list('failed')} as failed from (${counts}) as each
  ) as counted
  cross join lateral (
    select coalesce(greatest(0, extract(epoch from clock.now - min(start_after)) * 1000), 0)::bigint as age
    from "${schema}".job where job.name = asked.name and state in ('created', 'retry')
      and start_after <= clock.now ${blocked ? 'and not blocked' : ''}
  ) as waiting
  cross join lateral (
    select clock.ms - asked.margin as upto, coalesce(asked.after, clock.ms - asked.margin - asked.tick) as after
  ) as reach
  left join lateral (
    select json_build_array(coalesce(json_agg(json_build_array(done,
      greatest(0, ran), case when retry_count = 0 then greatest(0, waited) else -1 end))
      filter (where ran is not null and (nth - 1) % greatest(1, (total + asked.sample_limit - 1) / asked.sample_limit) = 0),
      '[]'), coalesce(max(total), 0), greatest(reach.upto, reach.after)) as read
    from (
      select floor(extract(epoch from completed_on) * 1000)::bigint as done, retry_count,
        round(extract(epoch from completed_on - started_on) * 1000)::bigint as ran,
        round(extract(epoch from started_on - start_after) * 1000)::bigint as waited,
        row_number() over (order by completed_on) as nth, count(*) over () as total
      from "${schema}".job where job.name = asked.name and state in ('completed', 'failed')
        and completed_on > to_timestamp(reach.after / 1000.0) and completed_on <= to_timestamp(reach.upto / 1000.0)
    ) as finished
  ) as samples on asked.sampled and asked.indexed
  order by asked.place`;
}

function readingOf(row: Row, counts: boolean): SourceReading {
  const stop = Number(row['stop']);
  const more = row['more'] === true;
  // The last minutes are counted again, unless there are more to read.
  const next = more ? stop : stop - lateMinutes;
  const minutesOf = (value: unknown): CountReading['minutes'] =>
    (value as [number, number][]).map(([minute, count]) => [minute, Number(count)] as const);
  const samples = row['samples'] as [number[][], number, number] | null;
  return {
    now: Number(row['now']),
    queueAge: Number(row['age']),
    more: counts && more,
    ...(counts && {
      completed: { minutes: minutesOf(row['completed']), next },
      failed: { minutes: minutesOf(row['failed']), next },
    }),
    ...(samples && {
      samples: {
        jobs: samples[0].map(sampleOf),
        total: Number(samples[1]),
        upTo: Number(samples[2]),
      },
    }),
  };
}
