/** Reads minutes, the oldest waiting job and finished jobs of many queues in one statement. */

import { sampleOf } from '../../core/index.ts';
import type { CountReading, MinuteCount, SourceReading, SourceRequest } from '../../core/index.ts';

/** Minutes that are counted from the stored jobs of a queue whose workers keep no counts. */
const countedMinutes = 120;

/** The first minute that is known; 0 where none was dropped. */
const sinceOf = (kind: 'completed' | 'failed'): string =>
  `case when ${kind}_kept.last is not null then
      case when ${kind}_kept.prev_count <= (select coalesce(sum(each), 0) from unnest(${kind}_kept.data) as each) then 0
        else greatest(0, ${kind}_kept.last - cardinality(${kind}_kept.data)) end
    when exists (select from metrics where queue = asked.queue and prev_ts is not null)
      or not exists (select from job where job.queue = asked.queue and state = '${kind}') then 0
    else greatest(0, clock.minute - ${countedMinutes - 1}) end`;

/**
 * Counts of a kind as `[minutes, next, more, since]`. Where workers keep counts (their option `metrics`), the running minute
 * is that of `prev_ts`, and every earlier one is final.
 */
const countsOf = (kind: 'completed' | 'failed'): string => `
  left join lateral (
    select prev_ts / 60000 as last, count - prev_count as running, data, prev_count
    from metrics where queue = asked.queue and kind = '${kind}' and prev_ts is not null
  ) as ${kind}_kept on true
  cross join lateral (
    -- After a pause that is longer than its list, the library puts the minute before the pause at the end of the list.
    select case when asked.resumed and asked.${kind}_from < ${kind}_kept.last - cardinality(${kind}_kept.data)
      and 0 = all (${kind}_kept.data[:cardinality(${kind}_kept.data) - 1])
      then nullif(${kind}_kept.data[cardinality(${kind}_kept.data)], 0) end as before
  ) as ${kind}_pause
  cross join lateral (
    select coalesce(${kind}_kept.last, clock.minute) as last, case when ${kind}_kept.last is null
      then greatest(asked.${kind}_from, clock.minute - ${countedMinutes - 1})
      else greatest(asked.${kind}_from, ${kind}_kept.last - cardinality(${kind}_kept.data)
        + case when ${kind}_pause.before is null then 0 else 1 end) end as first
  ) as ${kind}_range
  cross join lateral (
    select least(${kind}_range.last, ${kind}_range.first + asked.most) as stop
  ) as ${kind}_stop
  cross join lateral (
    select jsonb_build_array(coalesce(jsonb_agg(jsonb_build_array(minute, value) order by minute)
      filter (where value > 0), '[]'), case when ${kind}_kept.last is null
        and ${kind}_stop.stop = ${kind}_range.last then ${kind}_stop.stop - 1 else ${kind}_stop.stop end,
      ${kind}_stop.stop < ${kind}_range.last, case when asked.remembered then ${sinceOf(kind)} else -1 end) as read
    from (
      select asked.${kind}_from as minute, ${kind}_pause.before as value where ${kind}_pause.before is not null
      union all
      select ${kind}_kept.last - place, ${kind}_kept.data[place]
      from generate_series(${kind}_kept.last - ${kind}_stop.stop + 1, ${kind}_kept.last - ${kind}_range.first) as place
      union all
      select ${kind}_kept.last, ${kind}_kept.running where ${kind}_stop.stop = ${kind}_kept.last
      union all
      select finished_at_ms / 60000, count(*) from job
      where ${kind}_kept.last is null and job.queue = asked.queue and state = '${kind}'
        and finished_at_ms >= ${kind}_range.first * 60000 and finished_at_ms < (${kind}_stop.stop + 1) * 60000
      group by 1
    ) as counted
  ) as ${kind}`;

const dueAt = `added_at_ms + coalesce((opts ->> 'delay')::numeric, 0)`;

/** A job that is tried again has waited at most since its last attempt. */
const probe = (where: string, order: string): string =>
  `(select greatest(${dueAt}, processed_at_ms) as due from job where job.queue = asked.queue and state = 'waiting' and ${where}
      order by ${order} limit 1)`;

/** The readings of a recorder of the queues in `$1`, a list of requests; one row each, in order. */
export const recordingStatement = `
  with clock as materialized (
    select now, now / 60000 as minute
    from (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now) as read
  )
  select clock.now::text, completed.read as completed, failed.read as failed, waiting.age::text, samples.read as samples
  from jsonb_to_recordset($1::jsonb) as asked(
    place integer, queue text, completed_from bigint, failed_from bigint, most bigint, resumed boolean, remembered boolean,
    sampled boolean, after bigint, margin bigint, tick bigint, sample_limit bigint
  ) cross join clock
  ${countsOf('completed')}
  ${countsOf('failed')}
  cross join lateral (
    select coalesce(max(greatest(0, clock.now - due)), 0)::bigint as age
    from (${probe('priority = 0', 'priority, seq')} union all ${probe('priority > 0', 'priority, seq')}
      union all ${probe('priority > 0', 'priority desc, seq desc')}) as probes
  ) as waiting
  cross join lateral (
    select clock.now - asked.margin as upto,
      coalesce(asked.after, clock.now - asked.margin - asked.tick) as after
  ) as span
  left join lateral (
    select jsonb_build_array(coalesce(jsonb_agg(jsonb_build_array(finished_at_ms,
      greatest(0, finished_at_ms - processed_at_ms), case when attempts_made <= 1
        then greatest(0, processed_at_ms - (${dueAt})) else -1 end))
      filter (where processed_at_ms is not null and (nth - 1) % greatest(1, (total + asked.sample_limit - 1) / asked.sample_limit) = 0),
      '[]'), coalesce(max(total), 0), greatest(span.upto, span.after)) as read
    from (
      select finished_at_ms, processed_at_ms, added_at_ms, attempts_made, opts,
        row_number() over (order by finished_at_ms) as nth, count(*) over () as total
      from job where job.queue = asked.queue and state in ('completed', 'failed')
        and finished_at_ms > span.after and finished_at_ms <= span.upto
    ) as finished
  ) as samples on asked.sampled
  order by asked.place`;

/** The parameter of {@link recordingStatement}. */
export function recordingParameter(
  queues: readonly { readonly queue: string; readonly request: SourceRequest }[],
): string {
  return JSON.stringify(
    queues.map(({ queue, request }, place) => ({
      place,
      queue,
      completed_from: request.completedFrom,
      failed_from: request.failedFrom,
      most: request.maxMinutes,
      resumed: request.resumed === true,
      remembered: request.remembered === true,
      sampled: request.samples !== undefined,
      ...(request.samples && {
        after: request.samples.after,
        margin: request.samples.marginMs,
        tick: request.samples.tickMs,
        sample_limit: request.samples.limit,
      }),
    })),
  );
}

/** Parses a row of {@link recordingStatement}. */
export function parseRecording(
  row: Readonly<Record<string, unknown>> | undefined,
): SourceReading | Error {
  if (!row) return new Error('Not read.');
  type Counts = readonly [minutes: MinuteCount[], next: number, more: boolean, since: number];
  const [completed, failed] = [row['completed'] as Counts, row['failed'] as Counts];
  const counts = ([minutes, next, _more, since]: Counts): CountReading => ({
    minutes,
    next,
    ...(since >= 0 && { since }),
  });
  const samples = row['samples'] as [number[][], number, number] | null;
  return {
    now: Number(row['now']),
    completed: counts(completed),
    failed: counts(failed),
    more: completed[2] || failed[2],
    queueAge: Number(row['age']),
    ...(samples && {
      samples: { jobs: samples[0].map(sampleOf), total: samples[1], upTo: samples[2] },
    }),
  };
}
