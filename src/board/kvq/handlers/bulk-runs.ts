/** The work of runs over many jobs of a queue: those with given ids, or those that a filter of the search accepts. */

import * as z from 'zod';

import { JobState, SearchJobsQuery, isUndoable, seenById } from '../../contract/index.ts';
import type { StartBulkBody } from '../../contract/index.ts';
import { BoardError, memoryRunStore, requireWritable } from '../../core/index.ts';
import type {
  BulkControl,
  BulkEngine,
  FoundJobs,
  PreparedRun,
  RunStore,
  RunWithin,
} from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { obliterated, tallied } from '../model/driver.ts';
import type {
  BulkSelection,
  CleanableStatus,
  NotePart,
  Reach,
  Refusal,
  SelectedPart,
} from '../model/driver.ts';
import { SearchBudget } from '../model/search-budget.ts';
import type { JobStatus } from '../model/types.ts';
import { shownReason } from '../present/job-view.ts';
import { matches } from '../redis/search/matches-criteria.ts';
import { timeouts } from '../timeouts.ts';
import { invalidBody } from './add-job.ts';
import { changeIds, commandsOf, countIds, statusesOf } from './bulk-ids.ts';
import type { RestOfCommand } from './bulk-writes.ts';
import { reasonsOf, refusedBy } from '../errors/refused-jobs.ts';
import { askedWhere, fixedFilter } from '../reads/asked-where.ts';
import { closedField, criteriaOf, type Query } from './search-handlers.ts';
import { type Scope, obliterating } from './scope.ts';
import { snapshotTime } from './snapshot-time.ts';

type Act = BulkSelection['act'];

/** Parameters of the search that a filter has not. */
const ofPages: ReadonlySet<string> = new Set(['id', 'limit', 'cursor']);

/** The filter as a validated query of the search. */
function queryOf(filter: Readonly<Record<string, string>>): Query {
  const known = SearchJobsQuery instanceof z.ZodObject ? SearchJobsQuery.shape : {};
  for (const name of Object.keys(filter)) {
    if (ofPages.has(name) || !Object.hasOwn(known, name))
      throw invalidBody(`filter.${name.slice(0, 100)}`);
  }
  const parsed = SearchJobsQuery.safeParse(filter);
  if (!parsed.success) throw invalidBody(`filter.${parsed.error.issues[0]?.path.join('.') ?? ''}`);
  return parsed.data;
}

/** The status that the run takes its jobs from. */
function statusOf(queue: BoardQueue, act: Act, { status }: Query): JobStatus {
  const allowed = statusesOf[act];
  const [first] = allowed;
  const chosen = status ?? (act === 'remove' ? undefined : first);
  if (!chosen || !allowed.includes(chosen)) throw invalidBody('filter.status');
  if (act === 'retry' && chosen === 'completed' && !queue.allowCompletedRetries) {
    throw new BoardError('COMPLETED_RETRIES_DISABLED');
  }
  return chosen;
}

/** Jobs with given ids per chunk. */
const idsPerChunk = 200;

/** A run in JSON, for the instance that works on it. */
interface RunSpec {
  readonly body: Pick<StartBulkBody, 'ids' | 'expectedState' | 'ifUnchanged' | 'filter'>;
  /** Qualified names of the queues whose jobs it may remove. */
  readonly reach: readonly string[];
  /** Jobs that came into the status after this time stay. */
  readonly until: number;
  /** Names of the queues that the sender may read. */
  readonly visible: readonly string[];
  /** Instead of a part of the queue, the rest of a command on the whole queue. */
  readonly rest?: RestOfCommand;
}

/** The position of a run that has counted what the request had changed. */
const begun = '';

/** The rest of a removal. */
interface Removal {
  readonly force: boolean;
  readonly reach: Reach;
  /** Jobs that the request has removed already. */
  readonly done: number;
}

/** Removes the rest of a queue; what is gone is not met again. */
async function obliterateRest(
  scope: Scope,
  queue: BoardQueue,
  { force, reach, done }: Removal,
  { signal, mark, expect, report, position, next }: BulkControl,
): Promise<void> {
  if (position === obliterated) return;
  const { driver } = queue;
  const [read] = await driver.store.facts([driver.store], false);
  const counts = read && 'facts' in read ? Object.values(read.facts.counts) : undefined;
  await expect(counts ? counts.reduce((sum, count) => sum + count, done) : null);
  let isNoted = false;
  const note = (
    step: { readonly changed: number; readonly spared?: number; readonly more: boolean },
    within?: RunWithin,
  ): Promise<void> => {
    const { changed, spared = 0, more } = step;
    const examined = changed + spared;
    const refused = { JOB_PARENT_PROTECTED: spared };
    const at = more ? begun : obliterated;
    return report({ examined, matched: examined, changed, refused }, at, within);
  };
  const step = driver.obliterateStep(force, reach, {
    mark,
    note: (part, within) => {
      isNoted = true;
      return note(part, within);
    },
  });
  for (let isMore = true; isMore && !signal.aborted;) {
    const outcome = await obliterating(scope.change(queue, step, timeouts().stepMs));
    isMore = outcome.more;
    if (!isNoted) await note(outcome);
    await next();
  }
}

/** The run of the rest of a command on a whole queue. */
export function restRun(queueName: string, rest: RestOfCommand): PreparedRun {
  const { action, statuses, until, reach } = rest;
  // The filter of the first status; more of them are only removed, which needs no filter.
  const filter = { status: statuses[0] ?? '' };
  const spec: RunSpec = { body: { filter }, reach, until, visible: [], rest };
  return { queueName, action, dryRun: false, spec };
}

export function bulkEngine(scope: Scope, translateError: BulkEngine['translateError']): BulkEngine {
  const memory = memoryRunStore();
  const queues = (): BoardQueue[] => [...scope.registry.byName.values()];
  const storeOf = (queue: BoardQueue | undefined): RunStore => queue?.driver.runs ?? memory;

  /** Works on ids. */
  const overIds = async (
    queue: BoardQueue,
    act: Act,
    seen: ReturnType<typeof seenById>,
    { reach, dryRun }: { readonly reach: readonly string[]; readonly dryRun: boolean },
    { signal, mark, keeps, most, expect, report, position, next }: BulkControl,
  ): Promise<void> => {
    const size = Math.min(idsPerChunk, most);
    const jobs = [...seen];
    await expect(jobs.length);
    for (let at = Number(position ?? 0); at < jobs.length && !signal.aborted; at += size) {
      const chunk = jobs.slice(at, at + size);
      const after = String(at + size);
      const countsOf = (refused: Partial<Record<Refusal, number>>, examined: number) => ({
        examined,
        matched: examined - (refused.missing ?? 0),
        refused: refusedBy(act, refused),
      });
      if (dryRun) {
        const refused = await countIds(scope, queue, act, chunk);
        await report(countsOf(refused, chunk.length), after);
      } else {
        let isNoted = false;
        const note: NotePart = async (within, refused) => {
          if (!refused) return report({}, undefined, within);
          const counts = countsOf(tallied(refused), chunk.length);
          isNoted = true;
          return report({ ...counts, changed: chunk.length - refused.size }, after, within);
        };
        const commands = commandsOf(queue, act, reach);
        const refused = await scope.change(
          queue,
          () => changeIds(scope, queue, chunk, commands, { mark, keeps, note }),
          timeouts().stepMs,
        );
        // The changed ones are counted where they were changed.
        const examined = mark ? refused.size : chunk.length;
        const counts = countsOf(tallied(refused), examined);
        if (!isNoted) await report({ ...counts, changed: examined - refused.size }, after);
      }
      await next();
    }
  };

  /** Works on the jobs that a filter accepts. */
  const overFilter = async (
    queue: BoardQueue,
    selection: BulkSelection,
    done: number,
    { signal, mark, keeps, most, expect, report, position, next }: BulkControl,
  ): Promise<void> => {
    const { driver } = queue;
    // A library without the status has no such jobs.
    if (!driver.statuses.includes(selection.status)) return;
    const [read] = await driver.store.facts([driver.store], false);
    const left = read && 'facts' in read ? (read.facts.counts[selection.status] ?? 0) : null;
    await expect(left === null ? null : left + done);
    const note = (
      { position: after, ...counts }: Omit<SelectedPart, 'more'>,
      within?: RunWithin,
    ): Promise<void> =>
      report({ ...counts, refused: refusedBy(selection.act, counts.refused) }, after, within);
    const from = position === begun ? undefined : position;
    const step = driver.selectionStep(selection, { mark, keeps, most, position: from, note });
    for (let isMore = true; isMore && !signal.aborted;) {
      const { more, ...part } = selection.dryRun
        ? await step()
        : await scope.change(queue, step, timeouts().stepMs);
      isMore = more;
      await note(part);
      await next();
    }
  };

  /** Removes the jobs of the rest of a command, as the request has begun to; what is gone is not met again. */
  const removeRest = async (
    queue: BoardQueue,
    { statuses, until, reach, done }: RestOfCommand,
    { signal, expect, report, next }: BulkControl,
  ): Promise<void> => {
    const { driver } = queue;
    const [read] = await driver.store.facts([driver.store], false);
    const counts = read && 'facts' in read ? read.facts.counts : undefined;
    const left = statuses.reduce((sum, status) => sum + (counts?.[status] ?? 0), 0);
    await expect(counts ? left + done : null);
    for (const status of statuses) {
      const step = driver.cleanStep(status as CleanableStatus, until, reach);
      for (let isMore = true; isMore && !signal.aborted;) {
        const { changed, skipped, spared, more } = await scope.change(
          queue,
          step,
          timeouts().stepMs,
        );
        isMore = more;
        const examined = changed + skipped + spared;
        const refused = refusedBy('remove', { parent: spared, active: skipped });
        await report({ examined, matched: examined, changed, refused }, begun);
        await next();
      }
    }
  };

  /** Gives back what a run has changed. */
  const overUndone = async (
    queue: BoardQueue,
    undoes: string,
    { signal, mark, keeps, most, report, position, next }: BulkControl,
  ): Promise<void> => {
    const note = (
      { position: after, ...counts }: Omit<SelectedPart, 'more'>,
      within?: RunWithin,
    ): Promise<void> =>
      report({ ...counts, refused: refusedBy('retry', counts.refused) }, after, within);
    const step = queue.driver.undoStep?.(undoes, { mark, keeps, most, position, note });
    for (let isMore = true; step && isMore && !signal.aborted;) {
      const { more, ...part } = await scope.change(queue, step, timeouts().stepMs);
      isMore = more;
      await note(part);
      await next();
    }
  };

  const selectionOf = async (
    queue: BoardQueue,
    act: Act,
    { body: { filter = {} }, until, reach, visible }: RunSpec,
    dryRun: boolean,
    found?: FoundJobs,
  ): Promise<BulkSelection> => {
    const query = queryOf(filter);
    const status = statusOf(queue, act, query);
    const names = new Set(visible);
    const view = scope.viewAmong(queues().filter(({ name }) => names.has(name)));
    const asked = await askedWhere(query, view);
    const closed = closedField(queue, query, asked);
    if (closed) throw closed;
    const { limit: _limit, status: _status, ...given } = criteriaOf(query, asked?.within);
    const criteria = { ...given, ...(asked && { where: asked.whereIn(queue) }) };
    const whole = { ...criteria, statuses: [], limit: 1, budget: new SearchBudget() };
    const {
      path: _path,
      finishedFrom: _from,
      finishedTo: _to,
      where: _where,
      ...ofReason
    } = { ...whole, name: '', from: -Infinity, to: Infinity };
    const shown = (error: string): string => shownReason(view, queue, error);
    const unread = { name: '', data: '', timestamp: 0, finishedOn: null };
    return {
      act,
      status,
      until,
      reach,
      dryRun,
      reasons: reasonsOf(act),
      criteria,
      // A reason counts as it is shown: it may name a hidden child.
      accepts: (job) =>
        matches(criteria.error === undefined ? job : { ...job, error: shown(job.error) }, whole),
      ...(found && { found: (error: string, at: number) => found.add(shown(error), at) }),
      acceptsReason: (error) => matches({ ...unread, error: shown(error) }, ofReason),
    };
  };

  return {
    translateError,
    sees: async (request, queueName) =>
      (await scope.visible(request)).some(({ name }) => name === queueName),
    stores: () => [...queues(), undefined].map(storeOf),
    storeOf: (queueName) => storeOf(scope.registry.byName.get(queueName)),
    mayContinue: async (queueName) => scope.registry.byName.get(queueName)?.readOnly === false,
    async prepare(request, given) {
      const { queueName, action, dryRun, rate, ids, expectedState, ifUnchanged } = given;
      const filter = ids ? undefined : await fixedFilter(given.filter ?? {});
      const queue = await scope.writable({ params: { queueName }, request });
      if (action === 'cancel' || action === 'resume') {
        throw new BoardError('BULK_ACTION_NOT_SUPPORTED', { options: { action } });
      }
      if (action === 'retry' && !queue.allowRetries) throw new BoardError('RETRIES_DISABLED');
      for (const { expectedState: state } of seenById(given).values()) {
        const isState = state === undefined || JobState.safeParse(state).success;
        if (!isState) throw invalidBody('expectedState');
      }
      const spec: RunSpec = {
        body: { ids, expectedState, ifUnchanged, filter },
        reach: action === 'remove' ? await scope.reach(request, queue) : [],
        visible: (await scope.visible(request, 'job.read')).map(({ name }) => name),
        until: 0,
      };
      const keeps = isUndoable(action) && queue.driver.undoStep !== undefined;
      const run = { queueName, action, dryRun, rate, keeps };
      if (ids) return { ...run, spec };
      const { status } = await selectionOf(queue, action, spec, dryRun);
      const until = await snapshotTime(queue, [status]);
      return { ...run, spec: { ...spec, until } };
    },
    async prepareUndo(request, { id, queueName, action }) {
      await scope.writable({ params: { queueName }, request });
      return { queueName, action, dryRun: false, undoes: id, spec: {} };
    },
    async work({ queueName, action, dryRun, undoes, spec: stored }, control) {
      const spec = stored as RunSpec;
      const queue = scope.registry.byName.get(queueName);
      if (!queue) throw new BoardError('QUEUE_NOT_FOUND');
      requireWritable(queue);
      if (undoes) return overUndone(queue, undoes, control);
      const act = action as Act;
      if (spec.rest && control.position === undefined) {
        const { done } = spec.rest;
        await control.report({ examined: done, matched: done, changed: done }, begun);
      }
      if (spec.rest?.obliterates) {
        const { obliterates, reach, done } = spec.rest;
        await obliterateRest(scope, queue, { ...obliterates, reach, done }, control);
        return;
      }
      if (spec.rest && act === 'remove') {
        await removeRest(queue, spec.rest, control);
        return;
      }
      if (spec.body.filter) {
        const selection = await selectionOf(queue, act, spec, dryRun, control.found);
        await overFilter(queue, selection, spec.rest?.done ?? 0, control);
        return;
      }
      const seen = seenById(spec.body);
      await overIds(queue, act, seen, { reach: spec.reach, dryRun }, control);
    },
  };
}
