/** Reads a page of jobs of BullMQ's tables in brief: one statement, which returns the beginning of long parts. */

import { briefBytes, progressBytes, reasonBytes } from '../model/job-summary.ts';
import type { SummaryPage, SummaryQuery } from '../model/job-summary.ts';
import { InvalidPosition } from '../model/search-criteria.ts';
import type { JobStatus } from '../model/types.ts';
import { jobFromRow } from './rows.ts';
import type { SqlRows } from './pool.ts';
import { boundedStatement, listings, smallParts } from './statements.ts';

/** The column by which a status is ordered before `seq`; `seq` itself where there is none. */
function orderColumn(status: JobStatus): string {
  const [, order] = listings[status];
  return order.split(' ')[0] ?? 'seq';
}

/** Jobs of queue `$1` after the first `$2`, at most `$3`, after the position `$4`, `$5`; with data if `$6`. */
function pageOf(status: JobStatus): string {
  const [where, order] = listings[status];
  const column = orderColumn(status);
  return `
    select '${status}' as status, counted.total, job.${column}::text as level, job.seq::text as at, ${smallParts},
      case when length(job.progress::text) < ${progressBytes} then job.progress end as progress,
      left(job.failed_reason, ${reasonBytes}) as failed_reason,
      case when $6 then left(job.data::text, ${briefBytes}) end as brief
    from (select count(*) as total from job where queue = $1 and ${where}) as counted
    left join lateral (
      select * from job
      where queue = $1 and ${where}
        and ($4::bigint is null or (${column}, seq) < ($4::bigint, $5::bigint))
      order by ${order} offset $2 limit $3
    ) as job on true`;
}

const wholeNumber = /^-?\d{1,19}$/;

function positionOf(after: string | null): readonly [string, string] | null {
  if (after === null) return null;
  const [level = '', at = ''] = after.split(',');
  if (!wholeNumber.test(level) || !wholeNumber.test(at)) {
    throw new InvalidPosition('The position is not one of a page.');
  }
  return [level, at];
}

/** Reads pages of the statuses; a second statement reads the whole jobs where they are asked for. */
export async function readSummaries(
  query: (text: string, values: unknown[]) => Promise<SqlRows['rows']>,
  queue: string,
  { statuses, start, limit, after, withData, whole, maxBytes }: SummaryQuery,
): Promise<SummaryPage[]> {
  const [level, at] = positionOf(after) ?? [null, null];
  // One more tells whether there is a next page.
  const values = [queue, after === null ? start : 0, limit + 1, level, at, withData && !whole];
  const text = statuses.map((status) => `(${pageOf(status)})`).join(' union all ');
  const rows = await query(text, values);
  const pages = statuses.map((status) => {
    const all = rows.filter((row) => row['status'] === status);
    const found = all.filter((row) => row['id'] !== null);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const next = last && found.length > limit ? `${last['level']},${last['at']}` : null;
    return { status, total: Number(all[0]?.['total'] ?? 0), shown, next };
  });
  const ids = pages.flatMap(({ shown }) => shown.map((row) => String(row['id'])));
  const read = whole && ids.length > 0;
  const wholes = read ? await query(boundedStatement, [queue, ids, null, maxBytes, true]) : [];
  const byId = new Map(wholes.map((row) => [String(row['id']), row]));
  return pages.map(({ shown, ...page }) => ({
    ...page,
    jobs: shown.map((row) => {
      const found = byId.get(String(row['id']));
      const brief = row['brief'];
      return {
        job: jobFromRow(found ?? row),
        data: found || typeof brief !== 'string' ? null : brief,
      };
    }),
  }));
}
