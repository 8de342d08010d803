/**
 * Scans the jobs of a PostgreSQL queue along the primary key, one bounded chunk at a time, for queues that are too
 * large to sort within a request. The id of a job does not change when the job moves.
 */

import type { JobCriteria } from '../model/search-criteria.ts';
import type { SqlRows } from './pool.ts';

/** Jobs examined per statement. */
const chunk = 5_000;

/** Number of PostgreSQL jobs that cost as much as one Redis job. */
const worth = 10;

const walkStatement = `
  with looked as materialized (
    select *, row_number() over (order by id) as place from (
      select id, name, state, priority, failed_reason, added_at_ms, data
      from job where queue = $1 and id > $2 order by id limit $3
    ) as piece
  )
  select looked_at.examined, looked_at.last, hit.id, hit.place
  from (select count(*) as examined, max(id) as last from looked) as looked_at
  left join lateral (
    select id, place from looked
    where (case when state = 'waiting' and priority > 0 then 'prioritized' else state::text end) = any($5)
      and ($6::text is null or position($6 in name) > 0)
      and ($7::text is null or position($7 in failed_reason) > 0)
      and ($8::numeric is null or added_at_ms >= $8)
      and ($9::numeric is null or added_at_ms <= $9)
      and ($10::text[] is null or (
        data #> $10 is not null and ($11::text is null or coalesce(data #>> $10, 'null') = $11)
      ))
    order by id limit $4
  ) as hit on true
  order by hit.place`;

/** Matching ids, and the position to continue from; `null` at the end. */
export interface IdPage {
  readonly ids: string[];
  readonly next: string | null;
}

/** Continues the scan after the id `after`, within the limit and budget of the criteria. */
export async function walkIds(
  query: (text: string, values: unknown[]) => Promise<SqlRows['rows']>,
  queue: string,
  criteria: JobCriteria,
  after: string,
): Promise<IdPage> {
  const { name, error, from, to, path, value, statuses, limit, budget } = criteria;
  const asked = [name, error, from, to, path, value].map((part) => part ?? null);
  const ids: string[] = [];
  let place = after;
  do {
    const wanted = limit - ids.length;
    const rows = await query(walkStatement, [queue, place, chunk, wanted, statuses, ...asked]);
    const hits = rows.filter((row) => row['id'] !== null);
    ids.push(...hits.map((row) => String(row['id'])));
    const last = hits.length < wanted ? undefined : hits.at(-1);
    const examined = Number(last?.['place'] ?? rows[0]?.['examined'] ?? 0);
    budget.spend(examined, examined / worth);
    place = String(last?.['id'] ?? rows[0]?.['last'] ?? place);
    if (last === undefined && examined < chunk) return { ids, next: null };
  } while (ids.length < limit && !budget.isSpent);
  return { ids, next: place };
}
