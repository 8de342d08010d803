/**
 * Changes the jobs of BullMQ's tables that a filter accepts. Each step finds a page by key, and changes those of its jobs
 * that are still in its status, each as a single command does.
 */

import type {
  BulkSelection,
  JobCommand,
  QueueDriver,
  SelectedPart,
  SelectionRun,
  SelectionStep,
} from '../model/driver.ts';
import { tallied } from '../model/driver.ts';
import { childMark, examinedOf } from '../model/examined.ts';
import { SearchBudget } from '../model/search-budget.ts';
import { timeouts } from '../timeouts.ts';
import type { SqlChangeLocation } from './changes.ts';
import { loanOf } from './loan.ts';
import type { SqlRows } from './pool.ts';
import { locatedFromRow } from './rows.ts';
import { jobsStatement, reasonsStatement } from './statements.ts';

/** Jobs per part. */
const pageSize = 300;

/** The position behind the last page. */
const atEnd = 'end';

function commandOf({ act, status, reach }: BulkSelection): JobCommand {
  if (act === 'remove') return { act, reach };
  if (act === 'promote') return { act };
  return { act, from: status === 'completed' ? status : 'failed' };
}

/** Steps over the jobs of a selection. */
export function selectInTables(
  { queue, pool }: SqlChangeLocation,
  selection: BulkSelection,
  change: NonNullable<QueueDriver['changePart']>,
  run?: SelectionRun,
): SelectionStep {
  const { status, until, dryRun, criteria, accepts, acceptsReason } = selection;
  const { where } = criteria;
  const command = commandOf(selection);
  const query = async (text: string, values: unknown[]): Promise<SqlRows['rows']> =>
    (await loanOf(pool).read(() => pool.query(text, values), timeouts().statementMs)).rows;
  let after = run?.position;
  const nothing = { examined: 0, matched: 0, changed: 0, refused: {} };
  return async (): Promise<SelectedPart> => {
    if (after === atEnd) return { ...nothing, more: false };
    // Loaded with its first use: the query pipeline behind it is large.
    const { searchIds } = await import('./search.ts');
    const { ids, next } = await searchIds(
      { name: queue, pool, query },
      {
        ...criteria,
        to: Math.min(criteria.to ?? until, until),
        statuses: [status],
        limit: Math.min(pageSize, run?.most ?? pageSize),
        budget: new SearchBudget(),
        ...(after !== undefined && { after }),
      },
    );
    after = next ?? atEnd;
    const isWhole = where?.readsError === true;
    const isRead = dryRun || criteria.error !== undefined || isWhole;
    const statement = isWhole ? jobsStatement : reasonsStatement;
    const rows = !isRead ? [] : await query(statement, [queue, ids]);
    const hidden = new Set(
      rows.flatMap((row) => {
        const { id, reason = row['failed_reason'] } = row;
        const { at = row['finished_at_ms'] ?? row['added_at_ms'] } = row;
        const text = String(reason ?? '');
        if (criteria.error !== undefined && !acceptsReason(text)) return [String(id)];
        if (isWhole && text.includes(childMark)) {
          const { job, state } = locatedFromRow(row);
          if (!accepts(examinedOf(job, state, JSON.stringify(job.data)))) return [String(id)];
        }
        selection.found?.(text, Number(at));
        return [];
      }),
    );
    const matching = ids.filter((id) => !hidden.has(id));
    const more = next !== null;
    const counts = { examined: ids.length, matched: matching.length };
    if (dryRun) return { ...nothing, ...counts, position: after, more };
    await change(
      new Map(matching.map((id) => [id, { expectedState: status }])),
      [command],
      async (within, refusals) => {
        if (!refusals) return run?.note(nothing, within);
        const changed = matching.length - refusals.size;
        const refused = tallied(refusals);
        return run?.note(
          { ...counts, changed, refused, ...(after && { position: after }) },
          within,
        );
      },
      run?.keeps,
    );
    return { ...nothing, more };
  };
}
