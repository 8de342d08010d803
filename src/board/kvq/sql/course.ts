/** The statements for the course of a job of BullMQ's tables. */

import { JobEvent, mostEvents, mostMoments } from '../../contract/index.ts';
import { type EventsOfJob, type JobPlace, eventsOf, unknownPlace } from '../model/course.ts';
import type { SqlRows } from './pool.ts';

type Query = (text: string, values: unknown[]) => Promise<SqlRows['rows']>;

/** Jobs that are counted before another at most. */
const mostAhead = 10_000;

/** The events `$5` of job `$2` from `$3` to `$4` among the last ones of queue `$1`, the latest first. */
const eventsStatement = `
  with latest as materialized (
    select id, event, data, created_at_ms as at from event where queue = $1 order by id desc limit ${mostEvents}
  )
  select (select min(at) from latest)::float8 as since,
    found.event, found.at::float8 as at, found.data ->> 'delay' as until,
    found.data ->> 'deduplicatedJobId' as job_id
  from (select 1) as one left join (
    select * from latest where data ->> 'jobId' = $2 and at >= $3 and at <= coalesce($4::bigint, at) and event = any($5)
    order by id desc limit ${mostMoments + 1}
  ) as found on true
  order by found.id desc`;

/** The events of a job from one moment to another, the latest first. */
export async function readCourse(
  query: Query,
  queue: string,
  id: string,
  from: number,
  to: number | null,
): Promise<EventsOfJob> {
  const values = [
    queue,
    id,
    Math.floor(from),
    to === null ? null : Math.ceil(to),
    JobEvent.options,
  ];
  const rows = await query(eventsStatement, values);
  const { since } = rows[0] ?? {};
  const found = rows.map((row) => ({
    at: Number(row['at']),
    event: row['event'],
    until: row['until'],
    jobId: row['job_id'],
  }));
  return eventsOf(found, since == null ? null : Math.max(from, Number(since)));
}

/** The place of job `$2` of queue `$1`. */
const placeStatement = `
  select (select count(*) from (
      select 1 from job as other where other.queue = $1 and other.state = 'waiting' and job.state = 'waiting'
        and (other.priority, other.seq) < (job.priority, job.seq) limit ${mostAhead}
    ) as ahead)::int as ahead,
    job.state = 'waiting' as waits,
    (select count(*) from job_dependency
      where parent_queue = $1 and parent_id = $2 and status = 'pending')::int as children,
    dedup.job_id as holder, dedup.expire_at_ms::float8 as until
  from job left join dedup on dedup.queue = $1 and dedup.dedup_id = job.dedup_id
    and (dedup.expire_at_ms is null or dedup.expire_at_ms > $3)
  where job.queue = $1 and job.id = $2`;

/** The place of a job among others. */
export async function readPlace(query: Query, queue: string, id: string): Promise<JobPlace> {
  const [row] = await query(placeStatement, [queue, id, Date.now()]);
  if (!row) return unknownPlace;
  const { ahead, waits, children, holder, until } = row;
  return {
    ahead: waits === true ? Number(ahead) : null,
    capped: Number(ahead) >= mostAhead,
    children: Number(children),
    holder:
      holder == null
        ? null
        : { jobId: String(holder), until: until == null ? null : Number(until) },
  };
}
