/**
 * Looks through the jobs of a PostgreSQL queue along its primary key, a bounded piece at a time: the way through
 * queues that are too large to be sorted within a request. A job keeps its id wherever it moves.
 */

import type { JobCriteria } from '../model/search-criteria.ts';
import type { SqlRows } from './pool.ts';

/** Jobs one statement looks at. */
const chunk = 5_000;

/** Jobs of PostgreSQL that are as much work as one of Redis. */
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

/** Ids that fit, and where to go on; `null` at the end. */
export interface IdPage {
  readonly ids: string[];
  readonly next: string | null;
}

/** Walks on behind the id `after`, within the criteria's limit and budget. */
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
