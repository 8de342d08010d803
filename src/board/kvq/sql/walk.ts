/**
 * Scans the jobs of a PostgreSQL queue along the primary key, one bounded chunk at a time, for queues that are too
 * large to sort within a request. The id of a job does not change when the job moves.
 */

import type { ConditionText } from '../../../adapters/sql/conditions.ts';
import { dataCondition } from './data-condition.ts';
import type { JobCriteria } from '../model/search-criteria.ts';
import type { SqlRows } from './pool.ts';

/** Jobs examined per statement. */
const chunk = 5_000;

/** Number of PostgreSQL jobs that cost as much as one Redis job. */
const worth = 10;

/** A condition on the table, whose values are numbered behind so many others. */
type TableCondition = (offset: number) => Promise<ConditionText>;

/** The statement for jobs after the id `$2`, and the values after `$4`. */
async function walkStatement(
  criteria: JobCriteria,
  condition: TableCondition,
): Promise<readonly [text: string, values: unknown[]]> {
  const onTable = await condition(4);
  const values = [...onTable.values];
  const data = dataCondition(criteria).map((part) =>
    typeof part === 'string' ? part : `$${4 + values.push(part.value)}`,
  );
  const text = `
  with looked as materialized (
    select *, row_number() over (order by id) as place from (
      select id, queue, name, state, priority, failed_reason, added_at_ms, processed_at_ms, finished_at_ms,
        attempts_made, processed_by, data
      from job where queue = $1 and id > $2 order by id limit $3
    ) as piece
  )
  select looked_at.examined, looked_at.last, hit.id, hit.place
  from (select count(*) as examined, max(id) as last from looked) as looked_at
  left join lateral (
    select id, place from looked as job
    where (${onTable.text}) and (${data.join('') || 'true'})
    order by id limit $4
  ) as hit on true
  order by hit.place`;
  return [text, values];
}

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
  condition: TableCondition,
  after: string,
): Promise<IdPage> {
  const { limit, budget } = criteria;
  const [statement, values] = await walkStatement(criteria, condition);
  const ids: string[] = [];
  let place = after;
  do {
    const wanted = limit - ids.length;
    const rows = await query(statement, [queue, place, chunk, wanted, ...values]);
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
