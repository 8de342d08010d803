/**
 * Changes the jobs of BullMQ's tables that a filter accepts. Each step finds a page by key, and changes each of its jobs
 * as a single command does, if it is still in its status.
 */

import { DriverRefusal } from '../model/driver.ts';
import type {
  BulkSelection,
  JobCommand,
  JobConditions,
  Refusal,
  SelectionStep,
} from '../model/driver.ts';
import { SearchBudget } from '../model/search-budget.ts';
import { timeouts } from '../timeouts.ts';
import type { SqlChangeLocation } from './changes.ts';
import { loanOf } from './loan.ts';
import type { SqlRows } from './pool.ts';
import { reasonsStatement } from './statements.ts';

/** Jobs per page, and changes at a time: as many as the board borrows connections for. */
const [pageSize, atATime] = [100, 2];

type Change = (id: string, command: JobCommand, conditions: JobConditions) => Promise<void>;

function commandOf({ act, status, reach }: BulkSelection): JobCommand {
  if (act === 'remove') return { act, reach };
  if (act === 'promote') return { act };
  return { act, from: status === 'completed' ? status : 'failed' };
}

/** Changes the jobs; the refusals by reason. */
async function changeAll(
  ids: readonly string[],
  change: (id: string) => Promise<void>,
): Promise<{ changed: number; refused: Partial<Record<Refusal, number>> }> {
  const refused: Partial<Record<Refusal, number>> = {};
  let changed = 0;
  const waiting = ids.values();
  const work = async (): Promise<void> => {
    for (const id of waiting) {
      try {
        await change(id);
        changed += 1;
      } catch (error) {
        if (!(error instanceof DriverRefusal)) throw error;
        refused[error.refusal] = (refused[error.refusal] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return { changed, refused };
}

/** Steps over the jobs of a selection. */
export function selectInTables(
  { queue, pool }: SqlChangeLocation,
  selection: BulkSelection,
  change: Change,
): SelectionStep {
  const { status, until, dryRun, criteria, acceptsReason } = selection;
  const command = commandOf(selection);
  const query = async (text: string, values: unknown[]): Promise<SqlRows['rows']> =>
    (await loanOf(pool).read(() => pool.query(text, values), timeouts().statementMs)).rows;
  let after: string | undefined;
  return async () => {
    // Loaded with its first use: the query pipeline behind it is large.
    const { searchIds } = await import('./search.ts');
    const { ids, next } = await searchIds(
      { name: queue, pool, query },
      {
        ...criteria,
        to: Math.min(criteria.to ?? until, until),
        statuses: [status],
        limit: pageSize,
        budget: new SearchBudget(),
        ...(after !== undefined && { after }),
      },
    );
    after = next ?? undefined;
    const rows = criteria.error === undefined ? [] : await query(reasonsStatement, [queue, ids]);
    const hidden = new Set(
      rows.flatMap(({ id, reason }) => (acceptsReason(String(reason ?? '')) ? [] : [String(id)])),
    );
    const matching = ids.filter((id) => !hidden.has(id));
    const conditions = { expectedState: status };
    const { changed, refused } = dryRun
      ? { changed: 0, refused: {} }
      : await changeAll(matching, (id) => change(id, command, conditions));
    return {
      examined: ids.length,
      matched: matching.length,
      changed,
      refused,
      more: next !== null,
    };
  };
}
