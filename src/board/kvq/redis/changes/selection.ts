/**
 * Changes the jobs of a Redis queue that a filter accepts. Each step reads a page, applies the filter here, and lets a
 * script change those jobs of the page that are still in their places.
 */

import { RunLost, Turns } from '../../../core/index.ts';
import { DriverRefusal } from '../../model/driver.ts';
import type {
  BulkSelection,
  ExaminedJob,
  Refusal,
  SelectedPart,
  SelectionRun,
  SelectionStep,
} from '../../model/driver.ts';
import { finishedStatuses, keyOfStatus, listStatuses } from '../../model/status.ts';
import type { JobStatus } from '../../model/types.ts';
import { comparedParts } from '../compared-parts.ts';
import { bulkScript, jobsPerScript } from './bulk.ts';
import type { ChangedQueue } from './bulk.ts';
import { lostReply, type NotedRun } from './run-parts.ts';

/** Jobs per page whose data is read. */
const pageWithData = 200;

/** A job of a page. */
interface Row {
  readonly id: string;
  readonly score: string;
  readonly job: ExaminedJob;
  /** Whether the run has changed it before. */
  readonly isMet: boolean;
}

/** A place in a status: the jobs left before it, and the last of them. */
interface Place {
  readonly kept?: number;
  readonly last?: string;
  readonly score?: string;
}

/** Results of the script as refusals. */
const refusalOf: ReadonlyMap<string, Refusal> = new Map([
  ['lost', 'missing'],
  ['active', 'active'],
  ['parent', 'parent'],
  ['next', 'scheduled'],
  ['young', 'changed'],
  ['state', 'changed'],
  ['mark', 'missing'],
]);

const acts = { retry: 'retry', promote: 'promote', remove: 'clean' } as const;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function rowsOf(value: unknown, status: JobStatus): Row[] {
  return listOf(value).map((entry) => {
    const parts = listOf(entry);
    const [id = '', score = '', name = '', timestamp, error = '', data = '', met] =
      parts.map(String);
    const finishedOn = finishedStatuses.has(status) ? Number(score) : null;
    const more = comparedParts(id, status, parts[7]);
    const job = { name, error, timestamp: Number(timestamp) || 0, finishedOn, data, more };
    return { id, score, job, isMet: met === '1' };
  });
}

/** Has the library change jobs of groups, one at a time; returns those that it changed. */
async function moveGrouped(
  { moveInGroup }: ChangedQueue,
  { act, status }: BulkSelection,
  ids: readonly string[],
): Promise<number> {
  let moved = 0;
  if (act === 'remove') return moved;
  for (const id of ids) {
    try {
      await moveInGroup?.(id, act, status);
      moved += 1;
    } catch (error) {
      // The state of a job may have changed since the script.
      if (!(error instanceof DriverRefusal)) throw error;
    }
  }
  return moved;
}

/** Steps over the jobs of a selection. */
export function selectOnRedis(
  queue: ChangedQueue,
  selection: BulkSelection,
  noted?: Omit<NotedRun, 'reasons'>,
  { position = '{}', most = Infinity }: Partial<Pick<SelectionRun, 'position' | 'most'>> = {},
): SelectionStep {
  const { act, status, until, reach, dryRun, criteria, accepts, reasons } = selection;
  const { where } = criteria;
  const withdata = criteria.path !== undefined || (where?.paths.length ?? 0) > 0;
  const isFinished = finishedStatuses.has(status);
  let place = JSON.parse(position) as Place;
  const reasonOf = Object.fromEntries(
    [...refusalOf].map(([result, refusal]) => [result, reasons[refusal]]),
  );
  const run = async (more: object): Promise<readonly unknown[]> => {
    const conf = {
      ...queue.settings,
      ...place,
      now: Date.now(),
      state: keyOfStatus(status),
      list: listStatuses.has(status),
      finished: isFinished,
      until,
      size: withdata ? pageWithData : jobsPerScript,
      withdata,
      withmore: where !== undefined,
      withreason:
        criteria.error !== undefined ||
        where?.readsError === true ||
        (selection.found !== undefined && status === 'failed'),
      reach: reach.map((name) => `${name}:`),
      ...(noted && { run: { ...noted, reasons: reasonOf } }),
      ...more,
    };
    const answer = listOf(await queue.run(bulkScript, [JSON.stringify(conf)]));
    if (answer[0] === lostReply) throw new RunLost();
    return answer;
  };

  /** Counts a page without a change, and goes behind it. */
  const pass = (kept: number, rows: readonly Row[], matched: number) => {
    const last = rows.at(-1);
    if (last) place = { kept: kept + rows.length, last: last.id, score: last.score };
    const examined = rows.filter(({ isMet }) => !isMet).length;
    return { examined, matched, changed: 0, refused: {}, position: JSON.stringify(place) };
  };

  return async (): Promise<SelectedPart> => {
    const [left, from, page] = await run({ act: 'peek' });
    const rows = rowsOf(page, status);
    const turns = new Turns();
    const chosen = new Map<string, boolean>();
    let matched = 0;
    for (const { id, score, job, isMet } of rows) {
      // The script ends at a job that is not named.
      if (matched >= most) break;
      await turns.pause();
      const isChosen = !isMet && (isFinished || job.timestamp <= until) && accepts(job);
      chosen.set(id, isChosen);
      if (!isChosen) continue;
      matched += 1;
      selection.found?.(job.error, isFinished ? Number(score) : job.timestamp);
    }
    const more = left === 1;
    if (dryRun || matched === 0) return { ...pass(Number(from), rows, matched), more };
    const answer = await run({ act: acts[act], only: Object.fromEntries(chosen) });
    const [again, , , , kept, last, score, grouped, examined, results] = answer;
    if (last !== '') place = { kept: Number(kept), last: String(last), score: String(score) };
    const counts = new Map<string, number>();
    const pairs = listOf(results);
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      counts.set(String(pairs[at]), Number(pairs[at + 1]));
    }
    const groups = listOf(grouped).map(String);
    const moved = await moveGrouped(queue, selection, groups);
    const refused: Partial<Record<Refusal, number>> = {};
    for (const [result, refusal] of refusalOf) {
      const count = counts.get(result) ?? 0;
      if (count > 0) refused[refusal] = (refused[refusal] ?? 0) + count;
    }
    if (groups.length > moved) refused.unsupported = groups.length - moved;
    const met = [...counts.values()].reduce((sum, count) => sum + count, 0);
    // The script has noted all but the jobs that the library has changed.
    if (noted) {
      const unsupported = groups.length - moved;
      const rest = { examined: 0, matched: 0, changed: moved, refused: { unsupported } };
      return { ...rest, more: more || again === 1 };
    }
    return {
      examined: Number(examined),
      matched: met,
      changed: (counts.get('done') ?? 0) + moved,
      refused,
      more: more || again === 1,
    };
  };
}
